/** A jurisdiction assertion as the API shows it, with what was observed beside it. */
import type { JurisdictionAssertion } from '../wire/jurisdiction.ts';
import type { CustomerPlace } from './assertions.ts';
import { jurisdictionMismatch } from './jurisdiction.ts';

export function renderPlace(userId: string, place: CustomerPlace): JurisdictionAssertion {
  return {
    userId,
    jurisdiction: place.country === null ? null : { country: place.country, subdivision: place.subdivision },
    assertedAt: place.assertedAt?.toISOString() ?? null,
    assertedSource: place.assertedSource,
    observedCountry: place.observedCountry,
    observedAt: place.observedAt?.toISOString() ?? null,
    mismatch: jurisdictionMismatch(place.country, place.observedCountry),
  };
}
