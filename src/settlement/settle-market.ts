/**
 * Settles every open position of resolved contracts, and reports resolutions that changed after they were paid. There is one statement
 * per batch of one operator, and several operators are settled at the same time. Any number of processes may run it, and a position
 * settles once.
 */
import { newDigits } from '../core/ids.ts';
import { among, readOfAll } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { isDatabaseAway } from '../db/database-errors.ts';
import { JOURNAL_ENTRY } from '../ledger/journal-row.ts';
import type { ResolutionChange } from '../ledger/render/events.ts';
import { countItems } from '../ledger/render/items.ts';
import { type OpenPosition, paymentOf, type Result, settlePositions } from './settle-positions.ts';

/** An open position of a contract that has a result. */
type Unsettled = OpenPosition & Result;

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
  const failures: unknown[] = [];
  let last: Unsettled | undefined;
  do {
    const unsettled = await listUnsettled(sql, { contractId, days, after: last }, READ_AHEAD);
    const counts = await inTurns(byOperator(unsettled), (batches) => settleInOrder(sql, batches, failures));
    settled += counts.reduce((sum, count) => sum + count, 0);
    last = unsettled.length < READ_AHEAD ? undefined : unsettled.at(-1);
  } while (last !== undefined);
  if (failures.length > 0) {
    throw new SettlementFailure(settled, failures[0]);
  }
  return settled;
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

const DECISIONS = 4;

/**
 * Pays positions of one operator. Those that have changed since they were read are read and decided again.
 * @returns how many were paid
 */
export async function settleBatch(sql: Sql, batch: readonly Unsettled[]): Promise<number> {
  let [left, paid] = [batch, 0];
  for (let decision = 0; left.length > 0 && decision < DECISIONS; decision += 1) {
    const operatorId = left[0]?.operatorId ?? '';
    const payments = left.map((position) => paymentOf(position, position));
    const positionIds = await settlePositions(sql, operatorId, payments);
    paid += left.length - positionIds.length;
    left =
      positionIds.length === 0
        ? []
        : await listUnsettled(sql, { positions: { operatorId, positionIds } }, positionIds.length);
  }
  return paid;
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
    raised += await raiseChangesOf(sql, contract);
  }
  return raised;
}

/** A version of a resolution that was not reported to an operator who was settled at an earlier one (`unreported_resolutions` in SQL). */
interface UnreportedResolution {
  readonly operatorId: string;
  readonly version: number;
  /** The key of both results. */
  readonly pair: string;
  /** How often it was reported to the operator before. */
  readonly told: number;
  readonly settled: string;
  readonly current: string | null;
  readonly positionIds: readonly string[];
}

/** Another process may report the same meanwhile, and the second report of a pair is numbered after the first: then it is decided again. */
async function raiseChangesOf(sql: Sql, contractId: string): Promise<number> {
  let raised = 0;
  for (;;) {
    const changes = await sql<UnreportedResolution[]>`select * from unreported_resolutions(${contractId})`;
    let round = 0;
    for (const change of changes) {
      const [row] = await sql<[{ raised: boolean }]>`
        select raise_resolution_change(${contractId}, ${change.told},
          (${JOURNAL_ENTRY.toArray([changeEntry(contractId, change)])}::text::journal_row[])[1]) as raised`;
      round += row.raised ? 1 : 0;
    }
    raised += round;
    if (round === 0) {
      return raised;
    }
  }
}

function changeEntry(contractId: string, change: UnreportedResolution) {
  const { operatorId, version, pair, told, settled, current, positionIds } = change;
  const detail: ResolutionChange = {
    dedupeKey: told === 0 ? pair : `${pair}:${told + 1}`,
    settledResolution: settled,
    currentResolution: current,
    affectedPositionIds: positionIds,
  };
  const row = {
    operatorId,
    kind: 'resolution_changed',
    digits: newDigits(),
    contractId,
    resolutionVersion: version,
    detail,
  } as const;
  return { ...row, items: countItems(row) };
}

/** Which positions are listed: those of a contract, or of all contracts that resolved in the last `days`, or of these ids. */
interface UnsettledFilter {
  readonly contractId?: string | null;
  readonly days?: number;
  readonly positions?: { readonly operatorId: string; readonly positionIds: readonly string[] };
  /** The last position of the page before. */
  readonly after?: Unsettled | undefined;
}

/**
 * Open positions whose contract has resolved, in the order of operators, customers and positions. Excludes positions with contracts in a
 * sell that may be at a venue, and positions whose venue fee is not known yet.
 */
export async function listUnsettled(
  sql: Sql,
  { contractId = null, days = ALL_DAYS, positions, after }: UnsettledFilter,
  limit: number,
): Promise<Unsettled[]> {
  const last =
    after &&
    sql`and (p.operator_id, p.external_user_id, p.position_id)
      > (${after.operatorId}, ${after.externalUserId}, ${after.positionId})`;
  const unsettled = await readOfAll(
    sql,
    (operators) => sql<Unsettled[]>`
    with resolved as materialized (
      select c.contract_id, c.resolution, c.split_yes_micros, c.resolution_version from contracts c where c.resolution is not null
        and ${contractId === null ? sql`c.resolved_at > now() - make_interval(days => ${days})` : sql`c.contract_id = ${contractId}`}
    )
    select p.operator_id, p.position_id, p.external_user_id, p.contract_id, o.mode, p.side, p.simulated, p.quantity_micros, p.cost_basis_minor,
      p.entry_fees_minor, p.realised_pnl_minor, p.version, c.resolution, c.split_yes_micros, c.resolution_version
    from resolved c join positions p on p.contract_id = c.contract_id and p.status = 'open' and p.held_quantity_micros = 0
      join operators o using (operator_id)
    where (p.simulated or not exists (select 1 from orders r where r.operator_id = p.operator_id
      ${among(sql, sql`r.operator_id`, operators)}
      and r.position_id = p.position_id and is_reading_fee(r.status, r.transmission_state)))
      ${positions === undefined ? sql`` : sql`and p.operator_id = ${positions.operatorId} and p.position_id = any (${[...positions.positionIds]}::text[])`}
      ${last ?? sql``} ${among(sql, sql`p.operator_id`, operators)}
    order by p.operator_id, p.external_user_id, p.position_id limit ${limit}`,
  );
  return unsettled.length < limit ? unsettled : inOrder(unsettled).slice(0, limit);
}

/** The order of the statement, by bytes, in which the pages of several servers are one. */
function inOrder(unsettled: readonly Unsettled[]): Unsettled[] {
  const keyed = unsettled.map((position) => {
    const { operatorId, externalUserId, positionId } = position;
    return { position, key: Buffer.from([operatorId, externalUserId, positionId].join('\0')) };
  });
  return keyed.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ position }) => position);
}

/** Contracts whose resolution got a new version in the last `days`, after positions were paid at an earlier one. */
async function listRevised(sql: Sql, days: number): Promise<string[]> {
  const rows = await sql<{ contractId: string }[]>`
    with revised as materialized (
      select r.contract_id, max(r.version) as version from contract_resolutions r
      where r.recorded_at > now() - make_interval(days => ${days}) and r.version > 1 group by 1
    )
    select distinct r.contract_id from revised r
      join journal s on s.contract_id = r.contract_id and s.kind = 'position_settled' and s.resolution_version < r.version`;
  return rows.map((row) => row.contractId);
}
