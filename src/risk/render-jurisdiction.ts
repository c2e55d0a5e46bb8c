/** A jurisdiction assertion as the API shows it, with the observed country. */
import type { JurisdictionAssertion } from '../wire/jurisdiction.ts';
import type { CustomerJurisdiction } from './assertions.ts';
import { jurisdictionMismatch } from './jurisdiction.ts';

export function renderJurisdiction(userId: string, place: CustomerJurisdiction): JurisdictionAssertion {
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
