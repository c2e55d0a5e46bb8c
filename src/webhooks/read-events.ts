/**
 * Reads the webhook events of an operator a page at a time, whether or not an endpoint takes them: each as it is delivered (contract
 * 27.15). Reading consumes nothing.
 */
import { decodeRegisterCursor, encodeRegisterCursor } from '../core/cursor.ts';
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { endOf, positionBefore, readJournal, readRowsOfOrderAfter } from '../ledger/journal.ts';
import type { JournalRow } from '../ledger/journal-row.ts';
import { expectNotAhead, readHead, readLastItems } from '../ledger/read-feed.ts';
import { envelopeJson, eventOf, kindsRaising } from '../ledger/render/events.ts';
import { isWebhookEventType, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../wire/webhook.ts';

export interface EventsRequest {
  readonly cursor?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** Only events about this order. */
  readonly orderId?: string | undefined;
  /** 1 to 500. */
  readonly limit: number;
  /** Without a cursor: begin this many events before the end. */
  readonly last?: number | undefined;
}

export interface EventsPageText {
  /** `events`, `nextCursor` (never null) and `hasMore`. */
  readonly json: string;
  /** Nothing follows the cursor. */
  readonly isEmpty: boolean;
  /** The last position of the operator's feed when it was read. */
  readonly end: bigint;
}

const KEPT_DAYS = 30;
const KEPT_MS = KEPT_DAYS * 86_400_000;

/**
 * @param sql also a pool of the tenants' role
 * @throws invalid_type, invalid_cursor; cursor_ahead if the books were restored to a state before the cursor
 */
export async function readEvents(sql: Sql, operatorId: string, request: EventsRequest): Promise<EventsPageText> {
  const purpose = `webhook-events:${operatorId}`;
  const types = readTypes(request.types);
  const from = request.cursor === undefined ? null : decodeRegisterCursor(purpose, request.cursor);
  const head = await readHead(sql, operatorId);
  expectNotAhead(from, head);
  const { epoch, lastSequence: end } = head;
  const after = from?.sequence ?? (await beforeLast(sql, operatorId, request.last, end));
  const { orderId, limit } = request;
  const page = await readKept(sql, { operatorId, types, orderId, limit }, after);
  const events = page.events.map(({ json }) => json).join(',');
  const nextCursor = encodeRegisterCursor(purpose, { sequence: page.through, epoch });
  return {
    json: `{"events":[${events}],"nextCursor":"${nextCursor}","hasMore":${page.hasMore}}`,
    isEmpty: page.events.length === 0 && !page.hasMore,
    end,
  };
}

/** @returns the position after which the last `count` events begin; the beginning if no count is given */
async function beforeLast(sql: Sql, operatorId: string, count: number | undefined, end: bigint): Promise<bigint> {
  if (count === undefined || count === 0) {
    return count === undefined ? 0n : end;
  }
  const [first] = await readLastItems(sql, operatorId, ['webhook.emitted'], count);
  return first === undefined ? 0n : first.sequence - 1n;
}

interface Asked {
  readonly operatorId: string;
  readonly types: readonly WebhookEventType[];
  readonly orderId?: string | undefined;
  readonly limit: number;
}

interface EventsPage {
  readonly events: readonly { readonly json: string; readonly position: bigint }[];
  /** The position up to which the page was read. */
  readonly through: bigint;
  readonly hasMore: boolean;
}

/** Reads from the oldest event that is kept if the position is before it. */
async function readKept(sql: Sql, asked: Asked, after: bigint): Promise<EventsPage> {
  const rows = await readRows(sql, asked, after, asked.limit + 1);
  const [first] = rows;
  if (first === undefined || first.recordedAt.getTime() >= Date.now() - KEPT_MS) {
    return readPage(sql, asked, after, rows);
  }
  const kept = await positionBefore(sql, asked.operatorId, `${KEPT_DAYS} days`);
  const from = kept > after ? kept : after;
  return readPage(sql, asked, from, await readRows(sql, asked, from, asked.limit + 1));
}

/** Rows that are read for one page. Those that raise no event of the wanted types may be most of them. */
const MOST_ROWS = 2_000;
/** Of further rows, if the first did not fill the page. */
const ROWS_A_READ = 500;

/** @param first the rows after the position, one more than the page has events */
async function readPage(sql: Sql, asked: Asked, after: bigint, first: readonly JournalRow[]): Promise<EventsPage> {
  const { types, limit } = asked;
  const events: { json: string; position: bigint }[] = [];
  let rows = first;
  let wanted = limit + 1;
  let through = after;
  let read = 0;
  for (;;) {
    events.push(...rows.flatMap((row) => eventAfter(row, after, types)));
    read += rows.length;
    through = rows.length === 0 ? through : endOf(rows.at(-1) as JournalRow);
    if (events.length > limit) {
      const page = events.slice(0, limit);
      return { events: page, through: page.at(-1)?.position ?? through, hasMore: true };
    }
    if (rows.length < wanted || read >= MOST_ROWS) {
      return { events, through, hasMore: rows.length === wanted };
    }
    wanted = ROWS_A_READ;
    rows = await readRows(sql, asked, through, wanted);
  }
}

function eventAfter(row: JournalRow, after: bigint, types: readonly WebhookEventType[]) {
  const position = endOf(row);
  const event = position > after ? eventOf(row) : null;
  return event === null || !types.includes(event.type)
    ? []
    : [{ json: envelopeJson(event, JSON.stringify(event.data), row.recordedAt), position }];
}

/** The next rows that may raise such events. */
function readRows(
  sql: Sql,
  { operatorId, types, orderId }: Asked,
  after: bigint,
  limit: number,
): Promise<readonly JournalRow[]> {
  return orderId === undefined
    ? readJournal(sql, operatorId, after, limit, { kinds: kindsRaising(types) })
    : readRowsOfOrderAfter(sql, { operatorId, orderId }, after, limit);
}

/** @returns all types if none is named */
function readTypes(types: readonly string[] = []): readonly WebhookEventType[] {
  if (!types.every(isWebhookEventType)) {
    throw refuse('invalid_type', `No such webhook event type. Supported: ${WEBHOOK_EVENT_TYPES.join(', ')}.`, {
      supported: WEBHOOK_EVENT_TYPES,
    });
  }
  return types.length === 0 ? WEBHOOK_EVENT_TYPES : types;
}
