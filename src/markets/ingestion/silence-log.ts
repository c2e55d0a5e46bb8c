/**
 * How the log reports a venue that does not answer: once at level info while it may still be starting, then one warning
 * a minute.
 */
import type { Logger } from '../../core/log.ts';
import { VenueUnknown } from '../../venues/port.ts';

/** A venue that runs beside the service has registered its address by then, even on a busy machine. */
const STARTING_MS = 30_000;
const WARN_EVERY_MS = 60_000;

export interface SilenceTeller {
  /** The venue could not be read. */
  failed(error: unknown): void;
  /** The venue was read. */
  answered(): void;
}

/** @param startingMs how long a venue that has never answered may take to start */
export function logSilence(log: Logger, venue: string, startingMs = STARTING_MS): SilenceTeller {
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
        log.warn({ err: error, venue }, 'could not read the catalogue; will retry');
        return;
      }
      const why = error.message;
      if (!everAnswered && error.evidence === null && now - begunAt < startingMs) {
        log[toldCalmly ? 'debug' : 'info']({ venue, why }, 'the venue does not answer yet; will retry');
        toldCalmly = true;
      } else if (warnedAt === undefined || now - warnedAt >= WARN_EVERY_MS) {
        warnedAt = now;
        const silentSeconds = Math.round((now - silentSince) / 1_000);
        log.warn({ venue, why, silentSeconds }, 'the catalogue cannot be read; its prices are ageing');
      }
    },
    answered() {
      if (warnedAt !== undefined) {
        log.info({ venue }, 'the catalogue can be read again');
      }
      everAnswered = true;
      silentSince = undefined;
      warnedAt = undefined;
    },
  };
}
