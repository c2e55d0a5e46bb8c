/**
 * Which of Kalshi's answers say that an order was not taken: its documented codes, in the form of its own answers. Any other code,
 * status or text is no answer, and the order is looked up. Pure.
 */
import { kalshiRefusal } from './order-schemas.ts';

/**
 * `exchange_unavailable` leaves the order unknown, and `order_already_exists` says that it is there: neither of them is among
 * these.
 */
const CODES: ReadonlySet<string> = new Set([
  'conflicting_leg_outcomes',
  'duplicated_legs',
  'exceeded_per_market_risk_limit',
  'exceeded_sell_position_floor',
  'exchange_paused',
  'fok_insufficient_volume',
  'immediate_or_cancelled',
  'insufficient_balance',
  'internal_error',
  'invalid_market_combination',
  'invalid_order',
  'invalid_order_size',
  'invalid_price',
  'maker_cancel_for_self_trade_prevention',
  'market_already_closed',
  'market_inactive',
  'market_not_found',
  'post_only_cross',
  'self_cross_attempt',
  'taker_cancel_for_self_trade_prevention',
  'trading_paused',
]);

/** @returns the code of a refusal of an order; undefined if the answer decides nothing */
export function refusalOf(status: number, body: unknown): string | undefined {
  const code = status >= 400 && status < 500 ? kalshiRefusal.safeParse(body).data?.code : undefined;
  return code !== undefined && CODES.has(code) ? code : undefined;
}
