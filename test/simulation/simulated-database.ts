/**
 * The databases of simulated worlds: each a copy of one migrated template in which `now()`, `clock_timestamp()`,
 * `gen_random_uuid()`, `pg_notify()` and the timeline are the world's own, found before those of PostgreSQL by the search
 * path. The functions of the service are used as they are. A snapshot of a database can take its place as a standby does at
 * a fail-over, with a new timeline. No vacuum runs in them: it would move rows, and with them the order of what no query
 * orders.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connect, type Sql } from '../../src/db/client.ts';
import { migrate } from '../../src/db/schema/migrate.ts';

const SEARCH_PATH = 'public,simulated,pg_catalog';
/** When every world begins; a Monday. */
export const BEGINNING_MS = Date.parse('2026-06-01T12:00:00Z');

/** Planning costs more than running over so few rows, in a session that lasts for one seed: each statement is planned once, and few plans are compared. */
const QUICK_PLANS = {
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_material: 'off',
  enable_memoize: 'off',
  enable_incremental_sort: 'off',
  enable_bitmapscan: 'off',
  enable_indexonlyscan: 'off',
};

const SIMULATED = `
  create schema simulated;
  create table simulated.clock (at timestamptz not null);
  insert into simulated.clock values ('${new Date(BEGINNING_MS).toISOString()}');
  create sequence simulated.ticks;
  create sequence simulated.ids;
  create table simulated.notices (number bigint generated always as identity primary key, channel text not null, payload text not null);
  create function simulated.now() returns timestamptz language sql stable as 'select at from simulated.clock';
  create function simulated.clock_timestamp() returns timestamptz language sql volatile as
    'select at + nextval(''simulated.ticks'') * interval ''1 microsecond'' from simulated.clock';
  create function simulated.gen_random_uuid() returns uuid language sql volatile as
    'select lpad(to_hex(nextval(''simulated.ids'')), 32, ''0'')::uuid';
  create function simulated.pg_notify(channel text, payload text) returns void language sql volatile as
    'insert into simulated.notices (channel, payload) values (channel, payload)';
  create table simulated.timeline (number integer not null);
  insert into simulated.timeline values (1);
  create function simulated.pg_walfile_name(lsn pg_lsn) returns text language sql volatile as
    'select lpad(to_hex(number), 8, ''0'') || substr(pg_catalog.pg_walfile_name(lsn), 9) from simulated.timeline';`;

const NO_VACUUM = `
  do $$ declare
    one record;
  begin
    for one in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace <> 'pg_catalog'::regnamespace
      and relnamespace <> 'information_schema'::regnamespace
    loop
      execute format('alter table %s set (autovacuum_enabled = off)', one.name);
    end loop;
  end $$;`;

/** Functions with a search path of their own would read the machine's clock. */
const SIMULATED_EVERYWHERE = `
  do $$ declare
    one record;
  begin
    for one in select oid::regprocedure as name from pg_proc where array_to_string(proconfig, ' ') like '%search_path=%'
    loop
      execute format('alter function %s set search_path = ${SEARCH_PATH}', one.name);
    end loop;
  end $$;`;

const OPEN_TO_ALL = `
  grant usage on schema simulated to public;
  grant all on all tables in schema simulated to public;
  grant all on all sequences in schema simulated to public;`;

export interface SimulatedDatabase {
  /** Of the service's own role; another one after `failOver`. */
  readonly sql: Sql;
  setTime(ms: number): Promise<void>;
  takeNotices(): Promise<readonly { readonly channel: string; readonly payload: string }[]>;
  snapshot(): Promise<void>;
  /** The last snapshot takes the place of the database, as a standby that lagged behind does. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes the migrated database that all others are copies of.
 * @param ownerUrl of a role that may create databases. @returns its name. @throws what a migration throws.
 */
export async function createTemplate(ownerUrl: string): Promise<string> {
  const template = `simulation_${randomBytes(6).toString('hex')}`;
  await asOwner(ownerUrl, 'postgres', `create database ${template}`);
  await asOwner(ownerUrl, template, SIMULATED);
  const migrating = new URL(withDatabase(ownerUrl, template));
  migrating.searchParams.set('options', `-c search_path=${SEARCH_PATH}`);
  await migrate(migrating.href);
  await asOwner(ownerUrl, template, OPEN_TO_ALL, SIMULATED_EVERYWHERE, NO_VACUUM);
  return template;
}

export function dropTemplate(ownerUrl: string, template: string): Promise<void> {
  return asOwner(ownerUrl, 'postgres', `drop database if exists ${template} with (force)`);
}

/** @param serviceUrl of the service's own role on the server of `ownerUrl`. @param name of the database to be made. */
export async function createDatabase(
  ownerUrl: string,
  serviceUrl: string,
  template: string,
  name: string,
): Promise<SimulatedDatabase> {
  const clone = (from: string, to: string) => `create database ${to} template ${from} strategy file_copy`;
  const url = new URL(withDatabase(serviceUrl, name));
  url.searchParams.set('search_path', SEARCH_PATH);
  for (const [setting, value] of Object.entries(QUICK_PLANS)) {
    url.searchParams.set(setting, value);
  }
  const open = () => connect(url.href, { max: 1, applicationName: 'inlay-simulation' });
  const drop = (database: string) => `drop database if exists ${database} with (force)`;
  await asOwner(ownerUrl, 'postgres', drop(name), clone(template, name));
  let sql = open();
  let standby = false;
  return {
    get sql() {
      return sql;
    },
    setTime: async (ms) => {
      await sql`
        with moved as (update simulated.clock set at = ${new Date(ms).toISOString()}::timestamptz returning 1)
        select setval('simulated.ticks', 1) from moved`;
    },
    takeNotices: async () => {
      const taken = await sql<{ number: bigint; channel: string; payload: string }[]>`
        delete from simulated.notices returning number, channel, payload`;
      return taken.sort((one, other) => Number(one.number - other.number));
    },
    snapshot: async () => {
      await sql.end();
      await asOwner(
        ownerUrl,
        'postgres',
        ...(standby ? [drop(`${name}_standby`)] : []),
        clone(name, `${name}_standby`),
      );
      standby = true;
      sql = open();
    },
    failOver: async () => {
      await sql.end();
      await asOwner(ownerUrl, 'postgres', drop(name), `alter database ${name}_standby rename to ${name}`);
      standby = false;
      sql = open();
      await sql`update simulated.timeline set number = number + 1`;
    },
    close: async () => {
      await sql.end({ timeout: 1 });
      await asOwner(ownerUrl, 'postgres', drop(name), drop(`${name}_standby`));
    },
  };
}

async function asOwner(ownerUrl: string, database: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(ownerUrl, database) });
  await client.connect();
  try {
    for (const statement of statements) {
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
