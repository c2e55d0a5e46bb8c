/**
 * Limits on the stakes of a customer: the operator's limits for all customers and the customer's own, which can only tighten them
 * (contract chapter 28). Checks sums that a money statement measured, stores the customer's own limits, and lists who changed them.
 */
import { type Refusal, refuse } from '../core/errors.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { CustomerLimits } from '../wire/customers.ts';

type LimitLevel = 'operator' | 'account';

/**
 * The limits of one level, operator or account, as they were set. `periodStakeMinor` and `periodHours` are both set or
 * both null. Amounts are cents.
 */
export interface LevelLimits {
  readonly maxWagerMinor: bigint | null;
  readonly periodStakeMinor: bigint | null;
  readonly periodHours: number | null;
}

interface PeriodLimit {
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
 * (sql/functions/risk/caps.sql).
 * @returns over_order_limit with `maxStake` (dollars, display), or null
 */
export function checkOrderStake(maxOrderMinor: bigint | null, stakeMinor: bigint): Refusal | null {
  if (maxOrderMinor === null || stakeMinor <= maxOrderMinor) {
    return null;
  }
  return refuse('over_order_limit', undefined, { maxStake: Number(maxOrderMinor) / 100 });
}

/** A customer's own limits as they were set. The note has no effect. */
interface AccountLimits extends LevelLimits {
  readonly note: string | null;
}

export const NO_ACCOUNT_LIMITS: AccountLimits = {
  maxWagerMinor: null,
  periodStakeMinor: null,
  periodHours: null,
  note: null,
};

/** An unknown customer has no limits; reading does not create the customer (contract 28.9). */
export async function getAccountLimits(sql: Sql, operatorId: string, externalUserId: string): Promise<AccountLimits> {
  const [row] = await asOperator<AccountLimits[]>(
    sql,
    operatorId,
    sql`
      select max_wager_minor as "maxWagerMinor", period_stake_minor as "periodStakeMinor", period_hours as "periodHours",
        limits_note as note
      from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  return row ?? NO_ACCOUNT_LIMITS;
}

/**
 * Replaces all limits of the customer, who is created on first use.
 * @param setBy id of the API key
 */
export async function setAccountLimits(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limits: AccountLimits,
  setBy: string,
): Promise<void> {
  const { maxWagerMinor, periodStakeMinor, periodHours, note } = limits;
  await sql`select set_customer_limits(${operatorId}, ${externalUserId}, ${maxWagerMinor}, ${periodStakeMinor},
    ${periodHours}, ${note}, ${setBy})`;
}

export async function clearAccountLimits(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  setBy: string,
): Promise<void> {
  await sql`select clear_customer_limits(${operatorId}, ${externalUserId}, ${setBy})`;
}

/** Customer limits on the wire: the limits of both levels as they were set, and the limits that apply. */
export function renderLimits(externalUserId: string, operator: LevelLimits, account: AccountLimits): CustomerLimits {
  const { maxWagerMinor, maxWagerRung, periods } = effectiveLimits(operator, account);
  return {
    externalUserId,
    account: { ...renderLevel(account), note: account.note },
    operator: renderLevel(operator),
    effective: {
      maxWagerMinor: toNumber(maxWagerMinor),
      maxWagerRung,
      periods: periods.map(({ stakeMinor, hours, rung }) => ({ stakeMinor: Number(stakeMinor), hours, rung })),
    },
  };
}

function renderLevel({ maxWagerMinor, periodStakeMinor, periodHours }: LevelLimits) {
  return { maxWagerMinor: toNumber(maxWagerMinor), periodStakeMinor: toNumber(periodStakeMinor), periodHours };
}

function toNumber(minor: bigint | null): number | null {
  return minor === null ? null : Number(minor);
}

export interface CustomerChange {
  readonly recordedAt: Date;
  readonly subject: 'limits' | 'jurisdiction' | 'suspension';
  /** `cleared` removes the customer's own limits; a jurisdiction can only be set. */
  readonly action: 'set' | 'cleared' | 'suspended' | 'resumed';
  /** The id of the API key that made the request; for a suspension, the name in the audit log. */
  readonly setBy: string;
  readonly maxWagerMinor: number | null;
  readonly periodStakeMinor: number | null;
  readonly periodHours: number | null;
  /** The note of limits, or the reason of a suspension. */
  readonly note: string | null;
  readonly country: string | null;
  readonly subdivision: string | null;
  /** Only for a jurisdiction. */
  readonly source: 'api' | 'embed_session' | null;
}

/**
 * Lists who set which limit and which jurisdiction of a customer, and who suspended the customer, from the append-only histories. Newest
 * first. An unknown customer has no history.
 */
export async function listCustomerChanges(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limit: number,
): Promise<CustomerChange[]> {
  return sql<CustomerChange[]>`
    select recorded_at as "recordedAt", subject, action, set_by as "setBy", max_wager_minor::float8 as "maxWagerMinor",
      period_stake_minor::float8 as "periodStakeMinor", period_hours as "periodHours", note, country, subdivision, source
    from (
      select recorded_at, change_no, 'limits' as subject, action, set_by, max_wager_minor, period_stake_minor, period_hours, note,
        null as country, null as subdivision, null as source
      from limit_changes where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      union all
      select recorded_at, change_no, 'jurisdiction', 'set', set_by, null, null, null, null, country, subdivision, source
      from jurisdiction_changes where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      union all
      select recorded_at, change_no, 'suspension', action, set_by, null, null, null, reason, null, null, null
      from suspension_changes where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    ) changes
    order by recorded_at desc, subject, change_no desc limit ${limit}`;
}
