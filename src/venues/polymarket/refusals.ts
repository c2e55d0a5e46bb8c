/**
 * Why Polymarket refused an order, as a short code: its answers are sentences that name addresses and amounts. Only the documented
 * texts are here that say that the order was not taken. Pure.
 */

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/not enough balance|insufficient balance/i, 'insufficient_balance'],
  [/breaks minimum tick size rule/i, 'price_off_grid'],
  [/lower than the minimum/i, 'below_minimum'],
  [/no orders found to match/i, 'nothing_to_match'],
  [/couldn't be fully filled/i, 'nothing_to_match'],
  [/not yet ready to process new orders|the orderbook .* does not exist|no orderbook exists/i, 'market_not_open'],
  [/address banned|address in closed only mode/i, 'account_restricted'],
  [
    /the order (owner|signer address) has to be|invalid signature|maker address not allowed|invalid api key/i,
    'invalid_signature',
  ],
  [/invalid expiration/i, 'expired'],
  [/invalid order payload|order crosses book|crosses the book/i, 'invalid_order'],
];

/** @returns undefined for a text that is not a documented refusal: it says nothing of whether the order was taken (rulings 13). */
export function reasonOf(text: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(text))?.[1];
}
