/** Opens the venues of a deployment with their adapters. An unknown name is an error, and hosts come only from configuration. */
import type { Environment } from '../core/environment.ts';
import { paperToken, type Secrets } from '../core/secret.ts';
import type { VenueSettings } from '../core/venue-settings.ts';
import type { Sql } from '../db/client.ts';
import { locateVenues } from './addresses.ts';
import { openGemini } from './gemini/gemini.ts';
import { openKalshi } from './kalshi/kalshi.ts';
import { openPaper } from './paper/paper.ts';
import { openPolymarket } from './polymarket/polymarket.ts';
import type { Locate, Venue } from './port.ts';

interface VenueDeployment {
  readonly environment: Pick<Environment, 'venues' | 'venueSettings'>;
  readonly sql: Sql;
  readonly secrets: Secrets;
}

export interface Venues {
  /** In configured order: the first is the primary venue. */
  readonly list: readonly Venue[];
  /** @throws if the deployment has no such venue */
  get(name: string): Venue;
  close(): Promise<void>;
}

/** Opens the venues for which the deployment is configured. @param names only these */
export function openDeployedVenues(
  { environment, sql, secrets }: VenueDeployment,
  names: readonly string[] = environment.venues,
): Venues {
  const settings = environment.venueSettings;
  return openVenues(names, locateVenues(sql, settings), { paperToken: paperToken(secrets), settings });
}

/** Settings of all venues; each adapter uses its own. */
export interface VenueAccess {
  /** The token that paper venues require (core/secret.ts). */
  readonly paperToken: string;
  readonly settings: VenueSettings;
}

/** @throws if a name has no adapter */
export function openVenues(names: readonly string[], locate: Locate, access: VenueAccess): Venues {
  const list = names.map((name) => {
    const open = ADAPTERS[name];
    if (open === undefined) {
      throw new Error(`no adapter for the venue ${name}`);
    }
    return open(name, locate, access);
  });
  return {
    list,
    get(name) {
      const venue = list.find((one) => one.name === name);
      if (venue === undefined) {
        throw new Error(`this deployment has no venue ${name}`);
      }
      return venue;
    },
    close: async () => {
      await Promise.all(list.map((venue) => venue.close()));
    },
  };
}

type Open = (name: string, locate: Locate, access: VenueAccess) => Venue;
const openPaperVenue: Open = (name, locate, { paperToken }) => openPaper(name, locate, paperToken);

const ADAPTERS: Readonly<Record<string, Open>> = {
  paper: openPaperVenue,
  'paper-2': openPaperVenue,
  kalshi: (name, locate, { settings }) => openKalshi(name, locate, settings.kalshi),
  polymarket: (name, locate, { settings }) => openPolymarket(name, locate, settings.polymarket),
  gemini: (name, locate, { settings }) => openGemini(name, locate, settings.gemini),
};
