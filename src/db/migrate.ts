/**
 * Brings a database to the schema in sql/: numbered migrations once, functions and grants whenever they changed.
 * Any number of processes may call it at once; one works, the others wait and find nothing left to do.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { projectRoot } from '../core/environment.ts';
import { SERVICE_ROLE } from './cluster.ts';

export interface Migrated {
  /** Names of the migrations that this call applied, oldest first. */
  readonly applied: string[];
  /** Whether functions and grants were applied again. */
  readonly functions: boolean;
}

const LOCK = '7316001000000002';
const SQL_DIR = join(projectRoot, 'sql');
const MIGRATIONS_TABLE = 'schema_migrations';
const CANNOT_REPLACE = '42P13';
const NO_TABLE = '42P01';

/** One sentence about what could not be applied, without a stack. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * @param ownerUrl connection string of the role that owns the tables.
 * @param serviceRole who is granted what the service needs; a role that does not exist is granted nothing.
 * @throws MigrationError naming the file, or the right that is missing.
 */
export async function migrate(ownerUrl: string, serviceRole: string = SERVICE_ROLE): Promise<Migrated> {
  const wanted = fingerprint();
  const client = await connectTo(ownerUrl);
  try {
    if (await isUpToDate(client, wanted, serviceRole)) {
      return { applied: [], functions: false };
    }
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    if (await isUpToDate(client, wanted, serviceRole)) {
      return { applied: [], functions: false };
    }
    const applied = await applyMigrations(client);
    await applyJobSchema(ownerUrl);
    await applyFunctions(client, serviceRole, wanted);
    return { applied, functions: true };
  } catch (error) {
    throw error instanceof MigrationError ? error : new MigrationError(firstLine(error), { cause: error });
  } finally {
    await client.end();
  }
}

/** Whether the database has the schema of this release, and the role what the service needs. */
export async function isMigrated(url: string, serviceRole: string = SERVICE_ROLE): Promise<boolean> {
  const client = await connectTo(url);
  try {
    return await isUpToDate(client, fingerprint(), serviceRole);
  } finally {
    await client.end();
  }
}

async function connectTo(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'inlay-migrate' });
  // The server going away in between is an error of the query that meets it, not of the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** One hash over all of sql/, so that a start that changes nothing loads no migration library and takes no lock. */
function fingerprint(): string {
  const hash = createHash('sha256').update(jobSchemaVersion());
  for (const file of [...sqlFiles('migrations'), ...sqlFiles('functions'), join(SQL_DIR, 'grants.sql')]) {
    hash.update(`\0${file.slice(SQL_DIR.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Grants are kept by role: deployments and people come to one database under several names. */
async function isUpToDate(client: pg.Client, wanted: string, serviceRole: string): Promise<boolean> {
  try {
    const { rows } = await client.query<{ schema: boolean; grants: boolean }>(
      `select exists (select from settings where name = 'schema' and value = to_jsonb($1::text)) as schema,
              exists (select from settings where name = 'grants:' || $2 and value = to_jsonb($1::text))
              or not exists (select from pg_roles where rolname = $2)
              or (select pg_get_userbyid(relowner) = $2 from pg_class where oid = 'settings'::regclass) as grants`,
      [wanted, serviceRole],
    );
    return rows[0]?.schema === true && rows[0].grants;
  } catch (error) {
    if (sqlState(error) === NO_TABLE) {
      return false;
    }
    throw error;
  }
}

/** As this project pins it. */
function jobSchemaVersion(): string {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return manifest.dependencies['graphile-worker'] ?? '';
}

function sqlFiles(folder: string): string[] {
  return readdirSync(join(SQL_DIR, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(SQL_DIR, folder, name));
}

async function applyMigrations(client: pg.Client): Promise<string[]> {
  const { runner } = await import('node-pg-migrate');
  const quiet = () => {};
  const applied = await runner({
    dbClient: client,
    dir: join(SQL_DIR, 'migrations'),
    direction: 'up',
    migrationsTable: MIGRATIONS_TABLE,
    // ours is held already, and waits
    noLock: true,
    // rooms number their files ahead of time; a lower number may arrive later and touches no table of a higher one
    checkOrder: false,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  return applied.map(({ name }) => name);
}

/** The job tables belong to graphile-worker, which brings its own migrations; the service's role may not run them. */
async function applyJobSchema(ownerUrl: string): Promise<void> {
  const { runMigrations, Logger } = await import('graphile-worker');
  await runMigrations({ connectionString: ownerUrl, logger: new Logger(() => () => {}) });
}

/** All functions and grants in one transaction: callers see the old set or the new one, never a mixture. */
async function applyFunctions(client: pg.Client, serviceRole: string, wanted: string): Promise<void> {
  await client.query('begin');
  try {
    for (const file of sqlFiles('functions')) {
      await applyFunctionFile(client, file);
    }
    await applyGrants(client, serviceRole);
    await client.query(
      `insert into settings (name, value)
       select name, to_jsonb($1::text) from unnest(array['schema', 'grants:' || $2]) name
       on conflict (name) do update set value = excluded.value, updated_at = now()`,
      [wanted, serviceRole],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

async function applyFunctionFile(client: pg.Client, file: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  await client.query('savepoint file');
  try {
    await client.query(text);
  } catch (error) {
    if (sqlState(error) !== CANNOT_REPLACE) {
      throw inFile(file, error);
    }
    // `create or replace` cannot change what a function returns or what its arguments are called
    await client.query('rollback to savepoint file');
    try {
      await dropFunctions(client, text);
      await client.query(text);
    } catch (again) {
      throw inFile(file, again);
    }
  }
  await client.query('release savepoint file');
}

async function dropFunctions(client: pg.Client, text: string): Promise<void> {
  const names = [...text.matchAll(/create\s+or\s+replace\s+(?:function|procedure)\s+([a-z0-9_]+)/gi)].map(
    (match) => match[1],
  );
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc where pronamespace = 'public'::regnamespace and proname = any ($1)`,
    [names],
  );
  for (const { signature } of rows) {
    await client.query(`drop routine ${signature}`);
  }
}

async function applyGrants(client: pg.Client, serviceRole: string): Promise<void> {
  const { rows } = await client.query<{ owner: boolean }>(
    'select rolname = current_user as owner from pg_roles where rolname = $1',
    [serviceRole],
  );
  if (rows[0] === undefined || rows[0].owner) {
    return;
  }
  const role = client.escapeIdentifier(serviceRole);
  await client.query(readFileSync(join(SQL_DIR, 'grants.sql'), 'utf8').replaceAll(':service', role));
  // graphile-worker guards its tables by row security and leaves the policies to its user
  const guarded = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service')`,
  );
  for (const { name } of guarded.rows) {
    await client.query(`create policy service on ${name} to ${role} using (true) with check (true)`);
  }
}

function inFile(file: string, error: unknown): MigrationError {
  return new MigrationError(`${file.slice(projectRoot.length)}: ${firstLine(error)}`, { cause: error });
}

/** node-pg-migrate puts a stack into the message. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
