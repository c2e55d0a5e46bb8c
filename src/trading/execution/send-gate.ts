/** Whether an order may be sent to a venue now: by the state of the venue, and by the time since the attempt was recorded. */
import type { RequestKind } from '../../core/request-budget.ts';
import type { Clock, Ticks } from '../../core/time.ts';
import type { MayWrite, VenueUnknown } from '../../venues/port.ts';

/** The worker's knowledge of venues. `part` is the part of the venue to which an order is sent, if the venue has parts. */
export interface SendGate {
  /** @returns why no order may be sent to the venue now; null if orders may be sent */
  shut(venue: string): string | null;
  /** Whether the venue demanded a wait. */
  paused(venue: string): boolean;
  /** Records that the venue demanded a wait of this length. */
  pause(venue: string, ms: number): void;
  /** Counts a request against the venue's budget. @returns false if there is none left, so that it must wait */
  spend(venue: string, kind: RequestKind, part?: number): boolean;
  /**
   * Records that the venue refused a request of this kind as one too many.
   * @param ms the wait that it demanded; null if it named none
   */
  hold(venue: string, kind: RequestKind, ms: number | null, part?: number): void;
  /** Whether the clocks of database, venue and this process are known to agree, so that "not found" can count. */
  clocksAgree(venue: string): boolean;
  /**
   * Whether our account at the venue was compared with the books as they are now, as the database records it. If it was not, the books may
   * have lost an earlier attempt to send the same order.
   * @returns false if the database does not respond
   */
  booksAreCompared(venue: string): Promise<boolean>;
}

const TOO_MANY = 429;

/** Applies the demand of a venue's refusal: fewer requests of this kind, or no requests at all for a while. */
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

/** Shorter than the time after which an attempt is looked up, and much shorter than its expiry at the venue. */
const MOST_MS = 5_000;

/**
 * Keeps an attempt from being sent late, because another worker may then be looking it up. Two clocks are read, because the monotonic one
 * may stop while a machine sleeps.
 * @returns a function that returns whether less than 5 s have passed since this call
 */
export function createSendDeadline(clock: Clock, ticks: Ticks): MayWrite {
  const tick = ticks();
  const moment = clock.now().getTime();
  return () => ticks() - tick < MOST_MS && Math.abs(clock.now().getTime() - moment) < MOST_MS;
}
