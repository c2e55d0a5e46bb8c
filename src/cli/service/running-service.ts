/** The service that `up` runs on a data folder: its address, and the key of its sandbox tenant, where the command line finds them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RunningService {
  readonly url: string;
  /** Of the sandbox demo tenant; null in production, which has none. */
  readonly apiKey: string | null;
}

interface Written extends RunningService {
  readonly pid: number;
}

/** Readable by its owner only. */
export function writeRunningService(dataDir: string, service: RunningService): void {
  writeFileSync(fileIn(dataDir), `${JSON.stringify({ ...service, pid: process.pid } satisfies Written, null, 2)}\n`, {
    mode: 0o600,
  });
}

export function removeRunningService(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

/** @returns undefined if no service runs on this data folder, or another user's does */
export function readRunningService(dataDir: string): RunningService | undefined {
  try {
    const { url, apiKey, pid } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Written;
    process.kill(pid, 0);
    return { url, apiKey };
  } catch {
    return undefined;
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'service.json');
}
