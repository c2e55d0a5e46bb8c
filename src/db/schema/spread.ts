/**
 * The last step of a migration on a database with Citus: spreads the operators' rows over its workers (docs/scale.md). It is repeatable and
 * does only the missing steps. Without the extension, or without a worker, it does nothing.
 */
import type pg from 'pg';
import { SPREAD } from '../by-operator.ts';
import { HostedClient } from '../pg-client.ts';
import { FIRST_TABLE } from '../shards.ts';
import { MigrationError } from './apply-functions.ts';
import { askWith, compareCopies, copyFunctions } from './shard-copies.ts';

/** Whether there are workers, and the database of this schema is not spread over them yet or a worker has other copies of its functions. */
export async function waitsToBeSpread(client: pg.Client): Promise<boolean> {
  if ((await countWorkers(client)) === 0) {
    return false;
  }
  const { rowCount } = await client.query('select from settings where name = $1', [SPREAD]);
  return rowCount === 0 || (await compareCopies(askWith(client))).length > 0;
}

/**
 * @param ownerUrl the address of the coordinator as the owner of the tables
 * @param roles may call the functions
 * @returns the steps that it took, a line each
 */
export async function spreadOverServers(
  client: pg.Client,
  ownerUrl: string,
  roles: readonly string[],
): Promise<string[]> {
  const workers = await countWorkers(client);
  if (workers === 0) {
    return [];
  }
  await client.query('begin');
  try {
    // Triggers of spread tables read rows of the same operator and no others; every server has this setting (inlay doctor).
    await client.query('set local citus.enable_unsafe_triggers = on');
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    // a call is for one shard: the fewer there are, the more orders it carries (docs/scale.md)
    await client.query(`set local citus.shard_count = ${SHARDS_OF_A_WORKER * workers}`);
    const done = [...(await placeTables(client)), ...(await freePlans(client))];
    await client.query('commit');
    await grantSequences(client);
    await client.query(
      `insert into settings (name, value) select $1, to_jsonb(extversion) from pg_extension where extname = 'citus'
       on conflict (name) do update set value = excluded.value, updated_at = now()`,
      [SPREAD],
    );
    return [...done, ...(await copyFunctions(client, ownerUrl, roles))];
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** At the first migration; `splitShards` makes more of them. */
const SHARDS_OF_A_WORKER = 2;

/** @returns 0 without the extension */
async function countWorkers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ installed: boolean }>(
    `select exists (select 1 from pg_extension where extname = 'citus') as installed`,
  );
  if (rows[0]?.installed !== true) {
    return 0;
  }
  const nodes = await client.query<{ workers: number }>(
    `select count(*)::int as workers from pg_dist_node where isactive and noderole = 'primary' and groupid <> 0`,
  );
  return nodes.rows[0]?.workers ?? 0;
}

/**
 * Splits each shard of the operators' rows in two, both on the server that has it, and copies the functions for the new ones. Writes to a shard
 * wait meanwhile, some seconds each.
 * @param ownerUrl the address of the coordinator as the owner of the tables
 * @param roles may call the functions
 * @returns what was done, a line each; nothing if operators are not spread over servers
 * @throws Error of the database if a split fails; what was split before stays, and a repetition would split it again
 */
