/** Whether an order may be sent to a venue now: the state of the venue, and the time since the attempt was recorded. */

import type { RequestKind } from '../../core/request-budget.ts';
import type { Clock, Ticks } from '../../core/time.ts';
import type { MayWrite, VenueUnknown } from '../../venues/port.ts';

/** What the worker knows about venues. `part` is that of the venue where an order is sent, if it has parts. */
export interface SendGate {
  /** Why nothing may be sent to the venue now; null if orders may be sent. */
  shut(venue: string): string | null;
  /** Whether the venue asked us to wait. */
  paused(venue: string): boolean;
  /** Records that the venue asked us to wait for this long. */
  pause(venue: string, ms: number): void;
  /** Counts a request against the venue's budget. @returns false if there is none left, so that it must wait */
  spend(venue: string, kind: RequestKind, part?: number): boolean;
  /** Records that the venue refused a request of this kind as one too many. @param ms how long it asked us to wait, if it did */
  hold(venue: string, kind: RequestKind, ms: number | null, part?: number): void;
  /** Whether the clocks of database, venue and this process are known to agree, so that "not found" can count. */
  clocksAgree(venue: string): boolean;
  /**
   * Whether our account at the venue was compared with the books as they are now; asks the database. If it was not, the books may
   * have lost an earlier attempt to send the same order. @returns false if the database does not answer
   */
  booksAreCompared(venue: string): Promise<boolean>;
}

const TOO_MANY = 429;

/** Records what an answer asks for: fewer requests of this kind, or none at all for a while. */
export function heed(
  gate: SendGate,
  venue: string,
  kind: RequestKind,
  { status, retryAfterMs }: VenueUnknown,
  part?: number,
): void {
  if (status === TOO_MANY) {
    gate.hold(venue, kind, retryAfterMs, part);
  } else if (retryAfterMs !== null) {
    gate.pause(venue, retryAfterMs);
  }
}

/** Shorter than the time after which the venue is asked about an attempt, and much shorter than the expiry of the attempt there. */
const MOST_MS = 5_000;

/**
 * Keeps an attempt from being sent once time has passed since it was recorded: by then another worker may be asking the venue
 * about it. Two clocks are read, because the monotonic one may stop while a machine sleeps.
 * @returns whether less than that time has passed since this call.
 */
export function createSendDeadline(clock: Clock, ticks: Ticks): MayWrite {
  const tick = ticks();
  const moment = clock.now().getTime();
  return () => ticks() - tick < MOST_MS && Math.abs(clock.now().getTime() - moment) < MOST_MS;
}
