/** How a contract ended, as it is typed: `yes`, `no`, `void` or `split:0.4`. */
import { Refusal } from '../../core/errors.ts';
import { parseResolution, type StandingResolution } from '../../markets/decisions.ts';
import { usage } from '../failure.ts';

/** What was typed is wrong usage here, where the API would say that a request does not validate. @throws usage, exit 2 */
export function readResolution(text: string): StandingResolution {
  try {
    return parseResolution(text);
  } catch (error) {
    throw error instanceof Refusal ? usage(error.message) : error;
  }
}
