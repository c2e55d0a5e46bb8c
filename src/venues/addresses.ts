/**
 * Finds where venues listen, in a separate file so that the commands of the paper venue do not load the adapters. Paper venues register
 * their address in the database; the others are configured.
 */
import type { VenueSettings } from '../core/venue-settings.ts';
import type { Sql } from '../db/client.ts';
import type { Locate } from './port.ts';

/** Finds the address that a paper venue has registered. */
export function locatePaperVenue(sql: Sql): Locate {
  return async (name) => {
    const [row] = await sql<{ url: string | null }[]>`
      select value->>'url' as url from settings where name = ${`venue:${name}`}`;
    return row?.url ?? undefined;
  };
}

export function locateVenues(sql: Sql, settings: VenueSettings): Locate {
  const configured: Readonly<Record<string, string>> = {
    gemini: settings.gemini.url,
    kalshi: settings.kalshi.url,
    polymarket: settings.polymarket.catalogueUrl,
    'polymarket-clob': settings.polymarket.url,
    'polymarket-data': settings.polymarket.dataUrl,
    'polymarket-site': settings.polymarket.siteUrl,
  };
  const paper = locatePaperVenue(sql);
  return async (name) => configured[name] ?? paper(name);
}
