/** All that was written down about one order: quote, facts, entries, events, attempt, evidence. Reads only; judges nothing. */
import type { Sql } from '../../db/client.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { FillRow } from '../../trading/orders/order.ts';
import { type Delivery, listDeliveriesOfEvents } from '../../webhooks/delivery/deliveries.ts';

export interface TracedOrder {
  readonly operator_id: string;
  readonly order_id: string;
  readonly external_user_id: string;
  readonly contract_id: string;
  readonly quote_id: string;
  readonly position_id: string | null;
}

/** Prices and quantities of the book are millionths, as text. */
export interface QuoteRow {
  readonly price_micros: bigint;
  readonly quantity: bigint;
  readonly authorization_minor: bigint;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly spent_by: string | null;
  readonly book: { readonly bids: readonly Level[]; readonly asks: readonly Level[] };
}
type Level = readonly [priceMicros: string, quantityMicros: string];

export interface FactRow {
  readonly sequence: bigint;
  readonly type: string;
  readonly occurred_at: Date;
  readonly money: Readonly<Record<string, unknown>> | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface EntryRow {
  readonly sequence: bigint;
  readonly entry_id: string;
  readonly movement_type: string;
  readonly memo: string;
  readonly reference_type: string;
  readonly reference_id: string;
  readonly corrects_entry_id: string | null;
  readonly recorded_at: Date;
  readonly lines: readonly { readonly account: string; readonly amount: string; readonly after: string }[];
}

export interface EventRow {
  readonly event_id: string;
  readonly type: string;
  readonly dedupe_key: string;
  readonly created_at: Date;
  readonly relayed_at: Date | null;
}

export interface AttemptRow {
  readonly our_id: string;
  readonly venue: string;
  readonly quantity: bigint;
  readonly limit_price_micros: bigint;
  readonly sent_at: Date;
  readonly expires_at: Date;
  readonly answered_at: Date | null;
  readonly state: string;
  readonly lookups: number;
  readonly not_found: number;
  readonly next_lookup_at: Date;
}

export interface EvidenceRow {
  readonly kind: string;
  readonly severity: string;
  readonly raw: unknown;
  readonly recorded_at: Date;
}

export interface SettlementMoneyRow {
  readonly settlement_id: string;
  readonly outcome: string;
  readonly settlement_credit_minor: bigint;
  readonly void_credit_minor: bigint;
}

/** What decides whether an order may go. */
export interface Gates {
  readonly execution_confirmed: boolean;
  readonly trading_paused: boolean;
  /** Of the operator. */
  readonly status: string;
  readonly market_status: string | null;
  /** Collateral that is not committed. */
  readonly collateral_minor: bigint;
}

export interface OrderEvidence {
  readonly gates: Gates;
  readonly quote: QuoteRow | undefined;
  readonly fills: readonly FillRow[];
  readonly facts: readonly FactRow[];
  readonly entries: readonly EntryRow[];
  readonly events: readonly EventRow[];
  readonly deliveries: readonly Delivery[];
  readonly attempt: AttemptRow | undefined;
  readonly evidence: readonly EvidenceRow[];
  readonly settlement: SettlementMoneyRow | undefined;
}

export async function readOrderEvidence(sql: Sql, order: TracedOrder): Promise<OrderEvidence> {
  const { operator_id: operatorId, order_id: orderId, position_id: positionId } = order;
  const ofOrder = sql`operator_id = ${operatorId} and order_id = ${orderId}`;
  const fills = await sql<FillRow[]>`
    select fill_id, quantity, price_micros, filled_at from fills where ${ofOrder} order by fill_no`;
  // each key is an exact look-up in the index that keeps events from being raised twice
  const keys = [
    ...['intent_recorded', 'rejected', 'completed', 'cancelled'].map((word) => `order.${word}:${orderId}`),
    ...fills.map((fill) => `order.filled:${orderId}:${fill.fill_id}`),
    ...(positionId === null ? [] : [`position.settled:${positionId}`]),
  ];
  const [gates, quotes, facts, entries, events, attempts, evidence, settlements] = await Promise.all([
    sql<Gates[]>`
      select o.execution_confirmed, o.trading_paused, o.status,
        (select c.status from contracts c where c.contract_id = ${order.contract_id}) as market_status,
        coalesce((select -b.balance from account_balances b
          where b.operator_id = o.operator_id and b.account_id = ${ACCOUNTS.collateralAvailable}), 0)::bigint as collateral_minor
      from operators o where o.operator_id = ${operatorId}`,
    sql<QuoteRow[]>`
      select price_micros, quantity, authorization_minor, created_at, expires_at, spent_by, book
      from (select * from quotes union all select * from kept_quotes) q
      where operator_id = ${operatorId} and quote_id = ${order.quote_id} limit 1`,
    listFacts(sql, order),
    sql<EntryRow[]>`
      select e.position as sequence, e.entry_id, e.movement_type, e.memo, e.reference_type, e.reference_id, e.corrects_entry_id,
        e.recorded_at, (select json_agg(json_build_object('account', l.account_id, 'amount', l.amount::text, 'after', l.balance_after::text)
          order by l.line_no) from ledger_lines l where l.operator_id = e.operator_id and l.position = e.position) as lines
      from ledger_entries e
      where e.operator_id = ${operatorId} and e.reference_id = any (${[orderId, ...(positionId === null ? [] : [positionId])]}::text[])
        and (e.reference_id = ${orderId} or e.movement_type = 'POSITION_SETTLEMENT')
      order by e.position`,
    sql<EventRow[]>`
      select event_id, type, dedupe_key, created_at, relayed_at from outbox_events
      where operator_id = ${operatorId} and dedupe_key = any (${keys}::text[]) order by event_id`,
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
  const eventIds = events.map((event) => event.event_id);
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
    where operator_id = ${order.operator_id} and external_user_id = ${order.external_user_id}
      and position >= (select min(position) from feed_items where operator_id = ${order.operator_id}
        and order_id = ${order.order_id} and type = 'order.state_changed')
      and (order_id = ${order.order_id} or (position_id = ${order.position_id} and type = 'position.settled'))
      and type not in ('ledger.posted', 'webhook.emitted')
    order by position`;
}
