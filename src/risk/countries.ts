/**
 * Countries and their subdivisions according to ISO 3166-1 alpha-2 and ISO 3166-2. Contains codes only, no permissions.
 */
import { iso31661, iso31662 } from 'iso-3166';

/** Kosovo has no assigned code; XK is the user-assigned one that the EU, the IMF and country headers of proxies use. */
const COUNTRIES: ReadonlySet<string> = new Set([...iso31661.map((entry) => entry.alpha2), 'XK']);
const SUBDIVISIONS: ReadonlySet<string> = new Set(iso31662.map((entry) => entry.code));

/** The upper-case alpha-2 code, or null if `text` is not a country code. */
export function readCountry(text: string): string | null {
  if (!/^[A-Za-z]{2}$/.test(text)) {
    return null;
  }
  const country = text.toUpperCase();
  return COUNTRIES.has(country) ? country : null;
}

/** The part after the hyphen of an ISO 3166-2 code of `country` (`CA` of `US-CA`), in upper case, or null. */
export function readSubdivision(country: string, text: string): string | null {
  if (!/^[A-Za-z0-9]{1,3}$/.test(text)) {
    return null;
  }
  const subdivision = text.toUpperCase();
  return SUBDIVISIONS.has(`${country}-${subdivision}`) ? subdivision : null;
}
