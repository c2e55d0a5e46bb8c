/** Words the refusal of a stake that the money statement measured as too large. */
import { type Refusal, refuse } from '../core/errors.ts';
import { checkOrderStake } from '../risk/caps.ts';
import { checkCustomerLimits, effectiveLimits, type LimitRung, type MeasuredWindow } from '../risk/customer-limits.ts';

interface MeasuredRung {
  readonly maxWagerMinor: string | null;
  readonly periodStakeMinor: string | null;
  readonly periodHours: number | null;
  readonly usedMinor: string | null;
}

/** What `broken_limits` returns: both rungs with what counted in their windows. */
export interface BrokenLimits {
  readonly account: MeasuredRung;
  readonly operator: MeasuredRung;
  readonly maxOrderMinor: string | null;
}

/** @param stakeMinor cents. @returns over_wager_limit, over_period_limit or over_order_limit, with maxStake. */
export function toLimitRefusal(broken: BrokenLimits, stakeMinor: bigint): Refusal {
  const windows = [...windowOf(broken.account), ...windowOf(broken.operator)];
  const limits = effectiveLimits(rungOf(broken.operator), rungOf(broken.account));
  return (
    checkCustomerLimits(limits, stakeMinor, windows) ??
    checkOrderStake(toBigInt(broken.maxOrderMinor), stakeMinor) ??
    refuse('over_period_limit')
  );
}

function rungOf(rung: MeasuredRung): LimitRung {
  return {
    maxWagerMinor: toBigInt(rung.maxWagerMinor),
    periodStakeMinor: toBigInt(rung.periodStakeMinor),
    periodHours: rung.periodHours,
  };
}

function windowOf(rung: MeasuredRung): MeasuredWindow[] {
  return rung.periodHours === null ? [] : [{ hours: rung.periodHours, stakedMinor: toBigInt(rung.usedMinor) ?? 0n }];
}

function toBigInt(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
