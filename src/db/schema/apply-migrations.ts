/**
 * Gives an empty database its schema (sql/schema.sql), and any database the numbered migrations that it lacks, each under a
 * lock timeout. A file that begins with "-- concurrently" runs outside a transaction, statement by statement, so that it can build
 * an index while the table is written to. Its statements must be repeatable and must not contain a semicolon.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type pg from 'pg';
import { withLockTimeout } from './lock-timeout.ts';
import { sqlState } from './migration-error.ts';
import { migrationFiles, SCHEMA } from './sql-files.ts';

const NO_TABLE = '42P01';
const CONCURRENTLY = /^-- concurrently\b/;

/**
 * @param folder where the numbered files are
 * @returns the names of what this call applied, in their order; `schema` is sql/schema.sql
 * @throws MigrationError if a lock is not released in time
 */
export async function applyMigrations(client: pg.Client, folder?: string): Promise<string[]> {
  const done = new Set(await appliedNames(client));
  const missing = [SCHEMA, ...migrationFiles(folder)].filter((file) => !done.has(basename(file, '.sql')));
  for (const file of missing) {
    const name = basename(file, '.sql');
    const text = readFileSync(file, 'utf8');
    await withLockTimeout(client, name, () =>
      CONCURRENTLY.test(text) ? applyConcurrently(client, name, text) : applyAtOnce(client, name, text),
    );
  }
  return missing.map((file) => basename(file, '.sql'));
}

/** What this database has; nothing if it is empty. */
async function appliedNames(client: pg.Client): Promise<string[]> {
  try {
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
    return rows.map(({ name }) => name);
  } catch (error) {
    if (sqlState(error) === NO_TABLE) {
      return [];
    }
    throw error;
  }
}

/** The file and its mark, or neither. */
async function applyAtOnce(client: pg.Client, name: string, text: string): Promise<void> {
  await client.query('begin');
  await client.query(text);
  await markApplied(client, name);
  await client.query('commit');
}

/**
 * Without a lock timeout: building an index concurrently waits for transactions to end, and blocks nothing meanwhile.
 */
async function applyConcurrently(client: pg.Client, name: string, text: string): Promise<void> {
  await client.query('set lock_timeout = 0');
  const statements = text.replace(/^--.*$/gm, '').split(';');
  for (const statement of statements.filter((part) => part.trim() !== '')) {
    await client.query(statement);
  }
  await markApplied(client, name);
}

async function markApplied(client: pg.Client, name: string): Promise<void> {
  await client.query('insert into schema_migrations (name) values ($1)', [name]);
}
