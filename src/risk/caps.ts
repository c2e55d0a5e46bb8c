/**
 * The most that one order may stake on an account (specification "Order safety limits"). The caps on exposure and on orders
 * a day are running totals under locks, so the money statements alone judge them (sql/functions/risk/exposure_exceeded.sql).
 */
import { type Refusal, refuse } from '../core/errors.ts';

/** @returns over_order_limit with `maxStake` (dollars, display), or null. Known at quote and at order. */
export function checkOrderStake(maxOrderMinor: bigint | null, stakeMinor: bigint): Refusal | null {
  if (maxOrderMinor === null || stakeMinor <= maxOrderMinor) {
    return null;
  }
  return refuse('over_order_limit', undefined, { maxStake: Number(maxOrderMinor) / 100 });
}
