/** Asks again while another process still holds a lease of the budget that decides. */
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../core/errors.ts';

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
/** A lease of a process that is gone ends long before. */
const WITHIN_MS = 3_000;

/**
 * @param ask resolves with undefined if it is not decided and nothing was counted
 * @throws service_unavailable if it stays undecided
 */
export async function untilDecided<T extends object>(ask: () => Promise<T | undefined>): Promise<T> {
  const latest = performance.now() + WITHIN_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const decided = await ask();
    if (decided !== undefined) {
      return decided;
    }
    if (performance.now() > latest) {
      throw refuse('service_unavailable');
    }
    await sleep(pauseMs);
  }
}
