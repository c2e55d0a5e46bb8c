/**
 * Reads the reconciliation feed a page at a time (contract 21.3). Reading consumes nothing.
 * Pages leave the database as text that is ready for the wire; nothing is parsed and written again on the way.
 */
import { decodeRegisterCursor, encodeRegisterCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { FEED_ITEM_TYPES } from '../core/fact.ts';
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';

export interface FeedRequest {
  readonly cursor?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly externalUserId?: string | undefined;
  /** 1 to 500. */
  readonly limit: number;
  /** Without a cursor: begin this many matching items before the end. */
  readonly last?: number | undefined;
}

/** What a feed cursor was minted for: the operator and the register, never the filters (contract 21.2). */
const purposeOf = (operatorId: string): string => `feed:${operatorId}`;

interface FeedPageRow {
  readonly knownUser: boolean;
  readonly items: string | null;
  readonly lastPosition: bigint | null;
  readonly more: boolean;
  /** The cursor is beyond the last item, or of another epoch of the books. */
  readonly ahead: boolean;
  readonly lastSequence: bigint;
  readonly epoch: number;
}

/**
 * @returns the page as JSON text: `items`, `nextCursor` (never null) and `hasMore`.
 * @throws invalid_type, invalid_cursor, unknown_user; cursor_ahead where the books were restored to before the cursor.
 */
export async function readFeed(sql: Sql, operatorId: string, request: FeedRequest): Promise<string> {
  const types = readTypes(request.types);
  const from = request.cursor === undefined ? null : decodeRegisterCursor(purposeOf(operatorId), request.cursor);
  const after = from?.sequence ?? (await positionBefore(sql, operatorId, types, request));
  const [page] = await asOperator<FeedPageRow[]>(
    sql,
    operatorId,
    sql`
    select known_user, items, last_position, more, ahead, last_sequence, epoch
    from read_feed(${operatorId}, ${after}, ${from?.epoch ?? null}, ${types}, ${request.externalUserId ?? null}, ${request.limit})`,
  );
  if (page === undefined || !page.knownUser) {
    throw refuse('unknown_user');
  }
  const { epoch } = page;
  if (page.ahead) {
    throw refuse('cursor_ahead', undefined, { lastSequence: Number(page.lastSequence), epoch });
  }
  const nextCursor = encodeRegisterCursor(purposeOf(operatorId), { sequence: page.lastPosition ?? after, epoch });
  return `{"items":[${page.items ?? ''}],"nextCursor":"${nextCursor}","hasMore":${page.more}}`;
}

/** The position after which the last matching items begin; 0 for a request that begins at the beginning. */
async function positionBefore(
  sql: Sql,
  operatorId: string,
  types: readonly string[] | null,
  { last, externalUserId }: FeedRequest,
): Promise<bigint> {
  const customer = externalUserId ?? null;
  if (last === undefined) {
    return 0n;
  }
  const [first] = await asOperator<{ position: bigint }[]>(
    sql,
    operatorId,
    types === null && customer === null
      ? // positions are dense
        sql`select greatest(feed_position - ${last} + 1, 1) as position from operator_counters where operator_id = ${operatorId}`
      : sql`
        select found.position
        from unnest(coalesce(${types}::text[], array[null::text])) wanted(type)
          cross join lateral last_feed_positions(${operatorId}, wanted.type, ${customer}, ${last}) found(position)
        order by found.position desc offset ${last - 1} limit 1`,
  );
  return first === undefined ? 0n : first.position - 1n;
}

function readTypes(types: readonly string[] | undefined): string[] | null {
  if (types === undefined || types.length === 0) {
    return null;
  }
  const known: readonly string[] = FEED_ITEM_TYPES;
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) {
    throw refuse('invalid_type', `No such feed item type. Supported: ${FEED_ITEM_TYPES.join(', ')}.`, {
      supported: FEED_ITEM_TYPES,
    });
  }
  return [...new Set(types)];
}
