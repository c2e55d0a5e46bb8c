/**
 * Holds a refusal back for a moment, so that a program that repeats its request at once, against `Retry-After`, takes less from the
 * others. Never for money: its refusals are answered at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const HOLD_MS = 250;
/** Held at once in a process; more are answered immediately. */
const MOST_HELD = 1_000;

export type HoldRefusal = () => Promise<void>;

/** @param ms only tests pass the two */
export function createRefusalHold(ms = HOLD_MS, most = MOST_HELD): HoldRefusal {
  let held = 0;
  return async () => {
    if (held >= most) {
      return;
    }
    held += 1;
    await sleep(ms, undefined, { ref: false });
    held -= 1;
  };
}
