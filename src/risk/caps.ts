/**
 * The maximum stake of one order on an account (specification "Order safety limits"). The caps on exposure and on
 * orders per day are running totals under locks, so only the money statements check them
 * (sql/functions/risk/exposure_exceeded.sql).
 */
import { type Refusal, refuse } from '../core/errors.ts';

/**
 * Checked at quote and at order.
 * @returns over_order_limit with `maxStake` (dollars, display), or null
 */
export function checkOrderStake(maxOrderMinor: bigint | null, stakeMinor: bigint): Refusal | null {
  if (maxOrderMinor === null || stakeMinor <= maxOrderMinor) {
    return null;
  }
  return refuse('over_order_limit', undefined, { maxStake: Number(maxOrderMinor) / 100 });
}
