/**
 * Settles every open position of resolved contracts, and reports resolutions that changed after they were paid. There is one statement
 * per batch of one operator, and several operators are settled at the same time. Any number of processes may run it, and a position
 * settles once.
 */
import type { Sql } from '../db/client.ts';
import { isDatabaseAway } from '../db/database-errors.ts';

interface Unsettled {
  readonly operatorId: string;
  readonly positionId: string;
}

/** Number of positions. It limits how long one batch holds an operator's counter (docs/decisions.md). */
export const BATCH = 128;
const READ_AHEAD = 4000;
const SIDE_BY_SIDE = 3;
const ALL_DAYS = 36_500;

/**
 * @param contractId one contract, or null for all that resolved within `days`
 * @returns the number of positions that this call settled
 * @throws SettlementFailure with the first error, after everything else was settled
 */
export async function settleMarket(sql: Sql, contractId: string | null, days = ALL_DAYS): Promise<number> {
  let settled = 0;
  for (;;) {
    const unsettled = await listUnsettled(sql, contractId, days, READ_AHEAD);
    const failures: unknown[] = [];
    const counts = await inTurns(byOperator(unsettled), (batches) => settleInOrder(sql, batches, failures));
    const round = counts.reduce((sum, count) => sum + count, 0);
    settled += round;
    if (unsettled.length < READ_AHEAD || round === 0) {
      if (failures.length > 0) {
        throw new SettlementFailure(settled, failures[0]);
      }
      return settled;
    }
  }
}

/** Some positions could not be settled; all others were. */
export class SettlementFailure extends Error {
  override name = 'SettlementFailure';
  readonly settled: number;

  constructor(settled: number, cause: unknown) {
    super(`a position could not be settled: ${(cause as Error).message}`, { cause });
    this.settled = settled;
  }
}

/**
 * Positions of one operator. The statement reads the resolutions, and skips positions that changed since they were
 * listed.
 */
export async function settleBatch(sql: Sql, batch: readonly Unsettled[]): Promise<number> {
  const [first] = batch;
  if (first === undefined) {
    return 0;
  }
  const ids = batch.map((position) => position.positionId);
  const rows = await sql`
    select position_id from settle_positions(${first.operatorId}, ${ids}::text[])`;
  return rows.length;
}

/** Settles the batches of one operator in turn, because at once they would only queue for its counter, ahead of its orders. */
async function settleInOrder(sql: Sql, batches: readonly Unsettled[][], failures: unknown[]): Promise<number> {
  let settled = 0;
  for (const batch of batches) {
    settled += await settleInHalves(sql, batch, failures);
  }
  return settled;
}

/** Tries a batch that fails again in halves, so that a position that cannot be settled delays no other. */
async function settleInHalves(sql: Sql, batch: readonly Unsettled[], failures: unknown[]): Promise<number> {
  try {
    return await settleBatch(sql, batch);
  } catch (error) {
    // A database that is away would refuse the halves as well.
    if (batch.length <= 1 || isDatabaseAway(error)) {
      failures.push(error);
      return 0;
    }
    const middle = Math.ceil(batch.length / 2);
    const first = await settleInHalves(sql, batch.slice(0, middle), failures);
    return first + (await settleInHalves(sql, batch.slice(middle), failures));
  }
}

/** The batches, grouped by operator. */
function byOperator(unsettled: readonly Unsettled[]): Unsettled[][][] {
  return [...Map.groupBy(unsettled, (position) => position.operatorId).values()].map((positions) =>
    Array.from({ length: Math.ceil(positions.length / BATCH) }, (_, index) =>
      positions.slice(index * BATCH, (index + 1) * BATCH),
    ),
  );
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = items.values();
  const runners = Array.from({ length: SIDE_BY_SIDE }, async () => {
    for (const item of queue) {
      results.push(await work(item));
    }
  });
  await Promise.all(runners);
  return results;
}

/**
 * Reports contracts to operators whose resolution now differs from the one that was paid. Moves no money.
 *
 * @param contractId one contract, or null for all whose resolution changed within `days`
 * @returns the number of events
 */
export async function raiseResolutionChanges(sql: Sql, contractId: string | null, days = ALL_DAYS): Promise<number> {
  const contracts = contractId === null ? await listRevised(sql, days) : [contractId];
  let raised = 0;
  for (const contract of contracts) {
    const [row] = await sql<{ raised: number }[]>`select raise_resolution_changes(${contract}) as raised`;
    raised += row?.raised ?? 0;
  }
  return raised;
}

/**
 * Open positions whose contract has resolved. Excludes positions with contracts in a sell that may be at a venue, and positions
 * whose venue fee is not known yet.
 * @param contractId one contract, or null for all that resolved in the last `days`
 */
export function listUnsettled(sql: Sql, contractId: string | null, days: number, limit: number): Promise<Unsettled[]> {
  return sql<Unsettled[]>`
    with resolved as materialized (
      select c.contract_id from contracts c where c.resolution is not null
        and ${contractId === null ? sql`c.resolved_at > now() - make_interval(days => ${days})` : sql`c.contract_id = ${contractId}`}
    )
    select p.operator_id, p.position_id
    from resolved c join positions p on p.contract_id = c.contract_id and p.status = 'open' and p.held_quantity = 0
    -- rows that the statement skips are not read either, or enough of them would come before the rest
    where p.simulated or not exists (select 1 from orders r where r.operator_id = p.operator_id
      and r.position_id = p.position_id and is_reading_fee(r.status, r.transmission_state))
    order by p.operator_id, p.external_user_id, p.position_id limit ${limit}`;
}

/** Contracts whose resolution got a new version in the last `days`, after positions were paid at an earlier one. */
async function listRevised(sql: Sql, days: number): Promise<string[]> {
  const rows = await sql<{ contractId: string }[]>`
    with revised as materialized (
      select r.contract_id, max(r.version) as version from contract_resolutions r
      where r.recorded_at > now() - make_interval(days => ${days}) and r.version > 1 group by 1
    )
    select distinct r.contract_id from revised r
      join settlements s on s.contract_id = r.contract_id and s.resolution_version < r.version`;
  return rows.map((row) => row.contractId);
}
