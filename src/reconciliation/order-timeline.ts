/**
 * The history of an order: reads all records about it, and lists the events in order of time, one per line, in words that name no venue.
 * It judges nothing.
 */
import { timeOfId } from '../core/ids.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { readRowsOfOrder } from '../ledger/journal.ts';
import type { JournalRow } from '../ledger/journal-row.ts';
import { eventOf } from '../ledger/render/events.ts';
import { placedItems } from '../ledger/render/items.ts';
import { formatDecimal, MICRO_SCALE } from '../money/decimal.ts';
import type { OrderRow } from '../trading/orders/order.ts';
import { readDeliveriesOf } from '../webhooks/own-deliveries.ts';
import type { FeedItem } from '../wire/feed.ts';
import type { HistoryEvent } from '../wire/history.ts';
import type { Delivery } from '../wire/webhook.ts';
import { describeEvidence } from './waiting.ts';

/** An event of the history, with what only the service operator may see of it. */
export interface TimelineEvent extends HistoryEvent {
  /** Ids, data of the venue, and a `text` that names it. */
  readonly inside: { readonly text?: string; readonly [fact: string]: unknown };
}

/** The order of events of the same instant: a cause comes before its effects. */
const RANK = ['quote.issued', 'reserve.confirmed', 'transmission.sent', 'order.state_changed', 'order.filled'];
const rankOf = (type: string): number => (RANK.includes(type) ? RANK.indexOf(type) : RANK.length);

export function timelineOf(order: OrderRow, story: OrderStory): TimelineEvent[] {
  const timeline: TimelineEvent[] = [
    ...quoteAndReserve(order),
    ...attemptEvents(order, story),
    ...factsOf(story.rows).map(factEvent),
    ...story.deliveries.flatMap(deliveryEvents),
  ];
  return timeline.sort((a, b) => (a.at === b.at ? rankOf(a.type) - rankOf(b.type) : a.at < b.at ? -1 : 1));
}

/** When the quote of an order was made: its id contains the time, and it was before the order, whatever the clocks show. */
export function quotedAt({ quoteId, createdAt }: Pick<OrderRow, 'quoteId' | 'createdAt'>): Date {
  const made = timeOfId(quoteId);
  return made < createdAt ? made : createdAt;
}

function quoteAndReserve(order: OrderRow): TimelineEvent[] {
  const { quoteId, reserveConfirmedAt, reserveReference } = order;
  const price = formatDecimal(order.priceMicros, MICRO_SCALE);
  const timeline: TimelineEvent[] = [
    {
      at: quotedAt(order).toISOString(),
      type: 'quote.issued',
      text: `${order.action} ${order.side} quoted at ${price}`,
      inside: { quoteId },
    },
  ];
  if (reserveConfirmedAt !== null) {
    timeline.push({
      at: reserveConfirmedAt.toISOString(),
      type: 'reserve.confirmed',
      text: `reserve confirmed${reserveReference === null ? '' : ` as ${reserveReference}`}`,
      inside: { reserveReference },
    });
  }
  return timeline;
}

function attemptEvents({ executionRef }: OrderRow, { attempt, evidence }: OrderStory): TimelineEvent[] {
  const timeline: TimelineEvent[] = evidence.map(({ kind, severity, raw, recordedAt: at }) => ({
    at: at.toISOString(),
    type: 'venue.evidence',
    text: `${severity}: ${describeEvidence(kind, raw, executionRef)}`,
    inside: { severity, kind, raw },
  }));
  if (attempt === undefined) {
    return timeline;
  }
  const { ourId, venue } = attempt;
  const quantity = formatDecimal(attempt.quantityMicros, MICRO_SCALE);
  const limit = formatDecimal(attempt.limitPriceMicros, MICRO_SCALE);
  const sent = `${quantity} contracts, limit ${limit}`;
  timeline.push({
    at: attempt.sentAt.toISOString(),
    type: 'transmission.sent',
    text: `sent to the venue: ${sent}`,
    inside: { text: `sent to ${venue} as ${ourId}: ${sent}`, ourId, venue },
  });
  if (attempt.answeredAt !== null) {
    timeline.push({
      at: attempt.answeredAt.toISOString(),
      type: 'transmission.answered',
      text: 'the venue answered',
      inside: { text: `${venue} answered; the attempt is ${attempt.state}`, ourId, venue },
    });
  }
  return timeline;
}

