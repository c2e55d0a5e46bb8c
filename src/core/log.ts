/**
 * Structured logs on stderr: one JSON record per line, or one short coloured line if stderr is a terminal. Headers,
 * bodies and keys are never logged.
 */
import { styleText } from 'node:util';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { formatLogLine } from './log-lines.ts';

export type Logger = PinoLogger;

/** @param level one of pino's levels, or `silent`. */
export function createLog(level: string): Logger {
  return pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    process.stderr.isTTY === true ? terminal(process.stderr) : pino.destination({ fd: 2, sync: false }),
  );
}

function terminal(stream: NodeJS.WriteStream): DestinationStream {
  return {
    write: (json) => {
      stream.write(`${formatLogLine(json, (format, text) => styleText(format, text, { stream }))}\n`);
    },
  };
}
