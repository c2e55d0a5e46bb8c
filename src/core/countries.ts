/**
 * Codes of countries and their subdivisions, apart from the rules of jurisdiction because the command line checks them
 * too. It contains codes only, no permissions.
 */
import { iso31661 } from 'iso-3166';

/** Kosovo has no assigned code; XK is the user-assigned one that the EU, the IMF and country headers of proxies use. */
const ASSIGNED: ReadonlySet<string> = new Set([...iso31661.map((entry) => entry.alpha2), 'XK']);

/** Two letters in upper case, assigned or not (contract 29.3); null for anything else. */
export function readCountry(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : null;
}

/**
 * Whether ISO 3166-1 has assigned the code.
 * @param country in upper case
 */
export function isAssigned(country: string): boolean {
  return ASSIGNED.has(country);
}

/** The part after the hyphen of an ISO 3166-2 code (`CA` of `US-CA`) in upper case: one to three letters or digits; else null. */
export function readSubdivision(text: string): string | null {
  return /^[A-Za-z0-9]{1,3}$/.test(text) ? text.toUpperCase() : null;
}
