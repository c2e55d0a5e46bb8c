/** Polymarket's taker fee: shares * rate * p * (1 - p), in dollars, rounded down to five decimal places. */
const DOLLAR = 1_000_000n;
const STEP = 10n;

/** @param rate millionths. */
export function takerFee(rate: bigint, price: bigint, count: bigint): bigint {
  const exact = (count * rate * price * (DOLLAR - price)) / (DOLLAR * DOLLAR * DOLLAR);
  return (exact / STEP) * STEP;
}
