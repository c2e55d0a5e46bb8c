/**
 * Brings a database to the schema in sql/: schema.sql and numbered migrations once, functions and grants whenever they
 * changed. Any number of processes may call it at the same time; one does the work, the others wait and find nothing left
 * to do.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Environment, readDatabaseUrl } from '../../core/environment.ts';
import { SERVICE_ROLE } from '../embedded/cluster.ts';
import { type Database, openDatabase, startDatabase } from '../embedded/embedded.ts';
import { HostedClient, openPool } from '../pg-client.ts';
import {
  applyFunctions,
  fingerprint,
  firstLine,
  MigrationError,
  migrationFiles,
  migrationHashes,
  SCHEMA,
  sqlState,
} from './apply-functions.ts';
import { spreadOverServers, waitsToBeSpread } from './spread.ts';

export interface Migrated {
  /** Names of the migrations that this call applied, oldest first. */
  readonly applied: string[];
  /** Whether functions and grants were applied again. */
  readonly functions: boolean;
  /** The placement of tables, if operators are spread over servers; a line each. */
  readonly spread: string[];
}

interface MigrateOptions {
  /** Puts the functions of this release back even if a later one has replaced them. */
  readonly back?: boolean;
  /** The role of the service operator's commands; by default that of the service. */
  readonly adminRole?: string;
  /** The role of the auditor; by default that of the service. */
  readonly auditRole?: string;
}

/** `replaced`: this release was here, and a later one has replaced its functions. */
type SchemaState = 'current' | 'replaced' | 'missing';

const LOCK = '7316001000000002';
const LOCK_RETRY_MS = 100;
const NO_TABLE = '42P01';

/**
 * A release that was here before and that a later one has replaced leaves the schema alone: during a roll-out its processes may start
 * again, and must not put their functions in place of the new ones.
 * @param ownerUrl connection string of the role that owns the tables
 * @param serviceRole the role that is granted the rights of the service; a role that does not exist is granted nothing
 * @throws MigrationError naming the file, or the missing right
 */
export async function migrate(
  ownerUrl: string,
  serviceRole: string = SERVICE_ROLE,
  { back = false, adminRole = serviceRole, auditRole = serviceRole }: MigrateOptions = {},
): Promise<Migrated> {
  const wanted = fingerprint();
  const client = await connectTo(ownerUrl);
  const isDone = async () => {
    const state = await schemaState(client, wanted, [serviceRole, adminRole, auditRole]);
    return (state === 'current' || (state === 'replaced' && !back)) && !(await waitsToBeSpread(client));
  };
  try {
    if (await isDone()) {
      return { applied: [], functions: false, spread: [] };
    }
    await takeLock(client);
    if (await isDone()) {
      return { applied: [], functions: false, spread: [] };
    }
    await refuseRewritten(client);
    const applied = await applyMigrations(client);
    await applyJobSchema(ownerUrl);
    await withLockTimeout(client, 'functions and grants', () =>
      applyFunctions(client, serviceRole, adminRole, auditRole, wanted),
    );
    const roles = [...new Set([serviceRole, adminRole])];
    return { applied, functions: true, spread: await spreadOverServers(client, ownerUrl, roles) };
  } catch (error) {
    throw error instanceof MigrationError ? error : new MigrationError(firstLine(error), { cause: error });
  } finally {
    await client.end();
  }
}

/** Settings of a session that must not hang. */
interface SessionOptions {
  readonly applicationName: string;
  /** How long a statement may take, in milliseconds. */
  readonly deadlineMs: number;
}

/** Whether the database has the schema of this release or of a later one, and the role has the rights that the service needs. */
export async function isMigrated(
  url: string,
  serviceRole: string = SERVICE_ROLE,
  session?: SessionOptions,
): Promise<boolean> {
  const client = await connectTo(url, session);
  try {
    return (await schemaState(client, fingerprint(), [serviceRole])) !== 'missing';
  } finally {
    await client.close();
  }
}

/** An open database with the schema of this release. */
export interface ReadyDatabase extends Database {
  readonly migrated: Migrated;
}

/** For `inlay up`: starts the embedded server if no other database is configured, and migrates. */
export async function startReadyDatabase(environment: Environment, onSpawned: () => void): Promise<ReadyDatabase> {
  return environment.databaseUrl === undefined
    ? ready(await startDatabase(environment.dataDir, { onSpawned }))
    : openReadyDatabase(environment);
}

/**
 * Opens the database and migrates it, or waits for the process that migrates.
 * @throws DatabaseNotRunning
 */
export async function openReadyDatabase(
  environment: Environment,
  options: MigrateOptions = {},
): Promise<ReadyDatabase> {
  return ready(await openDatabase(environment), options);
}

