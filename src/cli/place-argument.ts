/** `CC` or `CC-SUB` as it is typed, for the API to judge. */
import { usage } from './failure.ts';

export function readPlaceArgument(text: string): { country: string; subdivision: string | null } {
  const [country, subdivision, ...rest] = text.split('-');
  if (!country || rest.length > 0 || subdivision === '') {
    throw usage(`${text} is not CC or CC-SUB, such as HR or US-NJ.`);
  }
  return { country, subdivision: subdivision ?? null };
}
