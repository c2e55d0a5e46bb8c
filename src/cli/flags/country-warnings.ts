/** What to tell a person who names a country that ISO 3166-1 has not assigned; it is taken all the same (contract 29.4). */
import { isAssigned, readCountry } from '../../core/countries.ts';

export function countryWarnings(countries: readonly string[]): string[] {
  return countries
    .map(readCountry)
    .filter((country) => country !== null && !isAssigned(country))
    .map((country) => {
      const meant = country === 'UK' ? ' The United Kingdom is GB.' : '';
      return `${country} is not assigned by ISO 3166-1, so no customer should be there.${meant}`;
    });
}
