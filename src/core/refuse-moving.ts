/** What an operator is answered while it moves to another cell. */
import { type Refusal, refuse } from './errors.ts';

/** Pauses of 1.3 to 4.6 s were measured (docs/cells.md); half of them are over by then. */
const RETRY_AFTER_SECONDS = 3;

export function refuseMoving(): Refusal {
  return refuse('service_unavailable', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
