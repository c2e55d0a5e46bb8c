/** Listings that are followed until they end, although the venue's pages may no longer contain them. Pure. */
import type { VenueEvent } from './listing.ts';

/** @returns those of `held` that no event contains */
export function unlisted(held: readonly string[], events: readonly VenueEvent[]): string[] {
  const listed = new Set(events.flatMap((event) => event.markets.map(({ listingId }) => listingId)));
  return held.filter((listingId) => !listed.has(listingId));
}

/** @returns the events that are not among `others` */
export function without(events: readonly VenueEvent[], others: readonly VenueEvent[]): VenueEvent[] {
  const known = new Set(others.map(({ eventId }) => eventId));
  return events.filter(({ eventId }) => !known.has(eventId));
}

export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
