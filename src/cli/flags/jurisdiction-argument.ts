/** Parses `CC` or `CC-SUB`; the API checks whether the place exists. */
import { usage } from '../failure.ts';

export function readJurisdictionArgument(text: string): { country: string; subdivision: string | null } {
  const [, country, subdivision] = /^([a-z]{2})(?:-([a-z0-9]{1,3}))?$/i.exec(text) ?? [];
  if (country === undefined) {
    throw usage(`${text} is not CC or CC-SUB, such as HR or US-NJ.`);
  }
  return { country, subdivision: subdivision ?? null };
}
