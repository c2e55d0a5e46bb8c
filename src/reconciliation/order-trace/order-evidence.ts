/** All that was written down about one order: quote, facts, entries, events, attempt, evidence. Reads only; judges nothing. */
import type { Sql } from '../../db/client.ts';
import { readRowsOfOrder } from '../../ledger/journal.ts';
import { eventOf } from '../../ledger/render/events.ts';
import { type PostedEntry, placedItems, postedEntry } from '../../ledger/render/items.ts';
import type { FillRow } from '../../trading/orders/order.ts';
import { type Delivery, listDeliveriesOfEvents } from '../../webhooks/deliveries.ts';
import type { FeedItem } from '../../wire/feed.ts';
import type { JournalRow } from '../../wire/journal.ts';

export interface TracedOrder {
  readonly operatorId: string;
  readonly orderId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly quoteId: string;
  readonly positionId: string | null;
}

/** Prices and quantities of the book are millionths, as text. */
export interface QuoteRow {
  readonly priceMicros: bigint;
  readonly quantity: bigint;
  readonly authorizationMinor: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly book: { readonly bids: readonly Level[]; readonly asks: readonly Level[] };
}
type Level = readonly [priceMicros: string, quantityMicros: string];

/** An item of the feed, as the wire describes its type. */
export type OrderFact = FeedItem extends infer Item
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
  readonly quantity: bigint;
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

/** What decides whether an order may go. */
export interface Gates {
  readonly executionConfirmed: boolean;
  readonly tradingPaused: boolean;
  /** Of the operator. */
  readonly status: string;
  readonly marketStatus: string | null;
  /** Collateral that is not committed. */
  readonly collateralMinor: bigint;
}

export interface OrderEvidence {
  readonly gates: Gates;
  readonly quote: QuoteRow | undefined;
  readonly fills: readonly FillRow[];
  readonly facts: readonly OrderFact[];
  readonly entries: readonly PostedEntry[];
  readonly events: readonly RaisedEvent[];
  readonly deliveries: readonly Delivery[];
  readonly attempt: AttemptRow | undefined;
  readonly evidence: readonly EvidenceRow[];
  readonly settlement: SettlementMoneyRow | undefined;
}

export async function readOrderEvidence(sql: Sql, order: TracedOrder): Promise<OrderEvidence> {
  const { operatorId, orderId, positionId } = order;
  const ofOrder = sql`operator_id = ${operatorId} and order_id = ${orderId}`;
  const fills = await sql<FillRow[]>`
    select fill_id, quantity, price_micros, filled_at from fills where ${ofOrder} order by fill_no`;
  const [rows, gates, quotes, attempts, evidence, settlements] = await Promise.all([
    readRowsOfOrder(sql, order),
    sql<Gates[]>`
      with market as materialized (select max(c.status) as status from contracts c where c.contract_id = ${order.contractId})
      select o.execution_confirmed, o.trading_paused, o.status, market.status as market_status,
        -l.collateral_available as collateral_minor
      from operators o join operator_ledgers l using (operator_id) cross join market where o.operator_id = ${operatorId}`,
    sql<QuoteRow[]>`
      select price_micros, quantity, authorization_minor, created_at, expires_at, book
      from (select operator_id, quote_id, price_micros, quantity, authorization_minor, created_at, expires_at, book from quotes
        union all
        select operator_id, quote_id, price_micros, quantity, authorization_minor, created_at, expires_at, book from kept_quotes) q
      where operator_id = ${operatorId} and quote_id = ${order.quoteId} limit 1`,
    sql<AttemptRow[]>`select * from transmissions where ${ofOrder}`,
    sql<EvidenceRow[]>`
      select kind, severity, raw, recorded_at from venue_evidence where ${ofOrder} order by evidence_id`,
    sql<SettlementMoneyRow[]>`
      select settlement_id, outcome, settlement_credit_minor, void_credit_minor from settlements
      where operator_id = ${operatorId} and position_id = ${positionId}`,
  ]);
  const [gate] = gates;
  if (gate === undefined) {
    throw new Error('an order has an operator');
  }
  const events = rows.flatMap(raisedEvents);
  const eventIds = events.map((event) => event.eventId);
  return {
    gates: gate,
    quote: quotes[0],
    fills,
    facts: factsOf(rows),
    entries: rows.map(postedEntry).filter((entry) => entry !== null),
    events,
    deliveries: eventIds.length === 0 ? [] : await listDeliveriesOfEvents(sql, operatorId, eventIds),
    attempt: attempts[0],
    evidence,
    settlement: settlements[0],
  };
}

/** Entries and events are listed apart. What is rendered has the shapes of the wire (test/golden), which the compiler does not know. */
const factsOf = (rows: readonly JournalRow[]): readonly OrderFact[] =>
  rows
    .flatMap<object & { readonly type: string }>(placedItems)
    .filter(
      ({ type }) => type !== 'ledger.posted' && type !== 'webhook.emitted',
    ) as readonly object[] as readonly OrderFact[];

function raisedEvents(row: JournalRow): RaisedEvent[] {
  const event = eventOf(row);
  return event === null ? [] : [{ ...event, createdAt: row.recordedAt }];
}
