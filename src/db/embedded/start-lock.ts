/**
 * A lock that lets one process at a time make or start a cluster. PostgreSQL guards its data itself; the lock only
 * saves work.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterPaths } from './cluster-paths.ts';
import { isAlive, readRunning } from './pid-file.ts';

const POLL_MS = 25;
/** After this the work is done without the lock, which is slower but as safe. */
const TIMEOUT_MS = 45_000;

export async function withStartLock<T>(paths: ClusterPaths, work: () => Promise<T>): Promise<T> {
  const path = join(paths.location, 'starting');
  const deadline = Date.now() + TIMEOUT_MS;
  let taken = false;
  while (!taken && Date.now() < deadline) {
    taken = take(path);
    if (!taken) {
      if (readRunning(paths) !== undefined) {
        break;
      }
      forgetDead(path);
      await sleep(POLL_MS);
    }
  }
  try {
    return await work();
  } finally {
    if (taken) {
      rmSync(path, { force: true });
    }
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

function forgetDead(path: string): void {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    if (pid > 1 && !isAlive(pid)) {
      rmSync(path, { force: true });
    }
  } catch {
    // removed meanwhile
  }
}
