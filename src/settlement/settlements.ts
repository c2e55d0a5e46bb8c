/**
 * The register of settlements: its pages, the deprecated list, and a customer's latest ones. A settlement is a row of the journal, and the
 * register shows the rows of this kind by their place in the feed.
 */
import { decodeRegisterCursor, encodeRegisterCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { readMomentOrOther, readMomentParameter } from '../core/moment.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { type JournalFilter, readJournal, readJournalBackwards } from '../ledger/journal.ts';
import type { JournalRow } from '../ledger/journal-row.ts';
import { itemIdOf } from '../ledger/render/entry.ts';
import { settlementOf } from '../ledger/render/events.ts';
import { placeOfSettlement as placeOf } from '../ledger/render/items.ts';
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
  const filter = { externalUserId, outcome };
  const first = settledFrom === undefined ? 0n : await findPosition(sql, operatorId, settledFrom);
  const end = settledTo === undefined ? null : await findPosition(sql, operatorId, settledTo, MILLISECOND);
  const rows = await readSettlements(sql, operatorId, after > first ? after : first, limit + 1, filter);
  const within = end === null ? rows : rows.filter((row) => row.sequence <= end);
  const page = within.slice(0, limit).map((row) => render(operatorId, epoch, row));
  const newest = within.slice(0, limit).at(-1);
  return {
    settlements: page,
    count: page.length,
    nextCursor: encodeRegisterCursor(purpose, { sequence: newest === undefined ? after : placeOf(newest), epoch }),
    hasMore: within.length > limit,
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
  const first = since === null ? 0n : await findPosition(sql, operatorId, since, MILLISECOND);
  const rows = await readSettledSince(sql, operatorId, first, limit, { externalUserId });
  return {
    supersededBy: '/api/v1/settlements',
    settlements: rows.map((row) => render(operatorId, epoch, row)),
    count: rows.length,
    cursor: rows.at(-1)?.recordedAt.toISOString() ?? request.since ?? null,
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
  const rows = await readJournalBackwards(sql, operatorId, undefined, limit, { ...SETTLED, externalUserId });
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

const SETTLED = { kinds: ['position_settled'] } as const;

type SettlementFilter = Pick<JournalFilter, 'externalUserId' | 'outcome'>;

/** Settlements after a place in the feed, oldest first. */
async function readSettlements(
  sql: Sql,
  operatorId: string,
  after: bigint,
  limit: number,
  filter: SettlementFilter,
): Promise<JournalRow[]> {
  // the row of the place may have a later item, its event
  const rows = await readJournal(sql, operatorId, after, limit + 1, { ...SETTLED, ...filter });
  return rows.filter((row) => placeOf(row) > after).slice(0, limit);
}

/** Settlements after a place in the feed, and all that share the millisecond of the last one, for the deprecated list. */
async function readSettledSince(
  sql: Sql,
  operatorId: string,
  after: bigint,
  limit: number,
  filter: SettlementFilter,
): Promise<JournalRow[]> {
  const rows = await readSettlements(sql, operatorId, after, limit + 1, filter);
  const last = rows[limit - 1];
  const next = rows.at(-1);
  if (last === undefined || next === undefined || rows.length <= limit || last.recordedAt < next.recordedAt) {
    return rows.slice(0, limit);
  }
  const end = await findPosition(sql, operatorId, last.recordedAt, MILLISECOND);
  const rest = await readSettlements(sql, operatorId, placeOf(last), Number(end - placeOf(last)), filter);
  return [...rows.slice(0, limit), ...rest.filter((row) => placeOf(row) <= end)];
}

/** Times are shown to the millisecond. */
const MILLISECOND = '1 millisecond';

/** The end of the operator's feed at a time. It is read on its own, because the servers of Citus that hold the rows cannot read it. */
async function findPosition(sql: Sql, operatorId: string, at: Date, later = '0'): Promise<bigint> {
  const [found] = await asOperator<{ position: bigint }[]>(
    sql,
    operatorId,
    sql`select feed_position_at(${operatorId}, ${at}::timestamptz + ${later}::interval) as position`,
  );
  return found?.position ?? 0n;
}

const purposeOf = (operatorId: string): string => `settlements:${operatorId}`;

/** A settlement on the wire (contract chapter 16). Its cursor resumes the register right after it. */
function render(operatorId: string, epoch: number, row: JournalRow): Settlement {
  const { costBasisMinor, creditMinor, settlementCreditMinor, voidCreditMinor } = settlementOf(row);
  return {
    id: itemIdOf('stl', row),
    positionId: row.positionId ?? '',
    externalUserId: row.externalUserId ?? '',
    contractId: row.contractId ?? '',
    side: row.side ?? 'YES',
    resolution: row.resolution ?? 'VOID',
    outcome: row.outcome ?? 'void',
    contracts: jsonNumber(row.quantityMicros ?? 0n, MICRO_SCALE),
    realisedPnl: formatMinor(creditMinor - costBasisMinor),
    lifetimeRealisedPnl: formatMinor(row.lifetimePnlMinor ?? 0n),
    settledAt: row.recordedAt.toISOString(),
    operatorMoney: settlementMoney({ settlementCreditMinor, voidCreditMinor }),
    cursor: encodeRegisterCursor(purposeOf(operatorId), { sequence: placeOf(row), epoch }),
    simulated: row.simulated ?? false,
  };
}
