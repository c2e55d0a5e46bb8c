/** What a venue does not say of itself and what follows from what it says. Pure. */
import { ONE_DOLLAR_MICROS } from '../money/decimal.ts';
import type { VenueMarket, VenueStatus } from './listing.ts';

/** The liveliest status among the contracts of an event. */
export function statusOfAll(markets: readonly VenueMarket[]): VenueStatus {
  const order: readonly VenueStatus[] = ['open', 'paused', 'closed', 'resolved'];
  return order.find((status) => markets.some((market) => market.status === status)) ?? 'voided';
}

/** An event is open from the first opening of its contracts to their last close. */
export function timesOfAll(markets: readonly VenueMarket[]): { opensAt: Date; closesAt: Date } {
  return {
    opensAt: new Date(Math.min(...markets.map((market) => market.opensAt.getTime()))),
    closesAt: new Date(Math.max(...markets.map((market) => market.closesAt.getTime()))),
  };
}

/** The address of a picture; null for a text that is none, such as a path of the venue's own site. */
export function pictureOf(text: string | null | undefined): string | null {
  return text != null && URL.canParse(text) ? text : null;
}

/** A last price of 0 or 1 means that there is none. */
export function lastPriceOf(price: bigint | null | undefined): bigint | null {
  return price == null || price === 0n || price === ONE_DOLLAR_MICROS ? null : price;
}
