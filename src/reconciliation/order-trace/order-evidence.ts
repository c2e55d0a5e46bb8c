/** All that was written down about one order: quote, facts, entries, events, attempt, evidence. Reads only; judges nothing. */
import type { Sql } from '../../db/client.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { FillRow } from '../../trading/orders/order.ts';
import { type Delivery, listDeliveriesOfEvents } from '../../webhooks/delivery/deliveries.ts';
import type { FeedItem } from '../../wire/reconciliation/feed.ts';

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

/** An item of the feed as it is stored. */
export type FactRow = FeedItem extends infer Item
  ? Item extends FeedItem
    ? Pick<Item, 'type' | 'money' | 'detail'> & { readonly sequence: bigint; readonly occurredAt: Date }
    : never
  : never;

export interface EntryRow {
  readonly sequence: bigint;
  readonly entryId: string;
  readonly movementType: string;
  readonly memo: string;
  readonly referenceType: string;
  readonly referenceId: string;
  readonly correctsEntryId: string | null;
  readonly recordedAt: Date;
  readonly lines: readonly { readonly account: string; readonly amount: string; readonly after: string }[];
}

export interface WebhookEventRow {
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
  readonly facts: readonly FactRow[];
  readonly entries: readonly EntryRow[];
  readonly events: readonly WebhookEventRow[];
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
  // each key is an exact look-up in the index that keeps events from being raised twice
  const keys = [
    ...['intent_recorded', 'rejected', 'completed', 'cancelled'].map((word) => `order.${word}:${orderId}`),
    ...fills.map((fill) => `order.filled:${orderId}:${fill.fillId}`),
    ...(positionId === null ? [] : [`position.settled:${positionId}`]),
  ];
  const [gates, quotes, facts, entries, events, attempts, evidence, settlements] = await Promise.all([
    sql<Gates[]>`
      select o.execution_confirmed, o.trading_paused, o.status,
        (select c.status from contracts c where c.contract_id = ${order.contractId}) as market_status,
        coalesce((select -b.balance from account_balances b
          where b.operator_id = o.operator_id and b.account_id = ${ACCOUNTS.collateralAvailable}), 0)::bigint as collateral_minor
      from operators o where o.operator_id = ${operatorId}`,
    sql<QuoteRow[]>`
      select price_micros, quantity, authorization_minor, created_at, expires_at, book
      from (select operator_id, quote_id, price_micros, quantity, authorization_minor, created_at, expires_at, book from quotes
        union all
        select operator_id, quote_id, price_micros, quantity, authorization_minor, created_at, expires_at, book from kept_quotes) q
      where operator_id = ${operatorId} and quote_id = ${order.quoteId} limit 1`,
    listFacts(sql, order),
    sql<EntryRow[]>`
      select e.position as sequence, e.entry_id, e.movement_type, e.memo, e.reference_type, e.reference_id, e.corrects_entry_id,
        e.recorded_at, (select json_agg(json_build_object('account', l.account_id, 'amount', l.amount::text, 'after', l.balance_after::text)
          order by l.line_no)
          from entry_lines(e.account_ids, e.amounts, e.balances_after) l) as lines
      from (
        select * from ledger_entries where reference_id = ${positionId} and reference_type <> 'order' and movement_type = 'POSITION_SETTLEMENT'
        union all
        select * from ledger_entries where external_user_id = ${order.externalUserId} and reference_id = ${orderId}
          and position >> 8 >= (select min(position) >> 8 from feed_item_rows where operator_id = ${operatorId} and order_id = ${orderId}
            and type = 'order.state_changed')) e
      where e.operator_id = ${operatorId}
      order by e.position`,
    sql<WebhookEventRow[]>`
      select event_id, type, dedupe_key, created_at from outbox_events
      where event_digest(dedupe_key) = any (array(select event_digest(key) from unnest(${keys}::text[]) key))
        and operator_id = ${operatorId} and dedupe_key = any (${keys}::text[])
      union all
      select e.event_id, e.type, e.dedupe_key, i.occurred_at from order_events e join feed_item_rows i on i.operator_id = e.operator_id
        and i.order_id = e.order_id and i.type = 'order.state_changed' and i.detail ->> 'fromState' is null
      where e.operator_id = ${operatorId} and e.order_id = ${orderId}
      union all
      select event_id, type, dedupe_key, created_at from settlement_events
      where operator_id = ${operatorId} and settlement_id = (select settlement_id from settlements
        where operator_id = ${operatorId} and position_id = ${positionId})
      order by event_id`,
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
  const eventIds = events.map((event) => event.eventId);
  return {
    gates: gate,
    quote: quotes[0],
    fills,
    facts,
    entries,
    events,
    deliveries: eventIds.length === 0 ? [] : await listDeliveriesOfEvents(sql, operatorId, eventIds),
    attempt: attempts[0],
    evidence,
    settlement: settlements[0],
  };
}

/** The feed items of the order and of the settlement of its position, from its first one on. */
function listFacts(sql: Sql, order: TracedOrder): Promise<FactRow[]> {
  return sql<FactRow[]>`
    select position as sequence, type, occurred_at, money, detail from feed_items
    where operator_id = ${order.operatorId} and external_user_id = ${order.externalUserId}
      and position >= (select min(position) from feed_item_rows where operator_id = ${order.operatorId}
        and order_id = ${order.orderId} and type = 'order.state_changed')
      and (order_id = ${order.orderId} or (position_id = ${order.positionId} and type = 'position.settled'))
      and type not in ('ledger.posted', 'webhook.emitted')
    order by position`;
}
