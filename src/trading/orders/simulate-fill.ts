/**
 * A simulated fill: the terms of a quote on the book as it is now, filled whole, in part by a scenario, or not at all. Orders that are
 * filled at once and recorded intents that are due are filled by the same rules (contract 13.1, contract 13.2). Pure.
 */
import type { OrderStatus } from '../../core/terms.ts';
import type { BoardContract } from '../../markets/event.ts';
import { askLadder, bidLadder } from '../../money/book.ts';
import { type Refill, refillBuy } from '../../money/buy.ts';
import { fillBuyPart, type PartialRequest, partialQuantity } from '../../money/partial.ts';
import { fillSellPart, refillSell } from '../../money/sell.ts';
import type { OrderContext } from './order.ts';

/** The fill and the money of a decided order, in cents, micro-contracts and micro-dollars. */
export interface FillOutcome {
  readonly status: OrderStatus;
  readonly filledMicros: bigint;
  readonly fillPriceMicros: bigint | null;
  readonly tradeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly proceedsMinor: bigint;
  readonly rejectReason: string | null;
}

/** The scenario that an order took, if any, and how much of the order it fills. */
export type ScenarioPart = Pick<OrderContext, 'scenarioId' | 'fillFraction' | 'fillAmountMinor'>;

/** The terms of the order that is filled. */
type SimulatedLine = Pick<
  OrderContext,
  | 'action'
  | 'side'
  | 'venue'
  | 'priceMicros'
  | 'feeBps'
  | 'authorizationMinor'
  | 'tradeMinor'
  | 'feeMinor'
  | 'quantityMicros'
> &
  ScenarioPart;

export const NOTHING_FILLED = {
  filledMicros: 0n,
  fillPriceMicros: null,
  tradeMinor: 0n,
  platformFeeMinor: 0n,
  proceedsMinor: 0n,
};

/** The outcome of an order whose price moved further than its customer accepts. */
export function reject(executionRef: string): FillOutcome {
  return {
    ...NOTHING_FILLED,
    status: 'rejected',
    rejectReason: `price_moved: the book moved off the quoted price (${executionRef})`,
  };
}

/**
 * @param slippageMicros how far the price may have moved, in micro-dollars
 * @returns the fill; `rejected` if the book moved further than that
 */
export function simulate(
  contract: BoardContract | undefined,
  context: SimulatedLine,
  slippageMicros: bigint,
  executionRef: string,
): FillOutcome {
  const refill = walkAgain(contract, context, slippageMicros);
  if (!refill.ok) {
    return reject(executionRef);
  }
  const { priceMicros, contractsMicros } = refill;
  const part = scenarioOf(context);
  if (context.action === 'buy') {
    const wholeMinor = context.authorizationMinor;
    const filledMicros = part === null ? contractsMicros : partialQuantity({ contractsMicros, wholeMinor }, part);
    const terms = {
      authorizationMinor: context.authorizationMinor,
      platformFeeMinor: context.feeMinor,
      tradeMinor: context.tradeMinor,
      priceMicros,
      contractsMicros,
    };
    // A whole fill takes the whole stake: the amount by which its contracts are rounded down is not returned.
    const money =
      filledMicros === contractsMicros
        ? { tradeMinor: context.tradeMinor, platformFeeMinor: context.feeMinor }
        : fillBuyPart(terms, filledMicros);
    return finish(filledMicros, contractsMicros, priceMicros, money.tradeMinor, money.platformFeeMinor, 0n);
  }
  const whole = fillSellPart({ priceMicros, feeBps: context.feeBps }, contractsMicros);
  const wanted =
    part === null ? contractsMicros : partialQuantity({ contractsMicros, wholeMinor: whole.notionalMinor }, part);
  const sold = fillSellPart({ priceMicros, feeBps: context.feeBps }, wanted);
  const filledMicros = sold.proceedsMinor > 0n ? wanted : 0n;
  const money = filledMicros > 0n ? sold : { notionalMinor: 0n, platformFeeMinor: 0n, proceedsMinor: 0n };
  return finish(
    filledMicros,
    contractsMicros,
    priceMicros,
    money.notionalMinor,
    money.platformFeeMinor,
    money.proceedsMinor,
  );
}

function walkAgain(contract: BoardContract | undefined, context: SimulatedLine, slippageMicros: bigint): Refill {
  const book = contract?.books.find((candidate) => candidate.venue === context.venue);
  if (book === undefined) {
    return { ok: false, code: 'price_moved' };
  }
  const terms = {
    tradeMinor: context.tradeMinor,
    priceMicros: context.priceMicros,
    contractsMicros: context.quantityMicros,
  };
  return context.action === 'buy'
    ? refillBuy(terms, askLadder(context.side, book.bids, book.asks), slippageMicros)
    : refillSell(terms, bidLadder(context.side, book.bids, book.asks), slippageMicros);
}

function scenarioOf(context: ScenarioPart): PartialRequest | null {
  if (context.scenarioId === null) {
    return null;
  }
  return context.fillFraction === null
    ? { amountMinor: context.fillAmountMinor ?? 0n }
    : { fraction: context.fillFraction };
}

function finish(
  filledMicros: bigint,
  contractsMicros: bigint,
  priceMicros: bigint,
  tradeMinor: bigint,
  platformFeeMinor: bigint,
  proceedsMinor: bigint,
): FillOutcome {
  const status = filledMicros === contractsMicros ? 'filled' : filledMicros > 0n ? 'partially_filled' : 'cancelled';
  return {
    status,
    filledMicros,
    fillPriceMicros: filledMicros > 0n ? priceMicros : null,
    tradeMinor,
    platformFeeMinor,
    proceedsMinor,
    rejectReason: null,
  };
}
