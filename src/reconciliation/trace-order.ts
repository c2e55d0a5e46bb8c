/** The whole life of one order for support: its events in order, its bookings, its deliveries, and the next steps. Reads only. */
import type { Mode } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import type { PostedEntry } from '../ledger/render/items.ts';
import { readContractNames } from '../markets/catalogue/names.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import { type ReferencedOrder, renderOrder } from '../trading/orders/read-orders.ts';
import type { Delivery } from '../webhooks/deliveries.ts';
import type { OrderDetail } from '../wire/order.ts';
import { type LedgerInstruction, nextSteps, operatorInstructions } from './order-instructions.ts';
import { type OrderEvidence, quotedAt, readOrderEvidence, type TimelineEvent, timelineOf } from './order-timeline.ts';

export interface TracedLevel {
  readonly price: number;
  readonly quantity: number;
}

export interface TracedQuote {
  readonly quoteId: string;
  readonly price: number;
  readonly contracts: number;
  readonly authorizationAmount: string;
  readonly quotedAt: string;
  /** The levels of the book that it took, best first: price and contracts of its side. */
  readonly levels: readonly TracedLevel[];
}

export interface TracedEntry {
  readonly entryId: string;
  readonly sequence: number;
  readonly recordedAt: string;
  readonly movementType: string;
  readonly memo: string;
  readonly referenceType: string;
  readonly referenceId: string;
  readonly lines: readonly {
    readonly accountId: string;
    readonly debit: string;
    readonly credit: string;
    /** Debit positive. */
    readonly balanceAfter: string;
  }[];
}

export interface TracedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly dedupeKey: string;
  readonly createdAt: string;
  readonly deliveries: readonly Delivery[];
}

export interface OrderTrace {
  readonly order: OrderDetail & {
    /** The names of the contract; null if the catalogue no longer has it. */
    readonly market: { readonly title: string; readonly label: string } | null;
    readonly operator: string;
    readonly mode: Mode;
    readonly externalUserId: string;
    readonly positionId: string | null;
    readonly venue: string;
    readonly quote: TracedQuote;
    /** The movements that the operator's own ledger should have for it. */
    readonly operatorLedger: readonly LedgerInstruction[];
    /** The next steps of a support person; empty if there are none. */
    readonly next: readonly string[];
  };
  readonly timeline: readonly TimelineEvent[];
  readonly ledger: readonly TracedEntry[];
  readonly webhooks: readonly TracedEvent[];
}

export async function traceOrder(sql: Sql, order: ReferencedOrder): Promise<OrderTrace> {
  const evidence = await readOrderEvidence(sql, order);
  const webhooks = webhooksOf(evidence);
  const byStatus = (status: string) => evidence.deliveries.filter((delivery) => delivery.status === status);
  return {
    order: {
      ...renderOrder(order, { intent: true, fills: evidence.fills }),
      market: await findMarket(sql, order.contractId),
      operator: order.slug,
      mode: order.mode,
      externalUserId: order.externalUserId,
      positionId: order.positionId,
      venue: order.venue,
      quote: renderTracedQuote(order),
      operatorLedger: operatorInstructions(order, evidence.settlement),
      next: nextSteps({
        order,
        gates: evidence.gates,
        attempt: evidence.attempt,
        undelivered: byStatus('pending').length,
        exhausted: byStatus('exhausted').map((delivery) => delivery.deliveryId),
      }),
    },
    timeline: timelineOf(order, evidence),
    ledger: evidence.entries.map(renderEntry),
    webhooks,
  };
}

async function findMarket(sql: Sql, contractId: string): Promise<{ title: string; label: string } | null> {
  const [name] = await readContractNames(sql, [contractId]);
  return name === undefined ? null : { title: name.title, label: name.label };
}

function renderTracedQuote(order: ReferencedOrder): TracedQuote {
  return {
    quoteId: order.quoteId,
    price: jsonNumber(order.priceMicros, MICRO_SCALE),
    contracts: jsonNumber(order.quotedQuantityMicros, MICRO_SCALE),
    authorizationAmount: formatMinor(order.authorizationMinor),
    quotedAt: quotedAt(order).toISOString(),
    levels: order.levels.map(([price, quantity]) => ({
      price: jsonNumber(BigInt(price), MICRO_SCALE),
      quantity: jsonNumber(BigInt(quantity), MICRO_SCALE),
    })),
  };
}

function renderEntry(entry: PostedEntry): TracedEntry {
  return {
    entryId: entry.entryId,
    sequence: Number(entry.sequence),
    recordedAt: entry.recordedAt.toISOString(),
    movementType: entry.movementType,
    memo: entry.memo,
    referenceType: entry.referenceType,
    referenceId: entry.referenceId,
    lines: entry.lines.map(({ accountId, amountMinor, balanceAfterMinor }) => ({
      accountId,
      debit: formatMinor(amountMinor > 0n ? amountMinor : 0n),
      credit: formatMinor(amountMinor < 0n ? -amountMinor : 0n),
      balanceAfter: formatMinor(balanceAfterMinor ?? 0n),
    })),
  };
}

function webhooksOf({ events, deliveries }: OrderEvidence): TracedEvent[] {
  const byEvent = Map.groupBy(deliveries, (delivery) => delivery.eventId);
  return events.map((event) => ({
    eventId: event.eventId,
    type: event.type,
    dedupeKey: event.dedupeKey,
    createdAt: event.createdAt.toISOString(),
    deliveries: byEvent.get(event.eventId) ?? [],
  }));
}
