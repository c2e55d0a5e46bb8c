/** The pipe whose writing end every user of the embedded server keeps open. The watcher has its reading end. */
import { spawnSync } from 'node:child_process';
import { chownSync, closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import type { ClusterPaths } from './cluster-paths.ts';

/** Opens both ends at once, for the process that starts a server: the reading end is for the watcher. */
export function openPipe(paths: ClusterPaths): { reading: number; writing: number } {
  makePipe(paths);
  // Opened for reading and writing it never blocks, so the two opens after it do not block either.
  const both = openSync(paths.pipe, constants.O_RDWR);
  const reading = openSync(paths.pipe, constants.O_RDONLY);
  const writing = openSync(paths.pipe, constants.O_WRONLY);
  closeSync(both);
  return { reading, writing };
}

function makePipe(paths: ClusterPaths): void {
  if (existsSync(paths.pipe)) {
    return;
  }
  const made = spawnSync('mkfifo', ['-m', '600', paths.pipe], { encoding: 'utf8' });
  if (made.status !== 0 && !existsSync(paths.pipe)) {
    throw new Error(`Cannot make ${paths.pipe}: ${made.stderr}`);
  }
  if (paths.account !== null) {
    chownSync(paths.pipe, paths.account.uid, paths.account.gid);
  }
}

/** The writing end, or undefined if no watcher reads. */
export function joinPipe(paths: ClusterPaths): number | undefined {
  try {
    return openSync(paths.pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

export function stillWatched(descriptor: number): boolean {
  try {
    writeSync(descriptor, '.');
    return true;
  } catch {
    return false;
  }
}
