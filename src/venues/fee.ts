/** What a fee schedule comes to. Exact integers; it decides nothing about who pays. */
import type { FeeSchedule } from './port.ts';

const DOLLAR = 1_000_000n;
const BPS = 10_000n;

/**
 * @param quantityMicros micro-contracts.
 * @param priceMicros price of the side traded.
 * @returns micro-dollars, rounded up; the most the venue may take where the schedule is not known.
 */
export function feeMicros(schedule: FeeSchedule, quantityMicros: bigint, priceMicros: bigint): bigint {
  const bps = BigInt(schedule.bps);
  if (schedule.model === 'of_cost') {
    return ceilDivide(quantityMicros * priceMicros * bps, DOLLAR * BPS);
  }
  return ceilDivide(quantityMicros * priceMicros * (DOLLAR - priceMicros) * bps, DOLLAR * DOLLAR * BPS);
}

function ceilDivide(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