function factEvent(fact: OrderFact): TimelineEvent {
  const { id, sequence, type, occurredAt: at, money, detail } = fact;
  const inside = { id, sequence: Number(sequence), detail };
  return { at, type, text: describe(fact), ...(money !== null && { money }), inside };
}

function describe({ type, money, detail }: OrderFact): string {
  switch (type) {
    case 'order.state_changed': {
      const amounts = money === null ? '' : `, debit ${money.actualDebit}, release ${money.releaseAmount}`;
      const reason = detail.reason === null ? '' : ` (${detail.reason})`;
      return `${detail.fromState ?? 'new'} to ${detail.toState}${amounts}${reason}`;
    }
    case 'order.filled':
      return `${detail.quantity} contracts at ${detail.price}`;
    case 'fee.assessed':
      return `${detail.kind} fee ${money.amount}`;
    case 'collateral.moved':
      return `collateral ${detail.kind} ${money.amount}, available ${money.balanceAfter}`;
    case 'ledger.posted':
      return `${detail.movementType}: ${detail.memo}`;
    case 'position.exited':
      return `sold ${detail.quantity} at ${detail.exitPrice}, proceeds ${money.sellProceeds}`;
    case 'position.settled':
      return `position ${detail.outcome}: credit ${money.settlementCredit}, void credit ${money.voidCredit}`;
    case 'webhook.emitted':
      return `webhook event ${detail.eventType} emitted`;
  }
}

function deliveryEvents({ deliveryId, type, attempts }: Delivery): TimelineEvent[] {
  return attempts.map(({ at, status, ms, error }, place) => ({
    at,
    type: 'webhook.attempted',
    text: `${type} attempt ${place + 1} ${error ?? `answered ${status}`} after ${ms} ms`,
    inside: { deliveryId, attempt: place + 1, status },
  }));
}

/** An item of the feed, as the wire describes its type. */
type OrderFact = FeedItem extends infer Item
  ? Item extends FeedItem
    ? Pick<Item, 'type' | 'id' | 'money' | 'detail'> & { readonly sequence: bigint; readonly occurredAt: string }
    : never
  : never;

/** Rendered items have the shapes of the wire (test/golden), which the compiler cannot infer. */
const factsOf = (rows: readonly JournalRow[]): readonly OrderFact[] =>
  rows.flatMap<object>(placedItems) as readonly object[] as readonly OrderFact[];

/** How an order was sent to its venue. */
interface SentOrder {
  readonly ourId: string;
  readonly venue: string;
  readonly quantityMicros: bigint;
  readonly limitPriceMicros: bigint;
  readonly sentAt: Date;
  readonly answeredAt: Date | null;
  readonly state: string;
}

interface EvidenceRow {
  readonly kind: string;
  readonly severity: string;
  readonly raw: unknown;
  readonly recordedAt: Date;
}

/** Everything that was recorded about one order. */
export interface OrderStory {
  /** Its rows of the journal, and that of the settlement of its position, in order. */
  readonly rows: readonly JournalRow[];
  readonly attempt: SentOrder | undefined;
  readonly evidence: readonly EvidenceRow[];
  /** Of its events, oldest first. */
  readonly deliveries: readonly Delivery[];
}

/** @param sql also a pool of the tenants' role, because every read names the operator */
export async function readOrderStory(sql: Sql, order: OrderRow): Promise<OrderStory> {
  const { operatorId, orderId } = order;
  const ofOrder = sql`operator_id = ${operatorId} and order_id = ${orderId}`;
  const [rows, attempts, evidence] = await Promise.all([
    readRowsOfOrder(sql, order),
    asOperator<SentOrder[]>(
      sql,
      operatorId,
      sql`select our_id, venue, quantity_micros, limit_price_micros, sent_at, answered_at, state from transmissions where ${ofOrder}`,
    ),
    asOperator<EvidenceRow[]>(
      sql,
      operatorId,
      sql`select kind, severity, raw, recorded_at from venue_evidence where ${ofOrder} order by evidence_id`,
    ),
  ]);
  const eventIds = rows.flatMap((row) => eventOf(row)?.eventId ?? []);
  return { rows, attempt: attempts[0], evidence, deliveries: await readDeliveriesOf(sql, operatorId, eventIds) };
}
