/** Structured logs on stderr. Headers, bodies and keys are never logged. */
import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** @param level one of pino's levels, or `silent`. */
export function createLog(level: string): Logger {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  );
}
