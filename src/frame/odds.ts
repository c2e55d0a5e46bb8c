/**
 * Writes a price in the format that the customer chose. Apart from the other formats, and pure, because its test loads no browser.
 *
 * A price of `c` cents is the cost of a contract that pays 100. Decimal odds are 100 / c. American odds are 100 · (100 - c) / c if
 * the bet pays more than it costs, and -100 · c / (100 - c) otherwise. The percentage is c itself. Cents and percentages are
 * exact. Odds are rounded against the customer, so that they never promise more than the price pays: decimal odds down to two
 * digits after the point (below 1.01 to four, because two would promise nothing), American odds to the next lower whole number.
 */
export const ODDS_FORMATS = ['cents', 'decimal', 'american', 'percent'] as const;
export type OddsFormat = (typeof ODDS_FORMATS)[number];

/** Prices are whole millionths of a dollar, so every division below divides whole numbers and rounds exactly. */
const DOLLAR = 1_000_000;
const MICROS_A_CENT = 10_000;
/** Shown for a price without odds, at which no profit is possible or no stake is needed. */
const NONE = '–';

/**
 * @param cents above 0 and below 100, as the service publishes prices
 * @param locale BCP-47 tag
 */
export function priceText(cents: number, format: OddsFormat, locale: string): string {
  const price = Math.round(cents * MICROS_A_CENT);
  const figure = (options: Intl.NumberFormatOptions, value: number) =>
    new Intl.NumberFormat(locale, options).format(value);
  if (format === 'cents') {
    return `${figure({ maximumFractionDigits: 4 }, cents)}¢`;
  }
  if (format === 'percent') {
    return figure({ style: 'percent', maximumFractionDigits: 4 }, price / DOLLAR);
  }
  if (price <= 0 || price >= DOLLAR) {
    return NONE;
  }
  if (format === 'american') {
    const odds =
      2 * price <= DOLLAR ? Math.floor((100 * (DOLLAR - price)) / price) : -Math.ceil((100 * price) / (DOLLAR - price));
    return figure({ signDisplay: 'always', maximumFractionDigits: 0 }, odds);
  }
  const digits = 101 * price > 100 * DOLLAR ? 4 : 2;
  const steps = Math.floor((DOLLAR * 10 ** digits) / price);
  return figure({ minimumFractionDigits: digits, maximumFractionDigits: digits }, steps / 10 ** digits);
}
