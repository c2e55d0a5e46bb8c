/** Lets one process at a time make or start the cluster of a place. PostgreSQL guards its data by itself; this spares the others the work. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './cluster-paths.ts';
import { isAlive, readRunning } from './pid-file.ts';

const POLL_MS = 25;
/** After that the work is done without the lock, which is slower and no less safe. */
const PATIENCE_MS = 45_000;

export async function withStartLock<T>(place: Place, work: () => Promise<T>): Promise<T> {
  const path = join(place.location, 'starting');
  const deadline = Date.now() + PATIENCE_MS;
  let taken = false;
  while (!taken && Date.now() < deadline) {
    taken = take(path);
    if (!taken) {
      if (readRunning(place) !== undefined) {
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
    // gone by itself
  }
}
