/** How the log tells of a venue that does not answer: once and calmly while it may still be starting, then a warning a minute. Decides nothing. */
import type { Logger } from '../../core/log.ts';
import { VenueUnknown } from '../../venues/port.ts';

/** A venue that runs beside the service, on a machine that starts everything at once, has said by then where it listens. */
const STARTING_MS = 30_000;
const WARN_EVERY_MS = 60_000;

export interface SilenceTeller {
  /** The venue could not be read. */
  failed(error: unknown): void;
  /** The venue was read. */
  answered(): void;
}

/** @param startingMs how long a venue that never answered yet may take. */
export function tellSilence(log: Logger, venue: string, startingMs = STARTING_MS): SilenceTeller {
  const begunAt = performance.now();
  let everAnswered = false;
  let toldCalmly = false;
  let silentSince: number | undefined;
  let warnedAt: number | undefined;

  return {
    failed(error) {
      const now = performance.now();
      silentSince ??= now;
      if (!(error instanceof VenueUnknown)) {
        log.warn({ err: error, venue }, 'the catalogue cannot be read and is asked for again');
        return;
      }
      const why = error.message;
      if (!everAnswered && error.evidence === null && now - begunAt < startingMs) {
        log[toldCalmly ? 'debug' : 'info']({ venue, why }, 'the venue does not answer yet; it is asked again');
        toldCalmly = true;
      } else if (warnedAt === undefined || now - warnedAt >= WARN_EVERY_MS) {
        warnedAt = now;
        const silentSeconds = Math.round((now - silentSince) / 1_000);
        log.warn({ venue, why, silentSeconds }, 'the catalogue cannot be read; prices age until it can');
      }
    },
    answered() {
      if (warnedAt !== undefined) {
        log.info({ venue }, 'the catalogue is read again');
      }
      everAnswered = true;
      silentSince = undefined;
      warnedAt = undefined;
    },
  };
}
