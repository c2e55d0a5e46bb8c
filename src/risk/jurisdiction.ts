/**
 * May a customer trade from where the operator says that they are? Judges the asserted country only: the observed one is
 * shown beside it, as a mismatch, and refuses nobody (specification "Jurisdiction assertion", rulings 7 and 11).
 */
import { type Refusal, refuse } from '../core/errors.ts';

export interface JurisdictionPolicy {
  readonly mode: 'off' | 'observe' | 'enforced';
  /** ISO 3166-1 alpha-2, upper case. */
  readonly permittedCountries: readonly string[];
  readonly allowExits: boolean;
}

/** True except under `enforced` for a customer with no asserted or with a non-permitted country. */
export function mayTrade(policy: JurisdictionPolicy, assertedCountry: string | null): boolean {
  if (policy.mode !== 'enforced') return true;
  return assertedCountry !== null && policy.permittedCountries.includes(assertedCountry);
}

/** @returns market_not_offered with `reason: "jurisdiction"`, or null. Sells pass where the operator allows exits. */
export function checkJurisdiction(
  policy: JurisdictionPolicy,
  assertedCountry: string | null,
  action: 'buy' | 'sell',
): Refusal | null {
  if (mayTrade(policy, assertedCountry)) return null;
  if (action === 'sell' && policy.allowExits) return null;
  return refuse('market_not_offered', 'Trading is not offered where this customer is.', { reason: 'jurisdiction' });
}

/** Do the asserted and the observed country differ? Null where either half is missing. */
export function jurisdictionMismatch(asserted: string | null, observed: string | null): boolean | null {
  if (asserted === null || observed === null) return null;
  return asserted !== observed;
}
