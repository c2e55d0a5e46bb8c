/**
 * The history of an order: reads all records about it, and lists the events in order of time, one per line, in words and with their data.
 * It judges nothing.
 */
import { timeOfId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import { fillsOf, type RecordedFill } from '../ledger/fills.ts';
import { readRowsOfOrder } from '../ledger/journal.ts';
import type { JournalRow } from '../ledger/journal-row.ts';
import { itemIdOf } from '../ledger/render/entry.ts';
import { eventOf, settlementOf } from '../ledger/render/events.ts';
import { type PostedEntry, placedItems, postedEntry } from '../ledger/render/items.ts';
import { formatDecimal, MICRO_SCALE } from '../money/decimal.ts';
import type { ReferencedOrder } from '../trading/orders/read-orders.ts';
import { type Delivery, listDeliveriesOfEvents } from '../webhooks/deliveries.ts';
import type { FeedItem } from '../wire/feed.ts';
import { describeEvidence } from './waiting.ts';

export interface TimelineEvent {
  readonly at: string;
  /**
   * The type of a feed item, or quote.issued, reserve.confirmed, transmission.sent, transmission.answered, venue.evidence,
   * ledger.posted, webhook.emitted, webhook.attempted.
   */
  readonly type: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly [fact: string]: unknown;
}

/** The order of events of the same instant: a cause comes before its effects. */
const RANK = ['quote.issued', 'reserve.confirmed', 'transmission.sent', 'order.state_changed', 'order.filled'];
const rankOf = (type: string): number => (RANK.includes(type) ? RANK.indexOf(type) : RANK.length);

export function timelineOf(order: ReferencedOrder, evidence: OrderEvidence): TimelineEvent[] {
  const timeline: TimelineEvent[] = [...quoteAndReserve(order), ...attemptEvents(order, evidence)];
  timeline.push(...evidence.facts.map(factEvent));
  for (const entry of evidence.entries) {
    const summary = `${entry.movementType}: ${entry.memo}`;
    timeline.push({ at: entry.recordedAt.toISOString(), type: 'ledger.posted', summary, entryId: entry.entryId });
  }
  for (const event of evidence.events) {
    const summary = `webhook event ${event.type} emitted`;
    timeline.push({ at: event.createdAt.toISOString(), type: 'webhook.emitted', summary, eventId: event.eventId });
  }
  for (const { deliveryId, type, attempts } of evidence.deliveries) {
    for (const { attempt, startedAt, status, error, durationMs } of attempts) {
      const answer = error === null ? `answered ${status}` : (error ?? `answered ${status}`);
      const summary = `${type} attempt ${attempt} ${answer} after ${durationMs} ms`;
      timeline.push({ at: startedAt, type: 'webhook.attempted', summary, deliveryId, attempt, status });
    }
  }
  return timeline.sort((a, b) => (a.at === b.at ? rankOf(a.type) - rankOf(b.type) : a.at < b.at ? -1 : 1));
}

/** When the quote of an order was made: its id contains the time, and it was before the order, whatever the clocks show. */
export function quotedAt({ quoteId, createdAt }: Pick<ReferencedOrder, 'quoteId' | 'createdAt'>): Date {
  const made = timeOfId(quoteId);
  return made < createdAt ? made : createdAt;
}

function quoteAndReserve(order: ReferencedOrder): TimelineEvent[] {
  const price = formatDecimal(order.priceMicros, MICRO_SCALE);
  const timeline: TimelineEvent[] = [
    {
      at: quotedAt(order).toISOString(),
      type: 'quote.issued',
      summary: `${order.action} ${order.side} quoted at ${price}`,
      quoteId: order.quoteId,
    },
  ];
  if (order.reserveConfirmedAt !== null) {
    const reference = order.reserveReference;
    timeline.push({
      at: order.reserveConfirmedAt.toISOString(),
      type: 'reserve.confirmed',
      summary: `reserve confirmed${reference === null ? '' : ` as ${reference}`}`,
      reserveReference: reference,
    });
  }
  return timeline;
}

function attemptEvents({ executionRef }: ReferencedOrder, { attempt, evidence }: OrderEvidence): TimelineEvent[] {
  const timeline: TimelineEvent[] = evidence.map(({ kind, severity, raw, recordedAt: at }) => ({
    at: at.toISOString(),
    type: 'venue.evidence',
    summary: `${severity}: ${describeEvidence(kind, raw, executionRef)}`,
    severity,
    kind,
    raw,
  }));
  if (attempt === undefined) {
    return timeline;
  }
  const { ourId, venue } = attempt;
  const quantity = formatDecimal(attempt.quantityMicros, MICRO_SCALE);
  const limit = formatDecimal(attempt.limitPriceMicros, MICRO_SCALE);
  const summary = `sent to ${venue} as ${ourId}: ${quantity} contracts, limit ${limit}`;
  timeline.push({ at: attempt.sentAt.toISOString(), type: 'transmission.sent', summary, ourId, venue });
  if (attempt.answeredAt !== null) {
    const answered = `${venue} answered; the attempt is ${attempt.state}`;
    timeline.push({
      at: attempt.answeredAt.toISOString(),
      type: 'transmission.answered',
      summary: answered,
      ourId,
      venue,
    });
  }
  return timeline;
}

function factEvent(fact: OrderFact): TimelineEvent {
  const { sequence, type, occurredAt, money, detail } = fact;
  return { at: occurredAt, type, summary: describe(fact), sequence: Number(sequence), money, detail };
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
    case 'position.exited':
      return `sold ${detail.quantity} at ${detail.exitPrice}, proceeds ${money.sellProceeds}`;
    case 'position.settled':
      return `position ${detail.outcome}: credit ${money.settlementCredit}, void credit ${money.voidCredit}`;
    default:
      return type;
  }
}

