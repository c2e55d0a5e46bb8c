/**
 * A private key that is read from a file and kept only in memory. The file is checked again every few seconds, so that a key is rotated
 * by replacing the file. If it cannot be read, the previous key stays in use.
 */
import { readFileSync, statSync } from 'node:fs';

const LOOK_MS = 5_000;

export interface KeyFile<Key> {
  /** The current key. @throws if none could be read yet */
  key(): Key;
}

/**
 * The key is read at first use.
 * @param variable the setting that names the file, for errors
 * @param parse makes the key from the text of the file; it throws if the text is not a key, without quoting it
 */
export function openKeyFile<Key>(variable: string, path: string, parse: (text: string) => Key): KeyFile<Key> {
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
          throw new Error(`${variable}: the key file ${path} cannot be read: ${reasonOf(cause)}`);
        }
      }
      return known.key;
    },
  };
}

/** Only the code of an error, because its message may quote the file. */
function reasonOf(cause: unknown): string {
  const code = (cause as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'it holds no key of the expected kind';
}

/** Whether users other than the owner may read the file. */
export function isReadableByOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0;
}
