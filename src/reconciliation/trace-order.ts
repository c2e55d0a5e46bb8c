/**
 * The history of one order for the service operator's support: what its operator reads of it, the names at the venue, its bookings, and the
 * next steps. Reads only.
 */
import type { Mode } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import { type PostedEntry, postedEntry } from '../ledger/render/items.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { ReferencedOrder } from '../trading/orders/read-orders.ts';
import type { HistoryEvent, OrderHistory } from '../wire/history.ts';
import { findMarket, type Market, summarize } from './order-history.ts';
import { quotedAt, readOrderStory, timelineOf } from './order-timeline.ts';

export interface TracedLevel {
  readonly price: number;
  readonly quantity: number;
}

interface TracedQuote {
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

/** An event of the timeline; its text names the venue, and further fields have the ids there. */
type TracedEvent = HistoryEvent & { readonly [fact: string]: unknown };

export interface OrderTrace extends Omit<OrderHistory, 'timeline'> {
  readonly order: OrderHistory['order'] & {
    readonly market: Market;
    readonly operator: string;
    readonly mode: Mode;
    readonly positionId: string | null;
    readonly venue: string;
    readonly quote: TracedQuote;
    /** The next steps of a support person; empty if there are none. */
    readonly next: readonly string[];
  };
  readonly timeline: readonly TracedEvent[];
  readonly ledger: readonly TracedEntry[];
}

export async function traceOrder(sql: Sql, order: ReferencedOrder): Promise<OrderTrace> {
  const [story, market, gates, attempt] = await Promise.all([
    readOrderStory(sql, order),
    findMarket(sql, order.contractId),
    readGates(sql, order),
    readAttempt(sql, order),
  ]);
  const { order: shown, sentence, ...history } = summarize(order, story, market);
  const byStatus = (status: string) => story.deliveries.filter((delivery) => delivery.status === status);
  return {
    order: {
      ...shown,
      market,
      operator: order.slug,
      mode: order.mode,
      positionId: order.positionId,
      venue: order.venue,
      quote: renderTracedQuote(order),
      next: nextSteps({
        order,
        gates,
        attempt,
        undelivered: byStatus('pending').length,
        exhausted: byStatus('exhausted').map((delivery) => delivery.deliveryId),
      }),
    },
    sentence,
    timeline: timelineOf(order, story).map(({ inside, ...event }) => ({ ...event, ...inside })),
    ...history,
    ledger: story.rows
      .map(postedEntry)
      .filter((entry) => entry !== null)
      .map(renderEntry),
  };
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

/** The facts that decide whether an order may be sent. */
interface Gates {
  readonly executionConfirmed: boolean;
  readonly tradingPaused: boolean;
  /** The status of the operator. */
  readonly status: string;
  readonly marketStatus: string | null;
  /** Collateral that is not committed. */
  readonly collateralMinor: bigint;
}

async function readGates(sql: Sql, { operatorId, contractId }: ReferencedOrder): Promise<Gates> {
  const [gates] = await sql<Gates[]>`
    with market as materialized (select max(c.status) as status from contracts c where c.contract_id = ${contractId})
    select o.execution_confirmed, o.trading_paused, o.status, market.status as market_status,
      -l.collateral_available as collateral_minor
    from operators o join operator_ledgers l using (operator_id) cross join market where o.operator_id = ${operatorId}`;
  if (gates === undefined) {
    throw new Error('an order has an operator');
  }
  return gates;
}

/** The attempt to trade an order at a venue, and how often the venue was asked about it. */
interface Attempt {
  readonly ourId: string;
  readonly venue: string;
  readonly state: string;
  readonly lookups: number;
  readonly nextLookupAt: Date;
}

async function readAttempt(sql: Sql, { operatorId, orderId }: ReferencedOrder): Promise<Attempt | undefined> {
  const [attempt] = await sql<Attempt[]>`
    select our_id, venue, state, lookups, next_lookup_at from transmissions
    where operator_id = ${operatorId} and order_id = ${orderId}`;
  return attempt;
}

interface TracedState {
  readonly order: ReferencedOrder;
  readonly gates: Gates;
  readonly attempt: Attempt | undefined;
  readonly undelivered: number;
  readonly exhausted: readonly string[];
}

/** The next steps of a support person, most urgent first. Empty if the order is final and every delivery was made. */
function nextSteps({ order, gates, attempt, undelivered, exhausted }: TracedState): string[] {
  const steps: string[] = [];
  const { slug, executionRef: reference, orderId } = order;
  if (gates.status !== 'active') {
    steps.push(`${slug} is suspended: "inlay operators resume ${slug}" lets it trade again.`);
  }
  if (order.status === 'reserve_pending') {
    steps.push(
      `The operator confirms its reserve ("inlay orders confirm-reserve ${orderId}") or withdraws ("inlay orders cancel ${orderId}").`,
    );
    steps.push(...missingCollateral(order, gates));
  }
  if (order.status === 'reserve_pending' || order.status === 'pending_venue_execution') {
    if (!gates.executionConfirmed) {
      steps.push(
        `Live execution is not confirmed for ${slug}: "inlay operators update ${slug} --execution-confirmed" confirms it.`,
      );
    }
    if (!order.armed) {
      steps.push(`The order is not armed: "inlay orders arm ${reference}".`);
    }
    if (gates.tradingPaused) {
      steps.push(`Trading is paused: "inlay operators resume-trading ${slug}".`);
    }
    if (gates.marketStatus === 'paused') {
      steps.push(`The market is halted: "inlay markets resume ${order.contractId}".`);
    }
    if (order.status === 'pending_venue_execution' && steps.length === 0) {
      steps.push('It waits to be sent: is a worker running? ("inlay jobs list")');
    }
  }
  if (attempt !== undefined && attempt.state !== 'done') {
    steps.push(...openAttempt(attempt, reference));
  }
  if (undelivered > 0) {
    steps.push(
      `${undelivered === 1 ? 'One webhook delivery is' : `${undelivered} webhook deliveries are`} still tried; the feed and the registers say the same meanwhile.`,
    );
  }
  if (exhausted.length > 0) {
    steps.push(`Deliveries were given up: "inlay webhooks replay ${exhausted.join(' ')}".`);
  }
  return steps;
}

/** Confirming a live buy commits its authorization. */
function missingCollateral(
  { mode, action, authorizationMinor: needed, slug }: ReferencedOrder,
  gates: Gates,
): string[] {
  if (mode !== 'live' || action !== 'buy' || gates.collateralMinor >= needed) {
    return [];
  }
  const lacking = needed - gates.collateralMinor;
  return [
    `Confirming takes ${formatMinor(needed)} of collateral, ${formatMinor(gates.collateralMinor)} is available: "inlay operators collateral deposit ${slug} ${lacking}" or more.`,
  ];
}

function openAttempt(attempt: Attempt, reference: string): string[] {
  const asked = `asked ${attempt.lookups === 1 ? 'once' : `${attempt.lookups} times`}, next at ${attempt.nextLookupAt.toISOString()}`;
  if (attempt.state === 'working') {
    return [`It is open at ${attempt.venue} and may still fill (${asked}).`];
  }
  if (attempt.state === 'reading_fee') {
    return [`Only the fee of ${attempt.venue} is not known yet (${asked}).`];
  }
  return [
    `${attempt.venue} has not reported what became of ${attempt.ourId} (${asked}). The operator holds the authorization.`,
    `When the venue has informed a person: "inlay orders resolve ${reference} --filled Q --price P --fee CENTS | --rejected --evidence TEXT".`,
  ];
}
