/**
 * A private key in a file, held in memory only. The file is looked at again every few seconds, so that a key is rotated by
 * replacing it; a file that cannot be read keeps the key that was read before.
 */
import { readFileSync, statSync } from 'node:fs';

const LOOK_MS = 5_000;

export interface KeyFile<Key> {
  /** The current key. @throws where none could be read yet. */
  key(): Key;
}

/**
 * @param parse makes the key of the file's text; it throws for what is no key, without quoting it.
 * @returns a key that is read at first use.
 */
export function openKeyFile<Key>(path: string, parse: (text: string) => Key): KeyFile<Key> {
  let known: { readonly key: Key; readonly changedMs: number } | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  return {
    key() {
      if (known !== undefined && performance.now() - lookedMs < LOOK_MS) {
        return known.key;
      }
      lookedMs = performance.now();
      try {
        const changedMs = statSync(path).mtimeMs;
        if (known?.changedMs !== changedMs) {
          known = { key: parse(readFileSync(path, 'utf8')), changedMs };
        }
      } catch (cause) {
        if (known === undefined) {
          throw new Error(`the key file ${path} cannot be read: ${reasonOf(cause)}`);
        }
      }
      return known.key;
    },
  };
}

/** Others than its owner may read the file. */
export function isReadableByOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0;
}

/** An error's code alone: its message may quote the file. */
function reasonOf(cause: unknown): string {
  const code = (cause as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'it holds no key of the expected kind';
}