/** An embedded server has one release at a time, so its functions are always those of the release that runs. */
async function ready(database: Database, options: MigrateOptions = {}): Promise<ReadyDatabase> {
  try {
    return {
      ...database,
      migrated: await migrate(database.ownerUrl, roleOf(database.url), {
        back: options.back ?? database.embedded,
        adminRole: roleOf(database.adminUrl),
        auditRole: roleOf(database.auditUrl),
      }),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The role of a connection string. */
export function roleOf(url: string): string {
  const role = readDatabaseUrl(url).user;
  return role === '' ? SERVICE_ROLE : role;
}

async function connectTo(connectionString: string, session?: SessionOptions): Promise<HostedClient> {
  const client = new HostedClient({
    connectionString,
    application_name: session?.applicationName ?? 'inlay-migrate',
    ...(session === undefined ? {} : { query_timeout: session.deadlineMs, statement_timeout: session.deadlineMs }),
  });
  // If the server goes away in between, the next query reports the error; the process must not end.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Grants are tracked by role, because deployments and people use one database under several names. The logins of people have theirs as
 * members of an administrators' role.
 */
async function schemaState(client: pg.Client, wanted: string, roles: readonly string[]): Promise<SchemaState> {
  try {
    const { rows } = await client.query<{ current: boolean; replaced: boolean; grants: boolean }>(
      `select exists (select 1 from settings where name = 'schema' and value = to_jsonb($1::text)) as current,
              exists (select 1 from settings where name = 'replaced schemas' and value ? $1) as replaced,
              not exists (
                select from pg_roles one where one.rolname = any ($2)
                  and one.rolname <> (select pg_get_userbyid(relowner) from pg_class where oid = 'settings'::regclass)
                  and not exists (select 1 from settings own join settings schema on schema.name = 'schema' and schema.value = own.value
                                  where own.name = 'grants:' || one.rolname
                                    or own.name in (select 'grants:' || known.role from admin_roles known
                                                    join pg_roles team on team.rolname = known.role and pg_has_role(one.oid, team.oid, 'member')))) as grants`,
      [wanted, roles],
    );
    const [row] = rows;
    if (row?.replaced === true) {
      return 'replaced';
    }
    return row?.current === true && row.grants ? 'current' : 'missing';
  } catch (error) {
    if (sqlState(error) === NO_TABLE) {
      return 'missing';
    }
    throw error;
  }
}

/**
 * Waits for another process that migrates. It polls, because a statement that waits for the lock holds a snapshot, and
 * the `create index concurrently` of the holder waits for all snapshots: a deadlock.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (rows[0]?.taken === true) {
      return;
    }
    await sleep(LOCK_RETRY_MS);
  }
}

/** Refuses a file that was edited after this database had applied it: the database would silently lack the edit. */
async function refuseRewritten(client: pg.Client): Promise<void> {
  let recorded: Record<string, string>;
  try {
    const { rows } = await client.query<{ value: Record<string, string> }>(
      `select value from settings where name = 'migrations'`,
    );
    recorded = rows[0]?.value ?? {};
  } catch (error) {
    if (sqlState(error) === NO_TABLE) {
      return;
    }
    throw error;
  }
  const rewritten = Object.entries(migrationHashes()).find(([name, hash]) => (recorded[name] ?? hash) !== hash);
  if (rewritten !== undefined) {
    throw new MigrationError(
      `sql: ${rewritten[0]} was edited after it had been applied here. Put changes of a released schema into a new file of sql/migrations. To make a development database again, remove the data folder (.inlay).`,
    );
  }
}

const CONCURRENTLY = /^-- concurrently\b/;

/**
 * Applies the schema (sql/schema.sql) to an empty database, and the missing numbered migrations to any database, each under
 * a lock timeout. A file that begins with "-- concurrently" runs outside a transaction, statement by statement, so that it
 * can build an index while the table is written to. Its statements must be repeatable and must not contain a semicolon.
 * @param folder the folder of the numbered files
 * @returns the names of the files that this call applied, in their order; `schema` is sql/schema.sql
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

/** The files that this database has; none if it is empty. */
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

/** In one transaction, so that a file is never applied without its mark. */
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

/** The job tables belong to graphile-worker, which has its own migrations; the service's role may not run them. */
async function applyJobSchema(ownerUrl: string): Promise<void> {
  const { runMigrations, Logger } = await import('graphile-worker');
  const pgPool = openPool(ownerUrl, { applicationName: 'inlay-migrate', max: 1 });
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) });
  } finally {
    await pgPool.end();
  }
}

const LOCK_TIMEOUT = '2s';
const PAUSE_MS = 1_000;
const TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Changes of the schema do not wait long for a lock, because a statement that waits for a table blocks everything after it. Each attempt
 * gives up after LOCK_TIMEOUT and leaves nothing behind. The next attempt follows after a pause in which the service continues.
 * @param name the name of the change, for the error
 * @throws MigrationError if no attempt gets the lock
 */
async function withLockTimeout(client: pg.Client, name: string, change: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    try {
      await change();
      return;
    } catch (error) {
      await client.query('rollback');
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) {
        throw error;
      }
      if (tries === TRIES) {
        throw new MigrationError(
          `${name}: a long transaction, such as a backup, is using a table; nothing was changed. Try again later.`,
          { cause: error },
        );
      }
      await sleep(PAUSE_MS);
    } finally {
      await client.query('set lock_timeout = 0');
    }
  }
}
