/** The files of sql/ and their hashes. This file reads them and applies none. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../../core/environment.ts';

export const SQL_DIR = join(projectRoot, 'sql');

const GRANTS = [join(SQL_DIR, 'grants.sql'), join(SQL_DIR, 'service-grants.sql'), join(SQL_DIR, 'audit-grants.sql')];

/** What an empty database is given. */
export const SCHEMA = join(SQL_DIR, 'schema.sql');

/** Paths of the migrations, in the order of their numbers. Before the first release there are none, and no folder. */
export function migrationFiles(folder: string = join(SQL_DIR, 'migrations')): string[] {
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Paths of the functions in the order of `sql/functions/manifest.txt`. A file that is not listed there is not applied,
 * and a test reports it.
 */
export function functionFiles(): string[] {
  const folder = join(SQL_DIR, 'functions');
  return readFileSync(join(folder, 'manifest.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((name) => join(folder, name));
}

/** One hash over all of sql/. If it is unchanged, a start loads no migration library and takes no lock. */
export function fingerprint(): string {
  const hash = createHash('sha256').update(jobSchemaVersion());
  for (const file of [SCHEMA, ...migrationFiles(), ...functionFiles(), ...GRANTS]) {
    hash.update(`\0${file.slice(SQL_DIR.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Hash of the schema and of each migration, by the name of the file. */
export function migrationHashes(): Record<string, string> {
  return Object.fromEntries(
    [SCHEMA, ...migrationFiles()].map((file) => [
      basename(file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  );
}

/** The version of graphile-worker that this project pins. */
function jobSchemaVersion(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return manifest.dependencies['graphile-worker'] ?? '';
}
