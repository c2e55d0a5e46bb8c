/**
 * Copies of the functions of an order's life for each shard, on every server of operators' rows, made from the one text that one server has
 * (docs/scale.md). A copy names the tables of its shard and is late bound, so that every server has the copies of all shards and a move needs
 * nothing. It plans once, as on one server, where Citus would plan each statement of each call.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { readDatabaseUrl } from '../../core/environment.ts';
import { FIRST_TABLE, schemaOfShard } from '../shards.ts';
import { firstLine, MigrationError } from './apply-functions.ts';

/** The functions that are called straight, and the operators of a call. */
const ENTRIES: Readonly<Record<string, string>> = {
  order_basis: 'p_operator_ids',
  place_orders: 'array(select command.operator_id from unnest(p_orders) command)',
  move_orders: 'array(select command.operator_id from unnest(p_orders) command)',
  issue_quotes: 'array(select command.operator_id from unnest(p_commands) command)',
};

/** Stays on the coordinator, which has the markets. A call of a copy brings them. */
const STAYS = 'read_markets';

/** Sends a statement to the coordinator. @returns its rows */
export type Ask = <Row extends object>(statement: string, values?: string[]) => Promise<Row[]>;

export const askWith =
  (client: pg.Client): Ask =>
  async <Row extends object>(statement: string, values?: string[]) =>
    (await client.query(statement, values)).rows as Row[];

interface Function {
  readonly name: string;
  readonly definition: string;
  readonly body: string;
}

interface ShardTables {
  readonly shardId: string;
  readonly low: number;
  readonly high: number;
  /** The names of its tables by those of the tables. */
  readonly tables: Readonly<Record<string, string>>;
}

/** The copies of one shard. */
interface Copies {
  readonly schema: string;
  readonly statements: readonly string[];
  /** Is the comment of the schema. */
  readonly digest: string;
}

/**
 * Makes the copies that are missing or older than the functions, on each server, and removes those of shards that were split.
 * @param client connected to the coordinator as the owner of the functions
 * @param ownerUrl its address
 * @param roles may call the copies
 * @returns what was done, a line for each server
 */
export async function copyFunctions(client: pg.Client, ownerUrl: string, roles: readonly string[]): Promise<string[]> {
  const ask = askWith(client);
  const copies = await writeCopies(ask);
  const servers = await ask<{ host: string; port: number }>(SERVERS);
  const done: string[] = [];
  for (const { host, port } of servers) {
    const made = await copyTo(readDatabaseUrl(ownerUrl).withHost({ name: host, port }), copies, roles);
    if (made > 0) {
      done.push(`${host}:${port}: functions of ${made} shards`);
    }
  }
  return done;
}

/** The copies as they should be. */
async function writeCopies(ask: Ask): Promise<Copies[]> {
  const functions = await readClosure(ask);
  const shards = await ask<ShardTables>(SHARD_TABLES, [FIRST_TABLE]);
  return shards.map((shard) => {
    const schema = schemaOfShard(shard.shardId);
    const statements = [guardOf(schema, shard), ...functions.map((one) => copyOf(one, schema, shard.tables))];
    const digest = createHash('sha256').update(statements.join('\n')).digest('hex');
    return { schema, statements, digest };
  });
}

const SERVERS = `select nodename as host, nodeport as port from pg_dist_node
  where isactive and noderole = 'primary' and groupid <> 0 order by nodeid`;

const SHARD_TABLES = `
  select first.shardid::text as "shardId", first.shardminvalue::int as low, first.shardmaxvalue::int as high,
    json_object_agg(replace(own.logicalrelid::text, 'public.', ''), replace(shard_name(own.logicalrelid, own.shardid), 'public.', '')) as tables
  from pg_dist_shard first
    join pg_dist_partition placed on placed.logicalrelid = first.logicalrelid
    join pg_dist_partition part on part.partmethod = 'n' or part.colocationid = placed.colocationid
    join pg_dist_shard own on own.logicalrelid = part.logicalrelid
      and (own.shardminvalue is null or own.shardminvalue = first.shardminvalue)
  where first.logicalrelid = $1::regclass group by 1, 2, 3 order by 1`;

/** The functions that are called straight, and all that they call. */
async function readClosure(ask: Ask): Promise<Function[]> {
  const rows = await ask<Function>(
    `select proname as name, pg_get_functiondef(oid) as definition, prosrc as body from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f' and prolang in (select oid from pg_language where lanname in ('sql', 'plpgsql'))
       and prorettype <> 'trigger'::regtype and proname <> $1 order by oid`,
    [STAYS],
  );
  const needed = new Set(Object.keys(ENTRIES));
  // a set is walked in the order in which it grows
  for (const name of needed) {
    for (const { body } of rows.filter((row) => row.name === name)) {
      for (const called of rows.filter((row) => new RegExp(`\\b${row.name}\\(`).test(body))) {
        needed.add(called.name);
      }
    }
  }
  return rows.filter(({ name }) => needed.has(name));
}

