/** The positions list: one page, newest first (contract chapter 15). */
import { decodeId, encodeCursor } from '../../core/cursor.ts';
import type { Sql } from '../../db/client.ts';
import type { PositionPage } from '../../wire/position.ts';
import { renderPosition } from './position.ts';
import { listPositions } from './positions.ts';

export interface PositionPageRequest {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** @throws invalid_cursor for a cursor that is malformed, of another operator or of another listing. */
export async function pagePositions(sql: Sql, operatorId: string, request: PositionPageRequest): Promise<PositionPage> {
  const purpose = `positions:${operatorId}`;
  const rows = await listPositions(sql, operatorId, {
    externalUserId: request.externalUserId,
    status: request.status,
    before: request.cursor === undefined ? undefined : decodeId(purpose, request.cursor, 'pos'),
    limit: request.limit,
  });
  const page = rows.slice(0, request.limit);
  const last = page.at(-1);
  const hasMore = rows.length > request.limit;
  return {
    positions: page.map(renderPosition),
    count: page.length,
    nextCursor: hasMore && last !== undefined ? encodeCursor(purpose, [last.positionId]) : null,
    hasMore,
  };
}
