/**
 * Why an order ended without a fill, as a code that has a text. The service withdraws orders with its own codes, and passes on the
 * words of the exchanges, of which several mean the same to a customer. Apart from the views, and pure, because its test loads no
 * browser.
 */
import type { Order } from '../../wire/order.ts';

/** The fields of an order without a fill that the frame needs. */
export type EndedOrder = Pick<Order, 'executionRef' | 'action' | 'status' | 'rejectReason' | 'cancelReason'>;

/** @returns a code, or a word that no text is about; empty if the order has no reason */
export function endReason({ cancelReason, rejectReason }: EndedOrder): string {
  // The reason of a rejection begins with its word, and the reference follows.
  const word = /^\w+/.exec(cancelReason ?? rejectReason ?? '')?.[0] ?? '';
  return SAME_REASON[word] ?? word;
}

const SAME_REASON: Readonly<Record<string, string>> = {
  account_restricted: 'insufficient_balance',
  below_minimum: 'below_venue_minimum',
  exchange_is_paused: 'trading_paused',
  exchange_paused: 'trading_paused',
  fill_or_kill_insufficient_resting_volume: 'closed_unfilled',
  fok_insufficient_volume: 'closed_unfilled',
  immediate_or_cancelled: 'closed_unfilled',
  InsufficientFunds: 'insufficient_balance',
  InsufficientLiquidity: 'closed_unfilled',
  invalid_order_size: 'below_venue_minimum',
  market_already_closed: 'market_not_open',
  market_inactive: 'market_not_open',
  market_unavailable: 'market_paused',
  MarketClosed: 'market_not_open',
  MarketNotOpen: 'market_not_open',
  nothing_to_match: 'closed_unfilled',
  trading_is_paused: 'trading_paused',
};
