/** The pipe whose writing end everybody holds who uses the embedded server. Its reading end is the watcher's. */
import { spawnSync } from 'node:child_process';
import { chownSync, closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import type { Place } from './cluster-paths.ts';

/** Both ends at once, for whoever starts a server: the reading one is for the watcher. */
export function openPipe(place: Place): { reading: number; writing: number } {
  makePipe(place);
  // Open for both ways it never blocks, and so neither do the two ends after it.
  const both = openSync(place.pipe, constants.O_RDWR);
  const reading = openSync(place.pipe, constants.O_RDONLY);
  const writing = openSync(place.pipe, constants.O_WRONLY);
  closeSync(both);
  return { reading, writing };
}

function makePipe(place: Place): void {
  if (existsSync(place.pipe)) {
    return;
  }
  const made = spawnSync('mkfifo', ['-m', '600', place.pipe], { encoding: 'utf8' });
  if (made.status !== 0 && !existsSync(place.pipe)) {
    throw new Error(`Cannot make ${place.pipe}: ${made.stderr}`);
  }
  if (place.account !== null) {
    chownSync(place.pipe, place.account.uid, place.account.gid);
  }
}

/** The writing end, or undefined when nobody reads. */
export function joinPipe(place: Place): number | undefined {
  try {
    return openSync(place.pipe, constants.O_WRONLY | constants.O_NONBLOCK);
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
