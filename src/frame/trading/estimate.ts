/**
 * Estimates what a deal pays at the price that is shown now; only the quote is binding. In whole cents and micro-contracts, with
 * the roundings of the service, so that the estimate is not above the quote at the same price. Apart from the views, and pure,
 * because its test loads no browser.
 */
export interface Payoff {
  /** Micro-contracts. */
  readonly contracts: bigint;
  /** Cents, if the side is right. */
  readonly payoutMinor: bigint;
  /** Profit in percent of the stake. */
  readonly gainPercent: number;
}

const BASIS_POINTS = 10_000n;
/** Micro-contracts are cents times this, divided by micro-dollars. */
const SCALE = 10_000_000_000n;
const MICROS_A_CENT = 10_000n;

/**
 * @param stakeMinor cents
 * @param priceCents executable price of the side, in cents
 * @returns null if there is no price or nothing is left after the fee
 */
export function payoffOf(stakeMinor: bigint, priceCents: number | null, feeBps: number): Payoff | null {
  const price = microsOf(priceCents);
  const trade = stakeMinor - feeOf(stakeMinor, feeBps);
  if (price === null || trade <= 0n) {
    return null;
  }
  const contracts = (trade * SCALE) / price;
  const payoutMinor = contracts / MICROS_A_CENT;
  return { contracts, payoutMinor, gainPercent: percentOf(payoutMinor - stakeMinor, stakeMinor) };
}

/**
 * @param bidCents the price in cents at which one contract sells now
 * @returns cents after the fee, or null if there is no price
 */
export function proceedsOf(contracts: bigint, bidCents: number | null, feeBps: number): bigint | null {
  const price = microsOf(bidCents);
  if (price === null) {
    return null;
  }
  const notional = (contracts * price) / SCALE;
  return notional - feeOf(notional, feeBps);
}

/**
 * Whole percent, rounded half away from zero: a loss of 5.92% is -6%.
 * @param whole at least 0
 */
export function percentOf(part: bigint, whole: bigint): number {
  const half = part < 0n ? -whole : whole;
  return whole === 0n ? 0 : Number((part * 200n + half) / (whole * 2n));
}

/** @returns the cents that a number of contracts pays if they win */
export function payoutOf(contracts: number): bigint {
  return microContracts(contracts) / MICROS_A_CENT;
}

/** Reads `12.5` or `12,50` as cents. @returns null if the text is not an amount above zero */
export function centsOf(typed: string): bigint | null {
  const match = /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  const minor = match === null ? 0n : BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
  return minor > 0n ? minor : null;
}

/** @param quantity number of contracts */
export function microContracts(quantity: number): bigint {
  return BigInt(Math.round(quantity * 1_000_000));
}

/** Writes cents as the decimal text that `usd` formats. */
export function decimal(minor: bigint): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads the decimal text of a booked amount as cents. */
export function minorOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

function feeOf(minor: bigint, feeBps: number): bigint {
  return (minor * BigInt(feeBps) + BASIS_POINTS - 1n) / BASIS_POINTS;
}

function microsOf(cents: number | null): bigint | null {
  const micros = cents === null ? 0 : Math.round(cents * 10_000);
  return micros > 0 ? BigInt(micros) : null;
}
