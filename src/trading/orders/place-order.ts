/** Places an order: its context is read, it is decided in memory, and one statement verifies and writes it (contract chapter 10). */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import type { Board } from '../../markets/board/board.ts';
import { readHaltedVenues } from '../../markets/board/board-state.ts';
import type { QuoteMemory, RecalledQuote, Trader } from '../quotes/issue-quote.ts';
import { capToRefusal, codeToRefusal, withPassableStake } from '../refusals.ts';
import { composeOrder, decideOrder, newOrderIds, type OrderRequest, writtenOrder } from './decide-order.ts';
import type { OrderCommand, OrderContext, OrderRow } from './order.ts';
import {
  AGAIN,
  awaitDurable,
  decideAgain,
  findOrder,
  type OrderVerdict,
  type PlaceOrders,
  type ReadOrderContext,
} from './orders.ts';

export interface PlacedOrder {
  readonly order: OrderRow;
  /** True if the key already named this order and no order was written. */
  readonly replay: boolean;
}

export interface PlaceOrderPorts {
  readonly sql: Sql;
  readonly board: Board;
  readonly clock: Clock;
  readonly gather: ReadOrderContext;
  readonly memory: QuoteMemory;
  readonly place: PlaceOrders;
  /** Whether this deployment can send orders to the venue. */
  readonly trades: (venue: string) => boolean;
}

/**
 * @returns the order after the call, or the earlier order with the same key
 * @throws the refusal of the first check that fails; price_moved names the rejected order that now holds the key
 */
export async function placeOrder(ports: PlaceOrderPorts, trader: Trader, request: OrderRequest): Promise<PlacedOrder> {
  const ids = newOrderIds();
  return decideAgain('price_unverified', async (decision) => {
    const context = await contextOf(ports, trader, request, decision);
    if (context.existingOrderId !== null) {
      return replayOrder(ports.sql, trader, request, context.existingOrderId);
    }
    const halted = trader.operator.mode === 'live' ? readHaltedVenues(ports.board.feeds, ports.trades) : null;
    const decided = decideOrder(ports.board, trader, request, context, ids, ports.clock.now(), halted);
    const command = composeOrder(trader, request, context, decided);
    const verdict = await ports.place(command);
    switch (verdict.code) {
      case null:
      case 'created':
        return recorded(ports, trader, command, verdict);
      case 'replay':
      case 'idempotency_conflict':
        return replayOrder(ports.sql, trader, request, verdict.orderId);
      case 'insufficient_collateral':
        throw await recordUnconfirmed(ports, trader, request);
      case 'quote_changed':
      case 'book_changed':
      case 'position_changed':
      case 'scenario_changed':
        await ports.board.refresh();
        return AGAIN;
      case 'over_tenant_exposure':
        throw await nameExceededCap(ports.sql, trader, context.authorizationMinor);
      default:
        throw withPassableStake(toRefusal(verdict, context, decided), decided.contract, context.feeBps);
    }
  });
}

/** The context of the order: of its first decision from a quote that this process remembers, otherwise by a read. */
async function contextOf(
  { gather, memory }: PlaceOrderPorts,
  trader: Trader,
  request: OrderRequest,
  decision: number,
): Promise<OrderContext> {
  const recalled = decision === 0 ? memory.recall(trader, request.quoteId) : undefined;
  if (recalled !== undefined) {
    return toContext(recalled);
  }
  const context = await gather({
    operatorId: trader.operator.operatorId,
    externalUserId: trader.externalUserId,
    quoteId: request.quoteId,
    clientOrderId: request.clientOrderId,
    simulates: request.intent === 'simulate',
  });
  if (context.existingOrderId === null) {
    refuseEarly(trader, context);
  }
  return context;
}

const NO_POSITION = {
  positionId: null,
  positionQuantityMicros: 0n,
  costBasisMinor: 0n,
  entryFeesMinor: 0n,
  priceWeight: '0',
  averagePriceMicros: 0n,
  positionVersion: 0n,
};

