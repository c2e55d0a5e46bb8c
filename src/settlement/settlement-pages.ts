/** Pages of the settlements register (contract 16.8), and the deprecated list. */
import { decodeRegisterCursor, encodeRegisterCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { readMoment, readMomentParameter } from '../core/moment.ts';
import type { Sql } from '../db/client.ts';
import type { LatestSettlements, SettledPositionsPage, SettlementPage } from '../wire/reconciliation/settlement.ts';
import { renderSettlement, type SettlementRow } from './settlement.ts';
import { findEnd, isKnownCustomer, listLatestSettlements, listSettledSince, listSettlements } from './settlements.ts';

export interface SettlementPageRequest {
  readonly externalUserId?: string | undefined;
  readonly outcome?: string | undefined;
  readonly settledFrom?: string | undefined;
  readonly settledTo?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const purposeOf = (operatorId: string): string => `settlements:${operatorId}`;

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

/** Pages by `settledAt` only. A page includes all settlements of its last moment, so that none is skipped. */
export async function pageSettledPositions(
  sql: Sql,
  operatorId: string,
  request: {
    readonly externalUserId?: string | undefined;
    readonly since?: string | undefined;
    readonly limit: number;
  },
): Promise<SettledPositionsPage> {
  const since = request.since === undefined ? null : readMoment(request.since);
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

function render(operatorId: string, epoch: number, row: SettlementRow) {
  return renderSettlement(row, encodeRegisterCursor(purposeOf(operatorId), { sequence: row.sequence, epoch }));
}

async function requireKnown(sql: Sql, operatorId: string, externalUserId: string | undefined): Promise<void> {
  if (externalUserId !== undefined && !(await isKnownCustomer(sql, operatorId, externalUserId))) {
    throw refuse('unknown_user');
  }
}
