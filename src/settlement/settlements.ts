/** Reads the register of settlements: its pages, the deprecated list, and a customer's latest ones. Only settle_positions writes it. */
import { decodeRegisterCursor, encodeRegisterCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { readMomentOrOther, readMomentParameter } from '../core/moment.ts';
import type { Resolution, Side } from '../core/terms.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { settlementMoney } from '../money/blocks.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { LatestSettlements, SettledPositionsPage, Settlement, SettlementPage } from '../wire/reconciliation.ts';

export interface SettlementPageRequest {
  readonly externalUserId?: string | undefined;
  readonly outcome?: string | undefined;
  readonly settledFrom?: string | undefined;
  readonly settledTo?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Oldest first. The cursor is the feed sequence of the last settlement, also at the end, where it serves as a
 * watermark.
 * @throws invalid_cursor, invalid_date, unknown_user; cursor_ahead if the books were restored to a point before the
 * cursor
 */
export async function pageSettlements(
  sql: Sql,
  operatorId: string,
  request: SettlementPageRequest,
): Promise<SettlementPage> {
  const purpose = purposeOf(operatorId);
  const from = request.cursor === undefined ? null : decodeRegisterCursor(purpose, request.cursor);
  const settledFrom = readMomentParameter('settledFrom', request.settledFrom);
  const settledTo = readMomentParameter('settledTo', request.settledTo);
  await requireKnown(sql, operatorId, request.externalUserId);
  const { epoch, last } = await findEnd(sql, operatorId);
  if (from !== null && (from.epoch !== epoch || from.sequence > last)) {
    throw refuse('cursor_ahead', undefined, { lastSequence: Number(last), epoch });
  }
  const after = from?.sequence ?? 0n;
  const { externalUserId, outcome, limit } = request;
  const rows = await listSettlements(sql, operatorId, {
    externalUserId,
    outcome,
    settledFrom,
    settledTo,
    after,
    limit,
  });
  const page = rows.slice(0, limit);
  return {
    settlements: page.map((row) => render(operatorId, epoch, row)),
    count: page.length,
    nextCursor: encodeRegisterCursor(purpose, { sequence: page.at(-1)?.sequence ?? after, epoch }),
    hasMore: rows.length > limit,
  };
}

/** The deprecated list, which is paged by `settledAt` only. A page includes all settlements of its last moment, so that none is skipped. */
export async function pageSettledPositions(
  sql: Sql,
  operatorId: string,
  request: {
    readonly externalUserId?: string | undefined;
    readonly since?: string | undefined;
    readonly limit: number;
  },
): Promise<SettledPositionsPage> {
  const since = request.since === undefined ? null : readMomentOrOther('since', request.since);
  if (since === undefined) {
    throw refuse('invalid_cursor');
  }
  await requireKnown(sql, operatorId, request.externalUserId);
  const { externalUserId, limit } = request;
  const { epoch } = await findEnd(sql, operatorId);
  const rows = await listSettledSince(sql, operatorId, { since, externalUserId, limit });
  return {
    supersededBy: '/api/v1/settlements',
    settlements: rows.map((row) => render(operatorId, epoch, row)),
    count: rows.length,
    cursor: rows.at(-1)?.settledAt.toISOString() ?? request.since ?? null,
  };
}

/** The customer's latest settlements, newest first. Empty for a customer who is not known yet. */
export async function readLatestSettlements(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limit: number,
): Promise<LatestSettlements> {
  const { epoch } = await findEnd(sql, operatorId);
  const rows = await listLatestSettlements(sql, operatorId, externalUserId, limit);
  return { settlements: rows.map((row) => render(operatorId, epoch, row)), count: rows.length };
}

async function requireKnown(sql: Sql, operatorId: string, externalUserId: string | undefined): Promise<void> {
  if (externalUserId !== undefined && !(await isKnownCustomer(sql, operatorId, externalUserId))) {
    throw refuse('unknown_user');
  }
}

async function isKnownCustomer(sql: Sql, operatorId: string, externalUserId: string): Promise<boolean> {
  const rows = await asOperator(
    sql,
    operatorId,
    sql`select 1 as known from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  return rows.length > 0;
}

/** The end of the operator's books: the last feed sequence, and the epoch. */
async function findEnd(sql: Sql, operatorId: string): Promise<{ readonly last: bigint; readonly epoch: number }> {
  const [end] = await asOperator<{ last: bigint; epoch: number }[]>(
    sql,
    operatorId,
    sql`
    select coalesce(l.sequence, 0) as last, b.epoch
    from books b left join operator_ledgers l on l.operator_id = ${operatorId}`,
  );
  return end ?? { last: 0n, epoch: 1 };
}

/** A row of the register. It is written once and never changed. */
interface SettlementRow {
  readonly settlementId: string;
  readonly positionId: string;
  /** The sequence of its `position.settled` item, which is the register's cursor. */
  readonly sequence: bigint;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly side: Side;
  readonly resolution: Resolution;
  readonly outcome: 'won' | 'lost' | 'void';
  readonly quantity: bigint;
  readonly settlementCreditMinor: bigint;
  readonly voidCreditMinor: bigint;
  readonly realisedPnlMinor: bigint;
  readonly lifetimeRealisedPnlMinor: bigint;
  readonly simulated: boolean;
  readonly settledAt: Date;
}

interface SettlementFilter {
  readonly externalUserId?: string | undefined;
  readonly outcome?: string | undefined;
  readonly settledFrom?: Date | undefined;
  readonly settledTo?: Date | undefined;
  /** Only settlements after this feed sequence. */
  readonly after: bigint;
  readonly limit: number;
}

/** One page, oldest first, and one additional row if there is a next page. */
async function listSettlements(sql: Sql, operatorId: string, filter: SettlementFilter): Promise<SettlementRow[]> {
  const { externalUserId, outcome, settledFrom, settledTo } = filter;
  return asOperator<SettlementRow[]>(
    sql,
    operatorId,
    sql`
    select * from settlements
    where operator_id = ${operatorId} and sequence > ${filter.after}
      ${externalUserId === undefined ? sql`` : sql`and external_user_id = ${externalUserId}`}
      ${outcome === undefined ? sql`` : sql`and outcome = ${outcome}`}
      ${
        settledFrom === undefined
          ? sql``
          : sql`and sequence > ${await findPosition(sql, operatorId, settledFrom, `-${MARGIN}`)}
                and settled_at >= ${settledFrom}`
      }
      ${
        settledTo === undefined
          ? sql``
          : sql`and sequence <= ${await findPosition(sql, operatorId, settledTo, MARGIN)}
                and settled_at < ${settledTo}::timestamptz + interval '1 millisecond'`
      }
    order by sequence limit ${filter.limit + 1}`,
  );
}

/** Settlements after a time, and all that share the time of the last one, for the deprecated list. */
async function listSettledSince(
  sql: Sql,
  operatorId: string,
  request: { readonly since: Date | null; readonly externalUserId?: string | undefined; readonly limit: number },
): Promise<SettlementRow[]> {
  const { since, externalUserId } = request;
  return asOperator<SettlementRow[]>(
    sql,
    operatorId,
    sql`
    select * from settlements
    where operator_id = ${operatorId}
      ${externalUserId === undefined ? sql`` : sql`and external_user_id = ${externalUserId}`}
      ${
        since === null
          ? sql``
          : sql`and sequence > ${await findPosition(sql, operatorId, since, `-${MARGIN}`)}
                and settled_at >= ${since}::timestamptz + interval '1 millisecond'`
      }
    order by date_trunc('milliseconds', settled_at) fetch first ${request.limit} rows with ties`,
  );
}

function listLatestSettlements(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limit: number,
): Promise<SettlementRow[]> {
  return asOperator<SettlementRow[]>(
    sql,
    operatorId,
    sql`
    select * from settlements
    where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    order by sequence desc limit ${limit}`,
  );
}

/** A settlement is written shortly after its feed item, and only the time of the item is indexed. */
const MARGIN = '10 minutes';

/** The end of the operator's feed at a time. It is read on its own, because the servers of Citus that hold the rows cannot read it. */
async function findPosition(sql: Sql, operatorId: string, at: Date, margin: string): Promise<bigint> {
  const [found] = await asOperator<{ position: bigint }[]>(
    sql,
    operatorId,
    sql`select feed_position_at(${operatorId}, ${at}::timestamptz + ${margin}::interval) as position`,
  );
  return found?.position ?? 0n;
}

const purposeOf = (operatorId: string): string => `settlements:${operatorId}`;

function render(operatorId: string, epoch: number, row: SettlementRow) {
  return renderSettlement(row, encodeRegisterCursor(purposeOf(operatorId), { sequence: row.sequence, epoch }));
}

/**
 * A settlement on the wire (contract chapter 16).
 * @param cursor resumes the register right after this settlement
 */
function renderSettlement(row: SettlementRow, cursor: string): Settlement {
  return {
    id: row.settlementId,
    positionId: row.positionId,
    externalUserId: row.externalUserId,
    contractId: row.contractId,
    side: row.side,
    resolution: row.resolution,
    outcome: row.outcome,
    contracts: jsonNumber(row.quantity, MICRO_SCALE),
    realisedPnl: formatMinor(row.realisedPnlMinor),
    lifetimeRealisedPnl: formatMinor(row.lifetimeRealisedPnlMinor),
    settledAt: row.settledAt.toISOString(),
    operatorMoney: settlementMoney({
      settlementCreditMinor: row.settlementCreditMinor,
      voidCreditMinor: row.voidCreditMinor,
    }),
    cursor,
    simulated: row.simulated,
  };
}
