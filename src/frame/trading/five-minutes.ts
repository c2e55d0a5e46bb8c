/** The five-minute markets of a coin, told by what the catalogue says of them. Pure. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';

const WINDOW_MS = 300_000;

/**
 * Whether the market asks where a coin stands after five minutes. Such a market is open, never has a price in the catalogue, and
 * closes on a boundary of five minutes.
 */
export function isFiveMinutes({ kind, category, closesAt, outcomes }: CatalogueEvent): boolean {
  const [only] = outcomes;
  return (
    kind === 'binary' &&
    category === 'crypto' &&
    only?.status === 'open' &&
    !only.tradable &&
    only.direction !== null &&
    Date.parse(closesAt) % WINDOW_MS === 0
  );
}

/** When the five minutes begin, in milliseconds since 1970. */
export function startOf({ closesAt }: CatalogueEvent): number {
  return Date.parse(closesAt) - WINDOW_MS;
}
