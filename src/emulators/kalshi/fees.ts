/**
 * Kalshi's taker fee: 0.07 of count, price and its complement, times the multiplier of the series, rounded up to 0.0001
 * dollars; then so much more that the change of the balance is a multiple of 0.0001 dollars.
 */
import { DOLLAR } from './state.ts';

/** 0.0001 dollars in micro-dollars. */
const TICK = 100n;

export interface FilledPart {
  /** Micro-contracts. */
  readonly count: bigint;
  /** Price of YES in micro-dollars. */
  readonly yesPrice: bigint;
  /** What the side that is bought costs: YES for a bid, NO for an ask. */
  readonly side: 'bid' | 'ask';
}

/** @param multiplierBps 10,000 is 1. @returns the fee of the whole fill, micro-dollars. */
export function takerFee({ count, yesPrice, side }: FilledPart, multiplierBps: bigint): bigint {
  const scale = DOLLAR * DOLLAR * 100n * 10_000n;
  const exact = 7n * multiplierBps * count * yesPrice * (DOLLAR - yesPrice);
  const tradeFee = ceil(exact, scale * TICK) * TICK;
  const cost = (count * (side === 'bid' ? yesPrice : DOLLAR - yesPrice)) / DOLLAR;
  return ceil(cost + tradeFee, TICK) * TICK - cost;
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
