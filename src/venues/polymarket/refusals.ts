/** Why Polymarket refused an order, as a short code: its answers are sentences that name addresses and amounts. Pure. */

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/not enough balance|insufficient balance|allowance/i, 'insufficient_balance'],
  [/minimum tick size/i, 'price_off_grid'],
  [/lower than the minimum|minimum size|min size/i, 'below_minimum'],
  [/no orders found to match/i, 'nothing_to_match'],
  [/couldn't be fully filled/i, 'nothing_to_match'],
  [/not yet ready|not accepting|orderbook .* does not exist|no orderbook/i, 'market_not_open'],
  [/banned|closed only/i, 'account_restricted'],
  [/owner|signer|signature|maker address/i, 'invalid_signature'],
  [/expiration/i, 'expired'],
];

export function reasonOf(text: string): string {
  return REASONS.find(([pattern]) => pattern.test(text))?.[1] ?? 'refused';
}