export interface TracedOrder {
  readonly operatorId: string;
  readonly orderId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly positionId: string | null;
}

/** An item of the feed, as the wire describes its type. */
type OrderFact = FeedItem extends infer Item
  ? Item extends FeedItem
    ? Pick<Item, 'type' | 'money' | 'detail'> & { readonly sequence: bigint; readonly occurredAt: string }
    : never
  : never;

export interface RaisedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly dedupeKey: string;
  readonly createdAt: Date;
}

export interface AttemptRow {
  readonly ourId: string;
  readonly venue: string;
  readonly quantityMicros: bigint;
  readonly limitPriceMicros: bigint;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly answeredAt: Date | null;
  readonly state: string;
  readonly lookups: number;
  readonly notFound: number;
  readonly nextLookupAt: Date;
}

export interface EvidenceRow {
  readonly kind: string;
  readonly severity: string;
  readonly raw: unknown;
  readonly recordedAt: Date;
}

export interface SettlementMoneyRow {
  readonly settlementId: string;
  readonly outcome: string;
  readonly settlementCreditMinor: bigint;
  readonly voidCreditMinor: bigint;
}

/** The facts that decide whether an order may be sent. */
export interface Gates {
  readonly executionConfirmed: boolean;
  readonly tradingPaused: boolean;
  /** The status of the operator. */
  readonly status: string;
  readonly marketStatus: string | null;
  /** Collateral that is not committed. */
  readonly collateralMinor: bigint;
}

export interface OrderEvidence {
  readonly gates: Gates;
  readonly fills: readonly RecordedFill[];
  readonly facts: readonly OrderFact[];
  readonly entries: readonly PostedEntry[];
  readonly events: readonly RaisedEvent[];
  readonly deliveries: readonly Delivery[];
  readonly attempt: AttemptRow | undefined;
  readonly evidence: readonly EvidenceRow[];
  readonly settlement: SettlementMoneyRow | undefined;
}

/** Reads everything that was recorded about one order: fills, facts, entries, events, attempt, evidence. */
export async function readOrderEvidence(sql: Sql, order: TracedOrder): Promise<OrderEvidence> {
  const { operatorId, orderId } = order;
  const ofOrder = sql`operator_id = ${operatorId} and order_id = ${orderId}`;
  const [rows, gates, attempts, evidence] = await Promise.all([
    readRowsOfOrder(sql, order),
    sql<Gates[]>`
      with market as materialized (select max(c.status) as status from contracts c where c.contract_id = ${order.contractId})
      select o.execution_confirmed, o.trading_paused, o.status, market.status as market_status,
        -l.collateral_available as collateral_minor
      from operators o join operator_ledgers l using (operator_id) cross join market where o.operator_id = ${operatorId}`,
    sql<AttemptRow[]>`select * from transmissions where ${ofOrder}`,
    sql<EvidenceRow[]>`
      select kind, severity, raw, recorded_at from venue_evidence where ${ofOrder} order by evidence_id`,
  ]);
  const [gate] = gates;
  if (gate === undefined) {
    throw new Error('an order has an operator');
  }
  const settled = rows.find(({ kind }) => kind === 'position_settled');
  const events = rows.flatMap(raisedEvents);
  const eventIds = events.map((event) => event.eventId);
  return {
    gates: gate,
    fills: fillsOf(rows),
    facts: factsOf(rows),
    entries: rows.map(postedEntry).filter((entry) => entry !== null),
    events,
    deliveries: eventIds.length === 0 ? [] : await listDeliveriesOfEvents(sql, operatorId, eventIds),
    attempt: attempts[0],
    evidence,
    settlement: settled && settlementMoney(settled),
  };
}

/** Entries and events are listed apart. Rendered items have the shapes of the wire (test/golden), which the compiler cannot infer. */
const factsOf = (rows: readonly JournalRow[]): readonly OrderFact[] =>
  rows
    .flatMap<object & { readonly type: string }>(placedItems)
    .filter(
      ({ type }) => type !== 'ledger.posted' && type !== 'webhook.emitted',
    ) as readonly object[] as readonly OrderFact[];

function settlementMoney(row: JournalRow): SettlementMoneyRow {
  const { settlementCreditMinor, voidCreditMinor } = settlementOf(row);
  return { settlementId: itemIdOf('stl', row), outcome: row.outcome ?? '', settlementCreditMinor, voidCreditMinor };
}

function raisedEvents(row: JournalRow): RaisedEvent[] {
  const event = eventOf(row);
  return event === null ? [] : [{ ...event, createdAt: row.recordedAt }];
}
