/**
 * What a customer may stake: the operator's ceiling over every customer and the customer's own, of which the second can
 * only tighten the first (specification "Customer limits"). Judges numbers that were measured elsewhere; reads nothing.
 */
import { type Refusal, refuse } from '../core/errors.ts';

export type Rung = 'operator' | 'account';

/** One rung as it was set. The pair `periodStakeMinor`, `periodHours` is null together. Amounts are cents. */
export interface LimitRung {
  readonly maxWagerMinor: bigint | null;
  readonly periodStakeMinor: bigint | null;
  readonly periodHours: number | null;
}

export interface PeriodLimit {
  readonly stakeMinor: bigint;
  readonly hours: number;
  readonly rung: Rung;
}

/** What binds. Two windows of different length both bind; of two with the same length the smaller stake does. */
export interface EffectiveLimits {
  readonly maxWagerMinor: bigint | null;
  readonly maxWagerRung: Rung | null;
  readonly periods: readonly PeriodLimit[];
}

/**
 * Stakes of a customer's buys in the `hours` before now, in cents: what was debited, and for orders still open the whole
 * authorization. Cancelled, rejected and released stakes do not count, sells never do (rulings 11).
 */
export interface MeasuredWindow {
  readonly hours: number;
  readonly stakedMinor: bigint;
}

/** On a tie the operator rung is named, since the account rung then tightens nothing. */
export function effectiveLimits(operator: LimitRung, account: LimitRung): EffectiveLimits {
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

/** The lengths, in hours, of the windows that must be measured before `checkCustomerLimits`. */
export function windowsToMeasure(limits: EffectiveLimits): number[] {
  return limits.periods.map((period) => period.hours);
}

/**
 * Judges a buy of `stakeMinor` cents against measurements of every window that `windowsToMeasure` names.
 * @throws Error where a window was not measured: an unknown sum must never read as an empty one.
 * @returns over_wager_limit or over_period_limit, with `maxStake` (dollars, display) where a smaller stake would pass;
 *   null where the stake passes.
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

function periodOf(rung: LimitRung, name: Rung): PeriodLimit | null {
  if (rung.periodStakeMinor === null || rung.periodHours === null) {
    return null;
  }
  return { stakeMinor: rung.periodStakeMinor, hours: rung.periodHours, rung: name };
}

function effectivePeriods(operator: PeriodLimit | null, account: PeriodLimit | null): PeriodLimit[] {
  if (operator !== null && account !== null && operator.hours === account.hours) {
    return [account.stakeMinor < operator.stakeMinor ? account : operator];
  }
  return [operator, account].filter((period) => period !== null);
}
