/**
 * Whether a customer may trade from the country that the operator asserts. Only the asserted country is checked. The
 * observed country is shown beside it, as a mismatch, and never causes a refusal (contract chapter 29, contract 29.5, contract 29.6).
 */
import type { Action } from '../core/terms.ts';
import type { JurisdictionAssertion } from '../wire/jurisdiction.ts';
import type { CustomerJurisdiction } from './assertions.ts';

export interface JurisdictionPolicy {
  readonly mode: 'off' | 'observe' | 'enforced';
  /** ISO 3166-1 alpha-2, upper case. */
  readonly permittedCountries: readonly string[];
  readonly allowExits: boolean;
}

/**
 * True except under `enforced` for a customer without an asserted country or with one that is not permitted. Such a
 * customer may still sell if the operator allows exits. `jurisdiction_permits` is the same rule for the money
 * statements; a test compares the two.
 */
export function mayTrade(policy: JurisdictionPolicy, assertedCountry: string | null, action: Action = 'buy'): boolean {
  if (policy.mode !== 'enforced' || (action === 'sell' && policy.allowExits)) {
    return true;
  }
  return assertedCountry !== null && policy.permittedCountries.includes(assertedCountry);
}

/** Whether the asserted and the observed country differ; null if either is missing. */
export function jurisdictionMismatch(asserted: string | null, observed: string | null): boolean | null {
  if (asserted === null || observed === null) {
    return null;
  }
  return asserted !== observed;
}

/** An assertion as the API shows it, with the observed country. */
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