/** The context of a first order on a quote that this process remembers, as long as no scenario waits for the order. */
function toContext({ quote, venue }: RecalledQuote): OrderContext {
  return {
    ...NO_POSITION,
    customerSuspended: false,
    existingOrderId: null,
    quoteId: quote.quoteId,
    contractId: quote.contractId,
    side: quote.side,
    action: quote.action,
    priceMicros: quote.priceMicros,
    feeBps: quote.feeBps,
    authorizationMinor: quote.authorizationMinor,
    feeMinor: quote.feeMinor,
    tradeMinor: quote.tradeMinor,
    quantityMicros: quote.quantityMicros,
    simulated: quote.simulated,
    venue,
    routingReason: quote.routing.reason,
    consideredVenues: quote.routing.consideredVenues,
    levels: quote.levels,
    scenarioId: null,
    fillFraction: null,
    fillAmountMinor: null,
  };
}

/**
 * Checks that come before those of the quote, once a read has found no earlier order with the key. An order on a remembered quote is
 * decided without that read: then the statement looks for the earlier order first, and makes these checks after it (contract 10.4,
 * contract 10.11).
 */
function refuseEarly(trader: Trader, context: OrderContext): void {
  if (context.customerSuspended) {
    throw refuse('user_suspended');
  }
  if (trader.operator.tradingPaused) {
    throw refuse('trading_paused');
  }
  if (context.quoteId === null) {
    throw refuse('quote_not_found');
  }
}

/** The order as it was written. @throws price_moved if it was rejected, with the id of the rejected order */
async function recorded(
  { sql }: PlaceOrderPorts,
  { operator }: Trader,
  command: OrderCommand,
  verdict: OrderVerdict,
): Promise<PlacedOrder> {
  if (command.status === 'rejected') {
    throw refuse('price_moved', undefined, { orderId: verdict.orderId, executionRef: command.executionRef });
  }
  // After `created`, an earlier try whose response was lost has written the order, so its time and position are read.
  const written = verdict.code === 'created' ? await findOrder(sql, operator.operatorId, verdict.orderId) : undefined;
  return { order: written ?? writtenOrder(command, verdict), replay: false };
}

/**
 * Responds to a repeated key with the order as it is now, whatever has changed since: quotes, prices, limits, a suspension, a pause. A
 * replay writes nothing and confirms nothing.
 * @throws idempotency_conflict if the key was used with another quote
 */
async function replayOrder(
  sql: Sql,
  { operator }: Trader,
  { quoteId }: OrderRequest,
  orderId: string,
): Promise<PlacedOrder> {
  const order = await findOrder(sql, operator.operatorId, orderId);
  if (order === undefined) {
    throw refuse('internal_error');
  }
  if (order.quoteId !== quoteId) {
    throw refuse('idempotency_conflict');
  }
  await awaitDurable(sql, operator.operatorId, orderId);
  return { order, replay: true };
}

/** Records the order without a confirmed reserve, so that it keeps its key (contract 10.18). @returns the refusal, with its id */
async function recordUnconfirmed(ports: PlaceOrderPorts, trader: Trader, request: OrderRequest): Promise<Refusal> {
  const placed = await placeOrder(ports, trader, { ...request, reserveReference: null });
  return refuse('insufficient_collateral', undefined, { orderId: placed.order.orderId });
}

/** Reads which cap of the account refused the order. This is read only after a refusal, so that it does not slow down accepted orders. */
async function nameExceededCap(
  sql: Sql,
  { operator, externalUserId }: Trader,
  authorizationMinor: bigint,
): Promise<Refusal> {
  const [row] = await sql<{ cap: string | null }[]>`
    select exceeded_cap_of(${operator.operatorId}, ${externalUserId}, ${authorizationMinor}) as cap`;
  return capToRefusal(row?.cap ?? null);
}

function toRefusal(verdict: OrderVerdict, context: OrderContext, decided: ReturnType<typeof decideOrder>) {
  const { code } = verdict;
  if (code === 'quote_already_used') {
    return refuse('quote_already_used', undefined, { orderId: verdict.orderId });
  }
  const worded = [decided.refusal, decided.lateRefusal].find((refusal) => refusal?.code === code);
  return worded ?? codeToRefusal(code ?? 'internal_error', verdict.limits, context.authorizationMinor);
}
