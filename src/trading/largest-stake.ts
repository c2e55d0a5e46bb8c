/** The most that a customer can stake in one buy now: the lowest of all limits that have an amount, and of the simulated balance. */
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { type Operator, simulateCeilingMinor } from '../operators/operator.ts';

/** The code that a quote or an order above it is refused with. */
export type StakeLimit =
  | 'over_wager_limit'
  | 'over_period_limit'
  | 'over_order_limit'
  | 'simulation_not_permitted'
  | 'insufficient_funds';

export interface LargestStake {
  /** Cents, at least 0. */
  readonly minor: bigint;
  readonly limit: StakeLimit;
}

interface CustomerRoom {
  readonly maxWagerMinor: bigint | null;
  readonly accountRoom: bigint | null;
  readonly operatorRoom: bigint | null;
}

/**
 * Reads what `broken_limits` measures. A quote and an order measure it again, because it can change in between.
 * @param availableMinor cents of the simulated balance; null where the operator holds the money
 * @returns null if there is no limit
 */
export async function readLargestStake(
  sql: Sql,
  operator: Operator,
  externalUserId: string,
  availableMinor: bigint | null,
): Promise<LargestStake | null> {
  const { operatorId, periodStakeMinor, periodHours } = operator;
  // what counts in a rolling window: each buy by its time, with the authorization while it is open and the debit afterwards
  const stakedIn = (hours: ReturnType<Sql>) => sql`(select coalesce(sum(counted_stake_minor), 0)::bigint from orders
    where operator_id = ${operatorId} and external_user_id = ${externalUserId} and created_at > now() - make_interval(hours => ${hours}))`;
  const [room] = await asOperator<CustomerRoom[]>(
    sql,
    operatorId,
    sql`
    select max_wager_minor as "maxWagerMinor", period_stake_minor - ${stakedIn(sql`customers.period_hours`)} as "accountRoom",
      ${periodStakeMinor}::bigint - ${stakedIn(sql`${periodHours}::integer`)} as "operatorRoom"
    from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  const limits: readonly (readonly [StakeLimit, bigint | null])[] = [
    ['over_wager_limit', operator.maxWagerMinor],
    ['over_wager_limit', room?.maxWagerMinor ?? null],
    ['over_period_limit', room === undefined ? periodStakeMinor : room.operatorRoom],
    ['over_period_limit', room?.accountRoom ?? null],
    ['over_order_limit', operator.maxOrderMinor],
    ['simulation_not_permitted', operator.mode === 'sandbox' ? simulateCeilingMinor(operator) : null],
    ['insufficient_funds', availableMinor],
  ];
  return limits
    .flatMap(([limit, minor]) => (minor === null ? [] : [{ limit, minor: minor < 0n ? 0n : minor }]))
    .reduce<LargestStake | null>((least, one) => (least === null || one.minor < least.minor ? one : least), null);
}
