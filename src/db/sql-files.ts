/** The files of sql/ and their hashes. Reads them; applies none. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../core/environment.ts';

export const SQL_DIR = join(projectRoot, 'sql');

/** Paths of a folder of sql/, in order of their names. */
export function sqlFiles(folder: string): string[] {
  return readdirSync(join(SQL_DIR, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(SQL_DIR, folder, name));
}

/** One hash over all of sql/, so that a start that changes nothing loads no migration library and takes no lock. */
export function fingerprint(): string {
  const hash = createHash('sha256').update(jobSchemaVersion());
  for (const file of [...sqlFiles('migrations'), ...sqlFiles('functions'), join(SQL_DIR, 'grants.sql')]) {
    hash.update(`\0${file.slice(SQL_DIR.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Hash of each migration by its name. */
export function migrationHashes(): Record<string, string> {
  return Object.fromEntries(
    sqlFiles('migrations').map((file) => [
      basename(file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}

/** As this project pins it. */
function jobSchemaVersion(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return manifest.dependencies['graphile-worker'] ?? '';
}
