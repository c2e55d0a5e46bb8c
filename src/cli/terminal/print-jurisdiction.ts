/** A jurisdiction assertion as text for a terminal. */
import type { JurisdictionAssertion } from '../../client/shapes.ts';

export function placeFacts(assertion: JurisdictionAssertion): Record<string, string | null> {
  const { jurisdiction, mismatch } = assertion;
  const place = jurisdiction && [jurisdiction.country, jurisdiction.subdivision].filter(Boolean).join('-');
  return {
    userId: assertion.userId,
    asserted: place === null ? null : `${place} (${assertion.assertedSource}, ${assertion.assertedAt})`,
    observed: assertion.observedCountry === null ? null : `${assertion.observedCountry} (${assertion.observedAt})`,
    mismatch: mismatch === null ? null : mismatch ? 'yes' : 'no',
  };
}
