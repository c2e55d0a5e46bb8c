/** Runs other inlay commands as separate processes, with the same service and key. */
import { join } from 'node:path';
import { runOnce } from '../../../core/processes.ts';
import type { ActionPorts } from './action-ports.ts';

/** @param root folder of package.json. */
export function createCommandLine(root: string, apiUrl: string, apiKey: string): ActionPorts['inlay'] {
  const script = join(root, 'bin/run.js');
  return async (argv, signal) => {
    const environment = { INLAY_API_URL: apiUrl, INLAY_API_KEY: apiKey };
    const { exitCode, stdout } = await runOnce(script, [...argv, '--json'], environment, signal);
    return { exitCode, json: parse(stdout) };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
