/**
 * The files of sql/: reads them and their hashes, and applies the functions and the grants in one transaction, so that
 * callers see the old set or the new one, never a mixture. `migrate.ts` decides when.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { projectRoot } from '../../core/environment.ts';
import { ADMIN_ROLE } from '../embedded/cluster.ts';

const CANNOT_REPLACE = '42P13';

/**
 * Applies all functions and grants, and records their fingerprint.
 * @param wanted the fingerprint of the applied files
 * @throws MigrationError naming the file that failed
 */
export async function applyFunctions(
  client: pg.Client,
  serviceRole: string,
  adminRole: string,
  auditRole: string,
  wanted: string,
): Promise<void> {
  await client.query('begin');
  try {
    for (const file of functionFiles()) {
      await applyFunctionFile(client, file);
    }
    await client.query('select make_partitions()');
    const granted = await applyGrants(client, serviceRole, adminRole, auditRole);
    await client.query(
      `with former as (
         select coalesce((select value from settings where name = 'replaced schemas'), '[]') as known,
           (select value from settings where name = 'schema') as last)
       insert into settings (name, value)
       select name, to_jsonb($1::text) from unnest(array['schema'] || $2::text[]) name
       union all select 'migrations', $3::jsonb
       union all select 'replaced schemas', (known - $1::text) || case
         when last is null or last = to_jsonb($1::text) or known @> last then '[]' else jsonb_build_array(last) end
       from former
       on conflict (name) do update set value = excluded.value, updated_at = now()`,
      [wanted, granted.map((role) => `grants:${role}`), JSON.stringify(migrationHashes())],
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
    // `create or replace` cannot change the return type of a function or the names of its arguments
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

/**
 * Grants the service's role and the administrators' roles their rights. If administrator roles exist, the service's role
 * loses their rights. A migration that does not name these roles reads them from `admin_roles`.
 * @returns the roles that have their rights now
 */
async function applyGrants(
  client: pg.Client,
  serviceRole: string,
  adminRole: string,
  auditRole: string,
): Promise<string[]> {
  if (adminRole !== serviceRole) {
    // An administrator's login has its rights as a member of the administrators' role, and only that role is kept. A role that was granted
    // its rights before there were administrators gets them again.
    await client.query(
      `with added as (
         insert into admin_roles (role)
         select team.rolname from pg_roles login join pg_roles team on team.rolname in ($1, $2) and pg_has_role(login.oid, team.oid, 'member')
         where login.rolname = $1 and login.rolname <> current_user
           and not exists (select from admin_roles known join pg_roles kept on kept.rolname = known.role and pg_has_role(login.oid, kept.oid, 'member'))
         order by team.rolname = $2 desc limit 1
         on conflict do nothing returning 1)
       delete from settings where name like 'grants:%' and exists (select 1 from added)`,
      [adminRole, ADMIN_ROLE],
    );
  }
  const { rows } = await client.query<{ role: string; admin: boolean }>(
    `select rolname as role, rolname <> $1 as admin from pg_roles
     where rolname <> current_user and (rolname = $1 or rolname in (select role from admin_roles)) order by admin`,
    [serviceRole],
  );
  for (const { role } of rows) {
    await grantTo(client, role);
  }
  if (rows.some(({ admin }) => admin) && rows.some(({ admin }) => !admin)) {
    await client.query(readGrants('service-grants.sql', client.escapeIdentifier(serviceRole)));
  }
  const granted = rows.map(({ role }) => role);
  return [...granted, ...(await grantAuditor(client, serviceRole, auditRole, granted))];
}

/**
 * If the auditor has its own role, only that role writes the auditor's books.
 * @param others roles that lose the right to write them
 */
async function grantAuditor(
  client: pg.Client,
  serviceRole: string,
  auditRole: string,
  others: readonly string[],
): Promise<string[]> {
  if (auditRole !== serviceRole) {
    await client.query(
      `insert into auditor_roles (role) select rolname from pg_roles where rolname = $1 and rolname <> current_user on conflict do nothing`,
      [auditRole],
    );
  }
  const { rows } = await client.query<{ role: string }>(
    'select role from auditor_roles where role in (select rolname from pg_roles)',
  );
  for (const { role } of rows) {
    const text = readFileSync(join(SQL_DIR, 'audit-grants.sql'), 'utf8');
    await client.query(text.replaceAll(':auditor', client.escapeIdentifier(role)));
  }
  for (const other of rows.length === 0 ? [] : others) {
    await client.query(
      `revoke insert, update, delete on all tables in schema audit from ${client.escapeIdentifier(other)}`,
    );
  }
  return rows.map(({ role }) => role);
}

async function grantTo(client: pg.Client, name: string): Promise<void> {
  const role = client.escapeIdentifier(name);
  await client.query(readGrants('grants.sql', role));
  // graphile-worker protects its tables by row security and leaves the policies to its user
  const guarded = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
       and not exists (select 1 from pg_policy p where p.polrelid = c.oid and $1::regrole = any (p.polroles))`,
    [role],
  );
  const policy = client.escapeIdentifier(`service ${name}`);
  for (const table of guarded.rows) {
    await client.query(`create policy ${policy} on ${table.name} to ${role} using (true) with check (true)`);
  }
}

function readGrants(file: string, role: string): string {
  return readFileSync(join(SQL_DIR, file), 'utf8').replaceAll(':service', role);
}

function inFile(file: string, error: unknown): MigrationError {
  return new MigrationError(`${file.slice(projectRoot.length)}: ${firstLine(error)}`, { cause: error });
}

export const SQL_DIR = join(projectRoot, 'sql');

const GRANTS = [join(SQL_DIR, 'grants.sql'), join(SQL_DIR, 'service-grants.sql'), join(SQL_DIR, 'audit-grants.sql')];

/** The schema of an empty database. */
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

/** A failed migration, with one sentence for the reader about the part that could not be applied. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** An error of PostgreSQL in one line. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
