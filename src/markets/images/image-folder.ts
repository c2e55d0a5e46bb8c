/**
 * The folder of fetched pictures. It takes a limited number of bytes of the disk: beyond them, the pictures that were
 * not read for the longest time are removed. The last read of a picture is the modification time of its file, which
 * outlives a restart and is the same for all processes that share the folder.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MOST_BYTES = 1024 ** 3;
/** The files are counted after this share of the bytes was written, and this share is made free then. */
const FREED_SHARE = 0.1;
const BLOCK_BYTES = 4_096;
/** The unit of `blocks` in the facts about a file, on every file system. */
const STAT_BLOCK_BYTES = 512;

interface ImageFolder {
  /** @returns null if the picture is not there */
  read(name: string): Promise<Buffer | null>;
  write(name: string, bytes: Buffer): Promise<void>;
}

/** @param mostBytes of the disk. Each further process that shares the folder may exceed it by a tenth */
export function openImageFolder(folder: string, mostBytes = MOST_BYTES): ImageFolder {
  const freedBytes = mostBytes * FREED_SHARE;
  /** Bytes added since the files were counted. This process has not counted the files that were there already. */
  let written = Number.POSITIVE_INFINITY;

  async function removeOldest(): Promise<void> {
    let left = mostBytes - freedBytes;
    for (const { path, bytes } of await listByLastRead(folder)) {
      left -= bytes;
      if (left < 0) {
        await rm(path, { force: true });
      }
    }
  }

  return {
    async read(name) {
      const path = join(folder, name);
      const bytes = await readFile(path).catch(() => null);
      if (bytes !== null) {
        const now = new Date();
        // Another process may have removed it meanwhile.
        await utimes(path, now, now).catch(() => {});
      }
      return bytes;
    },
    async write(name, bytes) {
      const path = join(folder, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The draft has another name, so that a reader in any process sees the complete picture or none.
      const draft = `${path}.${process.pid}.draft`;
      await writeFile(draft, bytes, { mode: 0o600 });
      await rename(draft, path);
      written += Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES;
      if (written > freedBytes) {
        written = 0;
        await removeOldest();
      }
    },
  };
}

/** All files, also drafts of processes that were killed, the last read one first. */
async function listByLastRead(folder: string): Promise<{ readonly path: string; readonly bytes: number }[]> {
  const files: { path: string; bytes: number; readAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => null);
    if (facts !== null) {
      files.push({ path, bytes: facts.blocks * STAT_BLOCK_BYTES, readAt: facts.mtimeMs });
    }
  }
  return files.sort((one, other) => other.readAt - one.readAt);
}
