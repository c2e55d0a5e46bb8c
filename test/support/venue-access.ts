/** What adapters of venues are given in tests: settings as nobody changed them. */
import { readEnvironment } from '../../src/core/environment.ts';
import type { VenueAccess } from '../../src/venues/registry.ts';

export const VENUE_SETTINGS = readEnvironment({}).venueSettings;

export function venueAccess(paperToken: string): VenueAccess {
  return { paperToken, settings: VENUE_SETTINGS };
}
