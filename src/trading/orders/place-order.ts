/** Places an order: its context is read, it is decided in memory, and one statement verifies and writes it (contract chapter 10). */
import { type Refusal, refuse } from '../../core/errors.ts';
import type { Clock } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import type { Board } from '../../markets/board/board.ts';
import { readHaltedVenues } from '../../markets/board/board-state.ts';
import type { RelayWaker } from '../../webhooks/relay.ts';
import type { QuoteMemory, RecalledQuote, Trader } from '../quotes/issue-quote.ts';
import { capToRefusal, codeToRefusal, withPassableStake } from '../refusals.ts';
import { composeOrder, decideOrder, newOrderIds, type OrderRequest, writtenOrder } from './decide-order.ts';
import type { OrderContext, OrderRow } from './order.ts';
import { awaitDurable, findOrder, type OrderVerdict, type PlaceOrders, type ReadOrderContext } from './orders.ts';

export interface PlacedOrder {
  readonly order: OrderRow;
  /** True if the key already named this order and nothing was written. */
  readonly replay: boolean;
}

export interface PlaceOrderPorts {
  readonly sql: Sql;
  readonly board: Board;
  readonly clock: Clock;
  readonly gather: ReadOrderContext;
  readonly memory: QuoteMemory;
  readonly place: PlaceOrders;
  readonly relay: RelayWaker;
  /** Whether this deployment can send orders to the venue. */
  readonly trades: (venue: string) => boolean;
}

/** How often an order is decided at most. It is decided again if its quote, book, position or scenario has changed meanwhile. */
const DECISIONS = 8;
const DECIDE_AGAIN = new Set(['quote_changed', 'book_changed', 'position_changed', 'scenario_changed']);

/**
 * @returns the order after the call, or the earlier order with the same key
 * @throws the refusal of the first check that fails; price_moved names the rejected order that now holds the key
 */
export async function placeOrder(ports: PlaceOrderPorts, trader: Trader, request: OrderRequest): Promise<PlacedOrder> {
  const ids = newOrderIds();
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    const known = decision === 0 ? ports.memory.recall(trader, request.quoteId) : undefined;
    const context = known === undefined ? await readContext(ports, trader, request) : toContext(known);
    if (context.existingOrderId !== null) {
      return replayOrder(ports.sql, trader, request, context.existingOrderId);
    }
    if (known === undefined) {
      refuseEarly(trader, context);
    }
    const halted = trader.operator.mode === 'live' ? readHaltedVenues(ports.board.feeds, ports.trades) : null;
    const decided = decideOrder(ports.board, trader, request, context, ids, ports.clock.now(), halted);
    const command = composeOrder(trader, request, context, decided);
    const verdict = await ports.place(command);
    if (verdict.code === null || verdict.code === 'created') {
      ports.relay.wake();
      if (command.status === 'rejected') {
        throw refuse('price_moved', undefined, { orderId: verdict.orderId, executionRef: ids.executionRef });
      }
      // After `created`, an earlier try whose answer was lost has written the order, so its time and position are read.
      const written =
        verdict.code === 'created'
          ? await findOrder(ports.sql, trader.operator.operatorId, verdict.orderId)
          : undefined;
      return { order: written ?? writtenOrder(command, verdict), replay: false };
    }
    if (verdict.code === 'replay' || verdict.code === 'idempotency_conflict') {
      return replayOrder(ports.sql, trader, request, verdict.orderId);
    }
    if (verdict.code === 'insufficient_collateral') {
      // The order is recorded without a confirmed reserve and keeps its key (contract 10.18).
      const unconfirmed = { ...request, reserveReference: null };
      const placed = await placeOrder(ports, trader, unconfirmed);
      throw refuse('insufficient_collateral', undefined, { orderId: placed.order.orderId });
    }
    if (DECIDE_AGAIN.has(verdict.code)) {
      await ports.board.refresh();
      continue;
    }
    if (verdict.code === 'over_tenant_exposure') {
      const { operator, externalUserId } = trader;
      throw await nameExceededCap(ports.sql, operator.operatorId, externalUserId, context.authorizationMinor);
    }
    throw withPassableStake(toRefusal(verdict, context, decided), decided.contract, context.feeBps);
  }
  throw refuse('price_unverified');
}

function readContext({ gather }: PlaceOrderPorts, trader: Trader, request: OrderRequest): Promise<OrderContext> {
  const asked = {
    operatorId: trader.operator.operatorId,
    externalUserId: trader.externalUserId,
    quoteId: request.quoteId,
    clientOrderId: request.clientOrderId,
    simulates: request.intent === 'simulate',
  };
  return gather(asked);
}

const NO_POSITION = {
  positionId: null,
  positionQuantity: 0n,
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
    quantity: quote.quantityMicros,
    simulated: quote.simulated,
    venue,
    routingReason: quote.routing.reason,
    consideredVenues: quote.routing.consideredVenues,
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

function toRefusal(verdict: OrderVerdict, context: OrderContext, decided: ReturnType<typeof decideOrder>) {
  const { code } = verdict;
  if (code === 'quote_already_used') {
    return refuse('quote_already_used', undefined, { orderId: verdict.orderId });
  }
  const worded = [decided.refusal, decided.lateRefusal].find((refusal) => refusal?.code === code);
  return worded ?? codeToRefusal(code ?? 'internal_error', verdict.limits, context.authorizationMinor);
}

/**
 * Answers a repeated key with the order as it is now, whatever has changed since: quotes, prices, limits, a suspension, a pause. A
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

/** Reads which cap of the account refused the order. This is read only after a refusal, so that it does not slow down accepted orders. */
async function nameExceededCap(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  authorizationMinor: bigint,
): Promise<Refusal> {
  const [row] = await sql<{ cap: string | null }[]>`
    select exceeded_cap_of(${operatorId}, ${externalUserId}, ${authorizationMinor}) as cap`;
  return capToRefusal(row?.cap ?? null);
}