/**
 * The first statement of a copy. It takes the lock that a move of the shard waits for, until the call has ended. Then it refuses with 40001
 * what another server has. It runs with the rights of the owner, who alone may take that lock.
 */
function guardOf(schema: string, { shardId, low, high }: ShardTables): string {
  return `create function ${schema}.verify_place(p_operator_ids text[]) returns void
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $guard$
    begin
      perform lock_shard_metadata(5, array[${shardId}]);
      if not exists (select from pg_dist_placement placement
          where placement.shardid = ${shardId} and placement.groupid = (select here.groupid from pg_dist_local_group here)) then
        raise exception 'another server has the shard ${shardId}' using errcode = '40001';
      end if;
      if exists (select from unnest(p_operator_ids) operator_id where worker_hash(operator_id) not between ${low} and ${high}) then
        raise exception 'another shard has an operator of the call' using errcode = '40001';
      end if;
    end $guard$`;
}

/** The text of a function for one shard. */
function copyOf({ name, definition, body }: Function, schema: string, tables: ShardTables['tables']): string {
  const operators = ENTRIES[name];
  const guarded =
    operators === undefined ? body : body.replace(/^begin$/m, `begin\n  perform verify_place(${operators});`);
  const own = Object.entries(tables).reduce(
    (text, [table, shard]) =>
      text.replaceAll(new RegExp(`\\b(from|join|into|update)(\\s+)${table}\\b(?!\\()`, 'g'), `$1$2${shard}`),
    guarded,
  );
  const head = definition.slice(0, definition.indexOf('\nAS ')).replace('FUNCTION public.', `FUNCTION ${schema}.`);
  const settings =
    operators === undefined
      ? ''
      : `\n set search_path = ${schema}, public set plan_cache_mode = force_generic_plan set citus.enable_manual_changes_to_shards = on`;
  return `${head}${settings}\nas $copy$${own}$copy$`;
}

/** @returns how many shards had no copies of this text */
async function copyTo(url: string, copies: readonly Copies[], roles: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'inlay-migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('set citus.enable_ddl_propagation = off');
    // the tables of a shard are on one server alone
    await client.query('set check_function_bodies = off');
    const known = await readDigests(client);
    const missing = copies.filter(({ schema, digest }) => known.get(schema) !== digest);
    for (const { schema, statements, digest } of missing) {
      await client.query('begin');
      await client.query(`drop schema if exists ${schema} cascade`);
      await client.query(`create schema ${schema}`);
      for (const statement of statements) {
        await client.query(statement);
      }
      for (const role of roles) {
        await client.query(`grant usage on schema ${schema} to ${client.escapeIdentifier(role)}`);
      }
      await client.query(`comment on schema ${schema} is '${digest}'`);
      await client.query('commit');
    }
    for (const schema of known.keys().filter((name) => !copies.some((one) => one.schema === name))) {
      await client.query(`drop schema ${schema} cascade`);
    }
    return missing.length;
  } catch (error) {
    throw new MigrationError(`the functions of a shard: ${firstLine(error)}`, {
      cause: error,
    });
  } finally {
    await client.end();
  }
}

/** The digests of the copies that a server has, by their schemas. */
const DIGESTS = `select nspname as schema, coalesce(obj_description(oid, 'pg_namespace'), '') as digest from pg_namespace
  where nspname ~ '^shard_[0-9]+$'`;

async function readDigests(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ schema: string; digest: string }>(DIGESTS);
  return new Map(rows.map(({ schema, digest }) => [schema, digest]));
}

/** @returns the servers whose copies are not those of the functions, each with what is wrong */
export async function compareCopies(ask: Ask): Promise<string[]> {
  const wanted = (await writeCopies(ask)).map(({ schema, digest }) => `${schema} ${digest}`);
  const rows = await ask<{ server: string; success: boolean; result: string }>(
    `select node.nodename || ':' || node.nodeport as server, answer.success, answer.result
     from run_command_on_workers($1) answer join pg_dist_node node on node.nodename = answer.nodename and node.nodeport = answer.nodeport order by 1`,
    [`select coalesce(string_agg(schema || ' ' || digest, ',' order by schema), '') from (${DIGESTS}) known`],
  );
  return rows.flatMap(({ server, success, result }) => {
    if (!success) {
      return [`${server} does not answer: ${result}`];
    }
    const missing = wanted.filter((one) => !result.split(',').includes(one));
    return missing.length === 0 ? [] : [`${server} has no copies of this release for ${missing.length} shards`];
  });
}