export async function splitShards(ownerUrl: string, roles: readonly string[]): Promise<string[]> {
  const client = new HostedClient({ connectionString: ownerUrl, application_name: 'inlay-migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await splitEach(client, ownerUrl, roles);
  } finally {
    await client.end();
  }
}

async function splitEach(client: pg.Client, ownerUrl: string, roles: readonly string[]): Promise<string[]> {
  if ((await countWorkers(client)) === 0) {
    return [];
  }
  const { rows } = await client.query<{ shardId: string; middle: string; node: number }>(
    `select shard.shardid::text as "shardId", ((shard.shardminvalue::bigint + shard.shardmaxvalue::bigint) / 2)::text as middle, node.nodeid as node
     from pg_dist_shard shard join pg_dist_placement placement using (shardid)
       join pg_dist_node node on node.groupid = placement.groupid and node.noderole = 'primary'
     where shard.logicalrelid = $1::regclass order by shard.shardid`,
    [FIRST_TABLE],
  );
  const done: string[] = [];
  for (const { shardId, middle, node } of rows) {
    await client.query(
      `select citus_split_shard_by_split_points($1, array[$2], array[$3::integer, $3::integer], 'block_writes')`,
      [shardId, middle, node],
    );
    // until then, calls for its operators are refused and repeated
    done.push(`shard ${shardId}: split in two`, ...(await copyFunctions(client, ownerUrl, roles)));
  }
  return done;
}

async function placeTables(client: pg.Client): Promise<string[]> {
  const placed = await client.query<{ name: string }>(
    `select replace(logicalrelid::text, 'public.', '') as name from pg_dist_partition where partmethod in ('h', 'n')`,
  );
  const known = new Set(placed.rows.map(({ name }) => name));
  const { rows } = await client.query<{ name: string }>(SPREAD_TABLES, [[...EVERYWHERE, ...OF_THE_SERVICE]]);
  const everywhere = EVERYWHERE.filter((name) => !known.has(name));
  const byOperator = rows.map(({ name }) => name).filter((name) => !known.has(name));
  const keys = await takeForeignKeys(client, [...everywhere, ...byOperator]);
  for (const table of everywhere) {
    await client.query('select create_reference_table($1)', [table]);
  }
  for (const table of byOperator) {
    await client.query(`select create_distributed_table($1, 'operator_id', colocate_with => $2)`, [
      table,
      table === FIRST_TABLE ? 'none' : FIRST_TABLE,
    ]);
  }
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${client.escapeIdentifier(name)} ${definition}`);
  }
  return [
    ...everywhere.map((table) => `${table}: whole on every server`),
    ...byOperator.map((table) => `${table}: spread by operator`),
  ];
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Takes the foreign keys of and to these tables away while they are placed. With them Citus would place the tables around each one as
 * well, under another identity, and drop the functions and views that use them.
 */
async function takeForeignKeys(client: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select k.conrelid::regclass::text as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k
     where k.contype = 'f' and k.conparentid = 0 and (k.conrelid = any ($1::regclass[]) or k.confrelid = any ($1::regclass[]))
     order by k.oid`,
    [tables],
  );
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${client.escapeIdentifier(name)}`);
  }
  return rows;
}

/** The server of the rows is known only with the operator, so each call gets its own plan. */
async function freePlans(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = 'public'::regnamespace and 'plan_cache_mode=force_generic_plan' = any (proconfig) order by 1`,
  );
  for (const { signature } of rows) {
    await client.query(`alter function ${signature} reset plan_cache_mode`);
  }
  return rows.map(({ signature }) => `${signature}: planned for each call`);
}

/** Citus creates sequences on the workers without rights, so roles that may insert rows get the rights to the sequence. */
async function grantSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sequence: string; role: string }>(
    `select numbers.objid::regclass::text as sequence, granted.grantee::regrole::text as role
     from pg_depend numbers join pg_class own on own.oid = numbers.refobjid join pg_class c on c.oid = numbers.objid and c.relkind = 'S'
       cross join lateral aclexplode(own.relacl) granted
       join pg_dist_partition placed on placed.logicalrelid = own.oid and placed.partmethod = 'h'
     where numbers.classid = 'pg_class'::regclass and numbers.deptype = 'i'
       and granted.privilege_type = 'INSERT' and granted.grantee <> own.relowner order by 1, 2`,
  );
  for (const { sequence, role } of rows) {
    const answers = await client.query<{ success: boolean; result: string }>(
      'select success, result from run_command_on_workers($1)',
      [`grant usage, select on sequence ${sequence} to ${role}`],
    );
    const failed = answers.rows.find(({ success }) => !success);
    if (failed !== undefined) {
      throw new MigrationError(`rights to ${sequence} on a worker: ${failed.result}`);
    }
  }
}

/** Tables that are whole on every server, because they are read beside an operator's rows and seldom written. */
export const EVERYWHERE: readonly string[] = ['books', 'operators', 'order_transitions'];

/**
 * Tables that stay on the coordinator although their key begins with an operator: they are read before the operator is
 * known, or their rows may have none.
 */
export const OF_THE_SERVICE: readonly string[] = [
  'api_keys',
  'api_key_uses',
  'reconciliation_reports',
  'venue_findings',
];

/** All other tables whose primary key begins with the operator ($1 names those that are not spread), the first of them first. */
export const SPREAD_TABLES = `
  select case c.relnamespace when 'audit'::regnamespace then 'audit.' else '' end || c.relname as name
  from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'operator_id'
  where c.relnamespace in ('public'::regnamespace, 'audit'::regnamespace) and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all ($1)
  order by c.relname <> '${FIRST_TABLE}', 1`;
