/** What must hold before an operator moves. Every check names what would have to change. */
import { refuse } from '../../../core/errors.ts';
import type { HostedClient } from '../../../db/pg-client.ts';

export interface MovingOperator {
  readonly leaderId: string;
  readonly slug: string;
  /** The operator, and its children if it is an aggregator. */
  readonly operatorIds: readonly string[];
}

/**
 * @param reference slug or id
 * @throws `unknown_operator`; `invalid_request` for a child, which stays with its parent
 */
export async function findMovingOperator(source: HostedClient, reference: string): Promise<MovingOperator> {
  const { rows } = await source.query<{ id: string; slug: string; parentId: string | null; ids: string[] }>(
    `select o.operator_id as id, o.slug, o.parent_id as "parentId",
       array(select c.operator_id::text from operators c where c.operator_id = o.operator_id or c.parent_id = o.operator_id
             order by c.parent_id nulls first, c.operator_id) as ids
     from operators o where o.slug = $1 or o.operator_id = $1 order by o.slug = $1 desc limit 1`,
    [reference],
  );
  const [row] = rows;
  if (row === undefined) {
    throw refuse('unknown_operator');
  }
  if (row.parentId !== null) {
    throw refuse('invalid_request', `${row.slug} belongs to an aggregator. Move the aggregator; its children follow.`);
  }
  return { leaderId: row.id, slug: row.slug, operatorIds: row.ids };
}

/** @throws `invalid_request` with what prevents the move */
export async function expectMovable(
  source: HostedClient,
  target: HostedClient,
  { operatorIds }: MovingOperator,
): Promise<void> {
  for (const [name, query] of [
    ['schema', `select value::text as answer from settings where name = 'schema'`],
    ['epoch of the books', 'select epoch::text as answer from books'],
  ] as const) {
    if ((await one(source, query)) !== (await one(target, query))) {
      throw refuse('invalid_request', `The ${name} of the two cells differs.`);
    }
  }
  const taken = await one(
    target,
    `select string_agg(o.slug, ', ') as answer from operators o where (o.slug = any ($2) and o.operator_id <> all ($1))
       or (o.operator_id = any ($1) and not exists (select from operator_moves m where m.operator_id = o.operator_id))`,
    [operatorIds, await slugsOf(source, operatorIds)],
  );
  if (taken !== null) {
    throw refuse('operator_exists', `The other cell has an operator ${String(taken)} already.`);
  }
  await expectSameContracts(source, target, operatorIds);
}

/**
 * Contracts that the operators hold, trade or were paid for must be in the other cell's catalogue with the same result:
 * settlement continues there.
 */
export async function expectSameContracts(
  source: HostedClient,
  target: HostedClient,
  operatorIds: readonly string[],
): Promise<void> {
  const { rows } = await source.query<{ contract: string }>(
    `select json_build_array(c.contract_id, c.resolution, c.split_yes_micros, c.resolution_version)::text as contract
     from contracts c where c.contract_id in (
       select contract_id from positions where operator_id = any ($1) and status = 'open'
       union select contract_id from settlements where operator_id = any ($1) and resolution_version is not null
       union select contract_id from orders where operator_id = any ($1)
         and status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending'))
     order by c.contract_id`,
    [operatorIds],
  );
  const missing = await one(
    target,
    `select wanted.contract::json ->> 0 as answer from unnest($1::text[]) wanted (contract)
     where not exists (select from contracts c where c.contract_id = wanted.contract::json ->> 0
       and json_build_array(c.contract_id, c.resolution, c.split_yes_micros, c.resolution_version)::text = wanted.contract)
     limit 1`,
    [rows.map(({ contract }) => contract)],
  );
  if (missing !== undefined) {
    throw refuse('invalid_request', `${String(missing)} is missing in the other cell, or has another result there.`);
  }
}

async function slugsOf(source: HostedClient, operatorIds: readonly string[]): Promise<string[]> {
  const { rows } = await source.query<{ slug: string }>('select slug from operators where operator_id = any ($1)', [
    operatorIds,
  ]);
  return rows.map(({ slug }) => slug);
}

async function one(client: HostedClient, query: string, values: readonly unknown[] = []): Promise<unknown> {
  const { rows } = await client.query<{ answer: unknown }>(query, [...values]);
  return rows[0]?.answer;
}
