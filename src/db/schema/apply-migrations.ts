/**
 * Applies the numbered migrations that are missing, each under a lock timeout. A file that begins with "--
 * concurrently" runs outside a transaction, statement by statement, so that it can build an index while the table is
 * written to. Its statements must be repeatable and must not contain a semicolon. PostgreSQL builds no index of a
 * partitioned table concurrently, so `{feed_items lacking feed_items_by_type}` repeats a statement with the name of each
 * partition of the table that has no part of the index.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { withLockTimeout } from './lock-timeout.ts';
import { sqlState } from './migration-error.ts';
import { SQL_DIR } from './sql-files.ts';

export const MIGRATIONS_TABLE = 'schema_migrations';
const NO_TABLE = '42P01';
const CONCURRENTLY = /^-- concurrently\b/;
const PARTITION_LACKING = /\{(\w+) lacking (\w+)\}/;

/**
 * @returns the names of the migrations that this call applied, oldest first
 * @throws MigrationError if a lock is not released in time
 */
export async function applyMigrations(
  client: pg.Client,
  folder: string = join(SQL_DIR, 'migrations'),
): Promise<string[]> {
  const done = new Set(await appliedNames(client));
  const missing = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => basename(file, '.sql'))
    .filter((name) => !done.has(name))
    .sort();
  for (const name of missing) {
    const text = readFileSync(join(folder, `${name}.sql`), 'utf8');
    await withLockTimeout(client, name, () =>
      CONCURRENTLY.test(text) ? applyConcurrently(client, name, text) : applyOne(client, folder, name),
    );
  }
  return missing;
}

/** The migrations that this database has; none if it is empty. */
export async function appliedNames(client: pg.Client): Promise<string[]> {
  try {
    const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATIONS_TABLE}`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (sqlState(error) === NO_TABLE) {
      return [];
    }
    throw error;
  }
}

async function applyOne(client: pg.Client, dir: string, name: string): Promise<void> {
  const { runner } = await import('node-pg-migrate');
  const quiet = () => {};
  await runner({
    dbClient: client,
    dir,
    file: name,
    direction: 'up',
    migrationsTable: MIGRATIONS_TABLE,
    // we already hold our own lock, which waits
    noLock: true,
    // numbers are reserved ahead of time; a lower number may arrive later and touches no table of a higher one
    checkOrder: false,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
}

/**
 * Without a lock timeout: building an index concurrently waits for transactions to end, and blocks nothing meanwhile.
 */
async function applyConcurrently(client: pg.Client, name: string, text: string): Promise<void> {
  await client.query('set lock_timeout = 0');
  const statements = text.replace(/^--.*$/gm, '').split(';');
  for (const statement of statements.filter((part) => part.trim() !== '')) {
    for (const one of await eachPartition(client, statement)) {
      await client.query(one);
    }
  }
  await client.query(`insert into ${MIGRATIONS_TABLE} (name, run_on) values ($1, now())`, [name]);
}

async function eachPartition(client: pg.Client, statement: string): Promise<string[]> {
  const [token, table, index] = PARTITION_LACKING.exec(statement) ?? [];
  if (token === undefined) {
    return [statement];
  }
  const { rows } = await client.query<{ partition: string }>(
    `select part.inhrelid::regclass::text as partition from pg_inherits part
     where part.inhparent = $1::regclass and not exists (
       select from pg_inherits held join pg_index entry on entry.indexrelid = held.inhrelid
       where held.inhparent = $2::regclass and entry.indrelid = part.inhrelid)`,
    [table, index],
  );
  return rows.map(({ partition }) => statement.replaceAll(token, partition));
}
