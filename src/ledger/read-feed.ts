/** Reads the reconciliation feed a page at a time (contract 21.3). Reading consumes nothing. */
import { decodeRegisterCursor, encodeRegisterCursor, type RegisterCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import { FEED_ITEM_TYPES, type FeedItemType } from '../core/terms.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { endOf, type JournalFilter, readJournal, readJournalBackwards } from './journal.ts';
import { feedItemJson, feedPurpose, kindsWith, type PlacedItem, placedItems } from './render/items.ts';

export interface FeedRequest {
  readonly cursor?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly externalUserId?: string | undefined;
  /** 1 to 500. */
  readonly limit: number;
  /** Without a cursor: begin this many matching items before the end. */
  readonly last?: number | undefined;
}

interface Feed {
  readonly operatorId: string;
  readonly filter: JournalFilter;
  readonly matches: (item: PlacedItem) => boolean;
}

export interface FeedPageText {
  /** `items`, `nextCursor` (never null) and `hasMore`. */
  readonly json: string;
  readonly isEmpty: boolean;
  /** The last position of the feed when it was read. */
  readonly end: bigint;
}

/**
 * @returns the page as JSON text
 * @throws invalid_type, invalid_cursor, unknown_user; cursor_ahead if the books were restored to a state before the cursor
 */
export async function readFeed(sql: Sql, operatorId: string, request: FeedRequest): Promise<FeedPageText> {
  const feed = feedOf(operatorId, readTypes(request.types), request.externalUserId);
  const from = request.cursor === undefined ? null : decodeRegisterCursor(feedPurpose(operatorId), request.cursor);
  const head = await readHead(sql, operatorId, request.externalUserId);
  if (!head.knownUser) {
    throw refuse('unknown_user');
  }
  expectNotAhead(from, head);
  const { epoch, lastSequence } = head;
  const after = from?.sequence ?? (request.last === undefined ? 0n : await beforeLast(sql, feed, request.last));
  const found = await readItems(sql, feed, after, lastSequence, request.limit + 1);
  const page = found.slice(0, request.limit);
  const items = page.map((item) => feedItemJson(item, operatorId, epoch)).join(',');
  const nextCursor = encodeRegisterCursor(feedPurpose(operatorId), { sequence: page.at(-1)?.sequence ?? after, epoch });
  return {
    json: `{"items":[${items}],"nextCursor":"${nextCursor}","hasMore":${found.length > request.limit}}`,
    isEmpty: page.length === 0,
    end: lastSequence,
  };
}

function feedOf(operatorId: string, types: readonly FeedItemType[] | null, externalUserId: string | undefined): Feed {
  return {
    operatorId,
    filter: { kinds: types === null ? undefined : kindsWith(types), externalUserId },
    matches: (item) =>
      (types === null || types.includes(item.type)) &&
      (externalUserId === undefined || item.externalUserId === externalUserId),
  };
}

/** The end of an operator's feed. */
export interface FeedHead {
  readonly epoch: number;
  readonly lastSequence: bigint;
}

/** @throws cursor_ahead if the books were restored to a state before the cursor */
export function expectNotAhead(from: RegisterCursor | null, { epoch, lastSequence }: FeedHead): void {
  if (from !== null && (from.epoch !== epoch || from.sequence > lastSequence)) {
    throw refuse('cursor_ahead', undefined, { lastSequence: Number(lastSequence), epoch });
  }
}

/** @param externalUserId whether this customer is known is read too */
export async function readHead(
  sql: Sql,
  operatorId: string,
  externalUserId?: string,
): Promise<FeedHead & { readonly knownUser: boolean }> {
  const [head] = await asOperator<(FeedHead & { readonly knownUser: boolean })[]>(
    sql,
    operatorId,
    sql`
      select books.epoch, coalesce(ledger.sequence, 0) as last_sequence,
        ${externalUserId ?? null}::text is null or exists (select 1 from customers customer
          where customer.operator_id = ${operatorId} and customer.external_user_id = ${externalUserId ?? null}) as known_user
      from books left join operator_ledgers ledger on ledger.operator_id = ${operatorId}`,
  );
  return head ?? { epoch: 1, lastSequence: 0n, knownUser: false };
}

/**
 * Matching items after a position, in order, at most `wanted`. It reads on if a row of a kind lacks the requested item, and
 * past positions that have none.
 */
async function readItems(sql: Sql, feed: Feed, after: bigint, end: bigint, wanted: number): Promise<PlacedItem[]> {
  const items: PlacedItem[] = [];
  const isFiltered = feed.filter.kinds !== undefined || feed.filter.externalUserId !== undefined;
  for (let position = after; items.length < wanted && position < end; ) {
    const limit = wanted - items.length;
    const rows = await readJournal(sql, feed.operatorId, position, limit, feed.filter);
    items.push(...rows.flatMap(placedItems).filter((item) => item.sequence > position && feed.matches(item)));
    const last = rows.at(-1);
    if (!isFiltered) {
      position += BigInt(limit);
    } else if (last === undefined || rows.length < limit) {
      break;
    } else {
      position = endOf(last);
    }
  }
  return items.slice(0, wanted);
}

/** The position after which the last `count` matching items begin. */
async function beforeLast(sql: Sql, feed: Feed, count: number): Promise<bigint> {
  const [first] = await lastItems(sql, feed, count);
  return first === undefined ? 0n : first.sequence - 1n;
}

/** The newest items of some types, in order. */
export function readLastItems(
  sql: Sql,
  operatorId: string,
  types: readonly FeedItemType[],
  count: number,
): Promise<PlacedItem[]> {
  return lastItems(sql, feedOf(operatorId, types, undefined), count);
}

async function lastItems(sql: Sql, feed: Feed, count: number): Promise<PlacedItem[]> {
  let found: PlacedItem[] = [];
  let before: bigint | undefined;
  while (found.length < count) {
    const limit = count - found.length;
    const rows = await readJournalBackwards(sql, feed.operatorId, before, limit, feed.filter);
    found = [...rows.toReversed().flatMap(placedItems).filter(feed.matches), ...found];
    before = rows.at(-1)?.sequence;
    if (rows.length < limit) {
      break;
    }
  }
  return found.slice(-count);
}

function readTypes(types: readonly string[] | undefined): FeedItemType[] | null {
  if (types === undefined || types.length === 0) {
    return null;
  }
  return types.map((type) => {
    const known = FEED_ITEM_TYPES.find((one) => one === type);
    if (known === undefined) {
      throw refuse('invalid_type', `No such feed item type. Supported: ${FEED_ITEM_TYPES.join(', ')}.`, {
        supported: FEED_ITEM_TYPES,
      });
    }
    return known;
  });
}
