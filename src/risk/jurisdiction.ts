/**
 * May a customer trade from where the operator says that they are? Judges the asserted country only: the observed one is
 * shown beside it, as a mismatch, and refuses nobody (specification "Jurisdiction assertion", rulings 7 and 11).
 */
import type { Action } from '../core/terms.ts';
export interface JurisdictionPolicy {
  readonly mode: 'off' | 'observe' | 'enforced';
  /** ISO 3166-1 alpha-2, upper case. */
  readonly permittedCountries: readonly string[];
  readonly allowExits: boolean;
}

/**
 * True except under `enforced` for a customer with no asserted or with a non-permitted country. There a sell passes where
 * the operator allows exits. The money statements ask the same of `jurisdiction_permits`; a test holds the two equal.
 */
export function mayTrade(policy: JurisdictionPolicy, assertedCountry: string | null, action: Action = 'buy'): boolean {
  if (policy.mode !== 'enforced' || (action === 'sell' && policy.allowExits)) {
    return true;
  }
  return assertedCountry !== null && policy.permittedCountries.includes(assertedCountry);
}

/** Do the asserted and the observed country differ? Null where either half is missing. */
export function jurisdictionMismatch(asserted: string | null, observed: string | null): boolean | null {
  if (asserted === null || observed === null) {
    return null;
  }
  return asserted !== observed;
}
