/** A lock that lets one process use a state folder: a file with its process number, taken over if that process is gone. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface InstanceLock {
  release(): void;
}

/** @returns undefined while another living process has the lock */
export function lockFolder(folder: string, name: string): InstanceLock | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.pid`);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    if (lives(holderOf(path))) {
      return undefined;
    }
    rmSync(path, { force: true });
  }
  return undefined;
}

function holderOf(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}

function lives(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) {
    return false;
  }
  try {
    process.kill(pid, 0);
    // Process numbers are reused: a process that is not a paper venue does not have the lock.
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('paper');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
