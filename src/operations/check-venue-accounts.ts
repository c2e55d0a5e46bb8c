/** Whether our accounts at the venues of the internet can be traded with, as the venues themselves say. It sends no order. */
import type { Environment } from '../core/environment.ts';
import { canTrade } from '../core/venue-settings.ts';
import { openVenues } from '../venues/registry.ts';
import type { Check } from './check.ts';

/**
 * Venues without credentials have no account to ask about.
 * @param verifying also asks what no document of a venue settles
 */
export async function checkVenueAccounts(
  { venues: names, venueSettings }: Environment,
  verifying = false,
): Promise<Check[]> {
  const trading = names.filter((name) => !name.startsWith('paper') && canTrade(name, venueSettings));
  const addresses: Readonly<Record<string, string>> = {
    gemini: venueSettings.gemini.url,
    kalshi: venueSettings.kalshi.url,
    polymarket: venueSettings.polymarket.catalogueUrl,
    'polymarket-clob': venueSettings.polymarket.url,
    'polymarket-data': venueSettings.polymarket.dataUrl,
  };
  const venues = openVenues(trading, async (name) => addresses[name], { paperToken: '', settings: venueSettings });
  try {
    const checks = await Promise.all(
      venues.list.map(async ({ name, account }) =>
        [...((await account?.inspect?.()) ?? []), ...((verifying ? await account?.verify?.() : undefined) ?? [])].map(
          (check) => ({ ...check, name: `${name} ${check.name}` }),
        ),
      ),
    );
    return checks.flat();
  } finally {
    await venues.close();
  }
}
