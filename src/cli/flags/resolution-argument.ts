/** Parses how a contract ended: `yes`, `no`, `void` or `split:0.4`. */
import { Refusal } from '../../core/errors.ts';
import { type ContractResolution, parseResolution } from '../../markets/decisions.ts';
import { usage } from '../failure.ts';

/** Reports a usage error where the API would report an invalid request. @throws usage, exit 2 */
export function readResolution(text: string): ContractResolution {
  try {
    return parseResolution(text);
  } catch (error) {
    throw error instanceof Refusal ? usage(error.message) : error;
  }
}
