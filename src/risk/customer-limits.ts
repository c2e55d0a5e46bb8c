/**
 * The maximum stake of a customer: the operator's limits for all customers and the customer's own limits, which can
 * only tighten the operator's (contract chapter 28). Checks numbers that were measured elsewhere; reads
 * nothing.
 */
import { type Refusal, refuse } from '../core/errors.ts';

export type LimitLevel = 'operator' | 'account';

/**
 * The limits of one level, operator or account, as they were set. `periodStakeMinor` and `periodHours` are both set or
 * both null. Amounts are cents.
 */
export interface LevelLimits {
  readonly maxWagerMinor: bigint | null;
  readonly periodStakeMinor: bigint | null;
  readonly periodHours: number | null;
}

export interface PeriodLimit {
  readonly stakeMinor: bigint;
  readonly hours: number;
  readonly rung: LimitLevel;
}

/**
 * The limits that apply. Two windows of different length both apply; of two with the same length, the smaller stake
 * applies.
 */
export interface EffectiveLimits {
  readonly maxWagerMinor: bigint | null;
  readonly maxWagerRung: LimitLevel | null;
  readonly periods: readonly PeriodLimit[];
}

/**
 * Stakes of a customer's buys in the last `hours` hours, in cents: the debited amount, and for open orders the whole
 * authorization. Cancelled, rejected and released stakes do not count, and sells never do (contract 28.11).
 */
export interface MeasuredWindow {
  readonly hours: number;
  readonly stakedMinor: bigint;
}

/** If both are equal the operator level is named, since the account level then tightens nothing. */
export function effectiveLimits(operator: LevelLimits, account: LevelLimits): EffectiveLimits {
  const accountIsTighter =
    account.maxWagerMinor !== null &&
    (operator.maxWagerMinor === null || account.maxWagerMinor < operator.maxWagerMinor);
  const maxWagerMinor = accountIsTighter ? account.maxWagerMinor : operator.maxWagerMinor;
  return {
    maxWagerMinor,
    maxWagerRung: maxWagerMinor === null ? null : accountIsTighter ? 'account' : 'operator',
    periods: effectivePeriods(periodOf(operator, 'operator'), periodOf(account, 'account')),
  };
}

/**
 * Checks a buy of `stakeMinor` cents against the measured sums of the window of every period.
 * @throws Error if a window was not measured: an unknown sum must never count as zero
 * @returns over_wager_limit or over_period_limit, with `maxStake` (dollars, display) if a smaller stake would pass;
 * null if the stake passes
 */
export function checkCustomerLimits(
  limits: EffectiveLimits,
  stakeMinor: bigint,
  windows: readonly MeasuredWindow[],
): Refusal | null {
  const overWager = limits.maxWagerMinor !== null && stakeMinor > limits.maxWagerMinor;
  const room = smallestRoom(limits, windows);
  const overPeriod = room !== null && stakeMinor > room;
  if (!overWager && !overPeriod) {
    return null;
  }
  const ceiling =
    limits.maxWagerMinor === null || (room !== null && room < limits.maxWagerMinor) ? room : limits.maxWagerMinor;
  const extra = ceiling !== null && ceiling > 0n ? { maxStake: Number(ceiling) / 100 } : {};
  return refuse(overWager ? 'over_wager_limit' : 'over_period_limit', undefined, extra);
}

function smallestRoom(limits: EffectiveLimits, windows: readonly MeasuredWindow[]): bigint | null {
  let smallest: bigint | null = null;
  for (const period of limits.periods) {
    const measured = windows.find((window) => window.hours === period.hours);
    if (measured === undefined) {
      throw new Error(`The window of ${period.hours} h was not measured.`);
    }
    const room = period.stakeMinor > measured.stakedMinor ? period.stakeMinor - measured.stakedMinor : 0n;
    if (smallest === null || room < smallest) {
      smallest = room;
    }
  }
  return smallest;
}

function periodOf({ periodStakeMinor, periodHours }: LevelLimits, level: LimitLevel): PeriodLimit | null {
  if (periodStakeMinor === null || periodHours === null) {
    return null;
  }
  return { stakeMinor: periodStakeMinor, hours: periodHours, rung: level };
}

function effectivePeriods(operator: PeriodLimit | null, account: PeriodLimit | null): PeriodLimit[] {
  if (operator !== null && account !== null && operator.hours === account.hours) {
    return [account.stakeMinor < operator.stakeMinor ? account : operator];
  }
  return [operator, account].filter((period) => period !== null);
}

/**
 * The maximum stake of one order on an account (contract 20.5), checked at quote and at order. The caps
 * on exposure and on orders per day are running totals under locks, so only the money statements check them
 * (sql/functions/risk/exposure_exceeded.sql).
 * @returns over_order_limit with `maxStake` (dollars, display), or null
 */
export function checkOrderStake(maxOrderMinor: bigint | null, stakeMinor: bigint): Refusal | null {
  if (maxOrderMinor === null || stakeMinor <= maxOrderMinor) {
    return null;
  }
  return refuse('over_order_limit', undefined, { maxStake: Number(maxOrderMinor) / 100 });
}
