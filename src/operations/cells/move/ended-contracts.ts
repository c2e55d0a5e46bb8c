/**
 * Contracts that ended before the other cell began to follow their venue: it has never read them, and their result does not change
 * any more. They go with the operators that traded them, so that past orders and settlements keep what they name.
 */
import { copyBetween } from '../../../db/copy-between.ts';
import type { HostedClient } from '../../../db/pg-client.ts';
import type { MovingRows } from './copy-rows.ts';

interface Part {
  readonly table: string;
  /** Rows of the contracts in `%IDS%`. */
  readonly filter: string;
  /** What is different in the other cell; `$1` is its next revision. */
  readonly changes: string;
}

/** In an order in which rows can be inserted. A match with another contract was made by a person of the old cell. */
const PARTS: readonly Part[] = [
  {
    table: 'events',
    filter: 'event_id in (select event_id from contracts where contract_id = any (%IDS%))',
    changes: `revision = $1, slug = case when exists (select from events other
      where other.slug = staged.slug and other.event_id <> staged.event_id)
      then staged.slug || '-' || substr(staged.event_id, 5, 8) else staged.slug end`,
  },
  { table: 'contracts', filter: 'contract_id = any (%IDS%)', changes: 'revision = $1, group_key = null' },
  { table: 'contract_resolutions', filter: 'contract_id = any (%IDS%)', changes: 'applied = staged.applied' },
  { table: 'listings', filter: 'contract_id = any (%IDS%)', changes: 'revision = $1' },
];

/** @returns how many contracts were copied */
export async function copyEndedContracts({ source, target, operatorIds }: MovingRows): Promise<number> {
  const missing = await listMissing(source, target, operatorIds);
  if (missing.length === 0) {
    return 0;
  }
  const ids = `array[${missing.map((id) => source.escapeLiteral(id)).join(', ')}]`;
  await target.query('begin');
  const { rows } = await target.query<{ revision: string }>(
    'update board_revision set revision = revision + 1 returning revision::text',
  );
  for (const { table, filter, changes } of PARTS) {
    const columns = await columnsOf(source, table);
    await target.query(`create temporary table moving_${table} (like ${table}) on commit drop`);
    await copyBetween(
      source,
      `select ${columns} from ${table} where ${filter.replace('%IDS%', ids)}`,
      target,
      `moving_${table} (${columns})`,
    );
    await target.query(
      `update moving_${table} staged set ${changes.replace('$1', BigInt(rows[0]?.revision ?? 0).toString())}`,
    );
    await target.query(
      `insert into ${table} (${columns}) select ${columns} from moving_${table} on conflict do nothing`,
    );
  }
  await target.query('commit');
  return missing.length;
}

async function listMissing(
  source: HostedClient,
  target: HostedClient,
  operatorIds: readonly string[],
): Promise<string[]> {
  const { rows: ended } = await source.query<{ ids: string[] }>(
    `select array(select c.contract_id::text from contracts c where c.resolution is not null and c.contract_id in (
       select contract_id from positions where operator_id = any ($1)
       union select contract_id from orders where operator_id = any ($1)
       union select contract_id from settlements where operator_id = any ($1))) as ids`,
    [operatorIds],
  );
  const { rows: missing } = await target.query<{ ids: string[] }>(
    'select array(select id from unnest($1::text[]) id where not exists (select from contracts c where c.contract_id = id)) as ids',
    [ended[0]?.ids ?? []],
  );
  return missing[0]?.ids ?? [];
}

async function columnsOf(client: HostedClient, table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(attname, ', ' order by attnum) as names from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.names ?? '';
}
