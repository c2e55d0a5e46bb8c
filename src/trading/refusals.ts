/**
 * Refusals of quotes and orders: the codes that each operation may return, the codes of money statements as refusals that the API reports,
 * and the largest stake that no limit refuses.
 */
import { type ErrorCode, isErrorCode, type Refusal, refuse } from '../core/errors.ts';
import { asOperator } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import type { BoardContract } from '../markets/event.ts';
import { leastTrade, smallestStake } from '../money/buy.ts';
import { type Operator, simulateCeilingMinor } from '../operators/operator.ts';
import {
  checkCustomerLimits,
  checkOrderStake,
  effectiveLimits,
  type LevelLimits,
  type MeasuredWindow,
} from '../risk/customer-limits.ts';

/** Refusals of both quotes and orders: because of the customer, the market, its price, a limit, or the position. */
const OF_TRADING: readonly ErrorCode[] = [
  'user_suspended',
  'trading_paused',
  'market_not_offered',
  'market_not_open',
  'price_stale',
  'price_unverified',
  'stake_exceeds_stale_limit',
  'over_wager_limit',
  'over_period_limit',
  'over_order_limit',
  'insufficient_position',
];

export const QUOTE_REFUSALS: readonly ErrorCode[] = [
  ...OF_TRADING,
  'market_not_found',
  'market_paused',
  'line_not_available',
  'stake_exceeds_available_depth',
  'below_venue_minimum',
  'sell_not_available',
];

export const ORDER_REFUSALS: readonly ErrorCode[] = [
  ...OF_TRADING,
  'idempotency_conflict',
  'quote_not_found',
  'quote_expired',
  'quote_already_used',
  'price_moved',
  'market_unavailable',
  'over_tenant_exposure',
  'simulation_not_permitted',
  'insufficient_funds',
  'insufficient_collateral',
  'reconciliation_required',
];

export const CONFIRM_REFUSALS: readonly ErrorCode[] = [
  'unknown_order',
  'order_cancelled',
  'not_an_intent',
  'insufficient_collateral',
];

export const CANCEL_REFUSALS: readonly ErrorCode[] = ['unknown_order', 'order_not_cancellable'];

interface MeasuredLevel {
  readonly maxWagerMinor: string | null;
  readonly periodStakeMinor: string | null;
  readonly periodHours: number | null;
  /** The stakes that count in the window; 0 if no window is set. */
  readonly usedMinor: string;
}

/** The result of `broken_limits` and `limits_of`: the limits of both levels, with the stakes that counted in their windows, in cents. */
export interface BrokenLimits {
  readonly account: MeasuredLevel;
  readonly operator: MeasuredLevel;
  readonly maxOrderMinor: string | null;
}

/** @param stakeMinor cents. @returns over_wager_limit, over_period_limit or over_order_limit, with maxStake */
export function toLimitRefusal(broken: BrokenLimits, stakeMinor: bigint): Refusal {
  const windows = [...windowOf(broken.account), ...windowOf(broken.operator)];
  const limits = effectiveLimits(limitsOf(broken.operator), limitsOf(broken.account));
  return (
    checkCustomerLimits(limits, stakeMinor, windows) ??
    checkOrderStake(toBigInt(broken.maxOrderMinor), stakeMinor) ??
    refuse('over_period_limit')
  );
}

function limitsOf(level: MeasuredLevel): LevelLimits {
  return {
    maxWagerMinor: toBigInt(level.maxWagerMinor),
    periodStakeMinor: toBigInt(level.periodStakeMinor),
    periodHours: level.periodHours,
  };
}

function windowOf(level: MeasuredLevel): MeasuredWindow[] {
  return level.periodHours === null ? [] : [{ hours: level.periodHours, stakedMinor: BigInt(level.usedMinor) }];
}

