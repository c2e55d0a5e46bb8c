/** Settings from files: `NAME_FILE` names a file that contains the value of `NAME`, as secrets of containers and of systemd are given. */
import { readFileSync } from 'node:fs';

const SUFFIX = '_FILE';

/**
 * Adds what the files contain. A variable that is set itself wins over its file.
 * @param known names of all settings; one that itself ends in `_FILE` keeps its own meaning
 * @throws Error naming the variable if its file cannot be read
 */
export function withSettingFiles(
  variables: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
): Record<string, string> {
  const all = { ...variables };
  for (const [name, path] of Object.entries(variables)) {
    const setting = name.slice(0, -SUFFIX.length);
    if (name.endsWith(SUFFIX) && !known.has(name) && known.has(setting) && all[setting] === undefined) {
      all[setting] = readValue(name, path);
    }
  }
  return all;
}

/** Without the line break that editors add. */
function readValue(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`${name}: ${path} cannot be read (${code})`);
  }
}
