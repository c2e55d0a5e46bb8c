/** Runs other commands of ours as processes of their own, with the same service and key: what scripts the venue or an operator. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ActionPorts } from './actions.ts';

/** @param root folder of package.json. */
export function openCommandLine(root: string, apiUrl: string, apiKey: string): ActionPorts['inlay'] {
  const script = join(root, 'bin/run.js');
  return (argv, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, ...argv, '--json'], {
        env: { ...process.env, INLAY_API_URL: apiUrl, INLAY_API_KEY: apiKey },
        stdio: ['ignore', 'pipe', 'ignore'],
        signal,
      });
      let printed = '';
      child.stdout.on('data', (bytes: Buffer) => {
        printed += bytes.toString();
      });
      child.on('error', reject);
      child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, json: parse(printed) }));
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
