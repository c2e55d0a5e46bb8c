/** Only one process keeps a state folder: a file with its process number, taken over where that process is gone. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Hold {
  release(): void;
}

/** @returns undefined while another living process holds the folder. */
export function holdFolder(folder: string, name: string): Hold | undefined {
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
    // A process number comes round again: one that is no venue does not hold anything.
    return !existsSync('/proc/self') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('paper');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
