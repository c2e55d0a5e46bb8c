/**
 * The caps agreed for an account: one order's stake, and open exposure and live orders in 24 hours, per player and overall
 * (specification "Order safety limits"). Judges measured numbers; sells never count, so callers pass buys only.
 */
import { type Refusal, refuse } from '../core/errors.ts';

/** Null is no cap. Amounts are cents. */
export interface ExposureCaps {
  readonly playerExposureMinor: bigint | null;
  readonly playerOrders: number | null;
  readonly totalExposureMinor: bigint | null;
  readonly totalOrders: number | null;
}

/**
 * Exposure is authorizations of unresolved transmitted live buys and cost basis of open live positions; orders are live
 * buys transmitted in the last 24 hours (rulings 6). The order being judged is not yet in them.
 */
export interface MeasuredExposure {
  readonly playerExposureMinor: bigint;
  readonly playerOrders: number;
  readonly totalExposureMinor: bigint;
  readonly totalOrders: number;
}

/** @returns over_order_limit with `maxStake` (dollars, display), or null. Known at quote and at order. */
export function checkOrderStake(maxOrderMinor: bigint | null, stakeMinor: bigint): Refusal | null {
  if (maxOrderMinor === null || stakeMinor <= maxOrderMinor) return null;
  return refuse('over_order_limit', undefined, { maxStake: Number(maxOrderMinor) / 100 });
}

/** @returns over_tenant_exposure, or null. Which cap it was stays with the operator's contract, not in the reply. */
export function checkExposure(
  caps: ExposureCaps,
  measured: MeasuredExposure,
  authorizationMinor: bigint,
): Refusal | null {
  const breached =
    exceeds(measured.playerExposureMinor + authorizationMinor, caps.playerExposureMinor) ||
    exceeds(measured.totalExposureMinor + authorizationMinor, caps.totalExposureMinor) ||
    exceeds(measured.playerOrders + 1, caps.playerOrders) ||
    exceeds(measured.totalOrders + 1, caps.totalOrders);
  return breached ? refuse('over_tenant_exposure') : null;
}

function exceeds<T extends bigint | number>(value: T, cap: T | null): boolean {
  return cap !== null && value > cap;
}
