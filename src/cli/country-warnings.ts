/** Warnings about countries. Not in `flags.ts`, because this file loads the list of ISO 3166-1, which only the three commands that take countries need. */
import { isAssigned, readCountry } from '../core/countries.ts';

/** @returns a sentence for each country that ISO 3166-1 has not assigned; such a country is accepted too (contract 29.4) */
export function countryWarnings(countries: readonly string[]): string[] {
  return countries
    .map(readCountry)
    .filter((country) => country !== null && !isAssigned(country))
    .map((country) => {
      const meant = country === 'UK' ? ' The United Kingdom is GB.' : '';
      return `${country} is not assigned by ISO 3166-1, so no customer should be there.${meant}`;
    });
}