function toBigInt(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

/**
 * The refusal of a code that a money statement returned.
 * @param limits the result of `broken_limits`, if the code is `limits`
 * @param stakeMinor cents
 */
export function codeToRefusal(code: string, limits: BrokenLimits | null, stakeMinor: bigint): Refusal {
  if (code === 'limits' && limits !== null) {
    return toLimitRefusal(limits, stakeMinor);
  }
  if (code === 'jurisdiction') {
    return refuse('market_not_offered', 'Trading is not offered where this customer is.', { reason: 'jurisdiction' });
  }
  return refuse(isErrorCode(code) ? code : 'internal_error');
}

/** The venues of a contract, with the least trade that each takes. */
interface Venues {
  readonly books: readonly Pick<BoardContract['books'][number], 'minimumMinor'>[];
}

/**
 * A refusal of a limit as it may be shown: without `maxStake` if every venue of the contract would refuse that stake as too small.
 * @param feeBps basis points of the platform fee
 */
export function withPassableStake(refusal: Refusal, contract: Venues | undefined, feeBps: number): Refusal {
  const { maxStake, ...rest } = refusal.extra;
  if (typeof maxStake !== 'number' || contract === undefined || contract.books.length === 0) {
    return refusal;
  }
  const stakeMinor = BigInt(Math.round(maxStake * 100));
  const passes = contract.books.some(
    ({ minimumMinor }) => stakeMinor >= smallestStake(leastTrade(minimumMinor), feeBps),
  );
  return passes ? refusal : refuse(refusal.code, refusal.message, rest);
}

const CAP_MESSAGES = new Map([
  ['player_exposure', 'The order would exceed the open exposure that one customer may have on this account.'],
  ['total_exposure', 'The order would exceed the open exposure that all customers together may have on this account.'],
  ['player_orders', 'The customer has as many live orders in 24 hours as one customer may have on this account.'],
  ['total_orders', 'The account has as many live orders in 24 hours as it may have.'],
]);

/**
 * `over_tenant_exposure` is one code for four caps of the account (contract 20.6).
 * @param cap the name of the cap, as `exceeded_cap` returns it; null if the account has changed since, so that no cap can be named
 */
export function capToRefusal(cap: string | null): Refusal {
  return cap === null ? refuse('over_tenant_exposure') : refuse('over_tenant_exposure', CAP_MESSAGES.get(cap), { cap });
}

/** The code with which a quote or an order above the limit is refused. */
type StakeLimit =
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

/**
 * The largest stake that a customer can make in one buy now: the lowest of all limits that have an amount, and of the simulated balance.
 * A quote and an order measure the limits again, because they can change in between.
 * @param availableMinor cents of the simulated balance; null if the operator holds the money
 * @returns null if there is no limit
 */
export async function readLargestStake(
  sql: Sql,
  operator: Operator,
  externalUserId: string,
  availableMinor: bigint | null,
): Promise<LargestStake | null> {
  const { operatorId } = operator;
  const [row] = await asOperator<{ measured: BrokenLimits | null }[]>(
    sql,
    operatorId,
    sql`select limits_of(${operatorId}, ${externalUserId}) as measured`,
  );
  const measured = row?.measured ?? null;
  const levels = measured === null ? [] : [measured.operator, measured.account];
  const limits: readonly (readonly [StakeLimit, bigint | null])[] = [
    ...levels.map((level) => ['over_wager_limit', toBigInt(level.maxWagerMinor)] as const),
    ...levels.map((level) => ['over_period_limit', roomOf(level)] as const),
    ['over_order_limit', toBigInt(measured?.maxOrderMinor ?? null)],
    ['simulation_not_permitted', operator.mode === 'sandbox' ? simulateCeilingMinor(operator) : null],
    ['insufficient_funds', availableMinor],
  ];
  return limits
    .flatMap(([limit, minor]) => (minor === null ? [] : [{ limit, minor: minor < 0n ? 0n : minor }]))
    .reduce<LargestStake | null>((least, one) => (least === null || one.minor < least.minor ? one : least), null);
}

/** The rest of a level's window, which is below zero if the limit was lowered; null if it has none. */
function roomOf({ periodStakeMinor, usedMinor }: MeasuredLevel): bigint | null {
  return periodStakeMinor === null ? null : BigInt(periodStakeMinor) - BigInt(usedMinor);
}
