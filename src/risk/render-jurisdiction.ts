/** A jurisdiction assertion as the API shows it, with the observed country. */
import type { JurisdictionAssertion } from '../wire/jurisdiction.ts';
import type { CustomerJurisdiction } from './assertions.ts';
import { jurisdictionMismatch } from './jurisdiction.ts';

export function renderJurisdiction(userId: string, asserted: CustomerJurisdiction): JurisdictionAssertion {
  return {
    userId,
    jurisdiction: asserted.country === null ? null : { country: asserted.country, subdivision: asserted.subdivision },
    assertedAt: asserted.assertedAt?.toISOString() ?? null,
    assertedSource: asserted.assertedSource,
    observedCountry: asserted.observedCountry,
    observedAt: asserted.observedAt?.toISOString() ?? null,
    mismatch: jurisdictionMismatch(asserted.country, asserted.observedCountry),
  };
}
