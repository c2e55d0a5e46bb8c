/**
 * Structured logs on stderr: one JSON record per line, or one short coloured line if stderr is a terminal. Headers,
 * bodies and keys are never logged.
 */
import { styleText } from 'node:util';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

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

type Format = Parameters<typeof styleText>[0];
export type PaintLog = (format: Format, text: string) => string;

const METHOD_WIDTH = 6;
const ROUTE_WIDTH = 38;
const LEVELS: readonly { readonly least: number; readonly name: string; readonly format: Format }[] = [
  { least: 50, name: 'error', format: 'red' },
  { least: 40, name: 'warn', format: 'yellow' },
  { least: 30, name: 'info', format: 'green' },
  { least: 0, name: 'debug', format: 'dim' },
];
const SHOWN_APART: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'err']);
const CONTROL = /[\p{Cc}\p{Cf}]/gu;

/**
 * One record as a short line for the reader at a terminal. Pure.
 * @param json one record as pino writes it
 * @param paint colours a part of the line
 * @returns the line without its line break; the text itself if it is not a record
 */
export function formatLogLine(json: string, paint: PaintLog): string {
  const record = readRecord(json);
  if (record === undefined) {
    return json.trimEnd();
  }
  const time = paint('dim', localTime(String(record['time'] ?? '')));
  return record['msg'] === 'request'
    ? `${time}  ${requestText(record, paint)}`
    : `${time}  ${eventText(record, paint)}`;
}

function requestText(record: Readonly<Record<string, unknown>>, paint: PaintLog): string {
  const status = Number(record['status']);
  const format: Format = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const method = plain(record['method']).padEnd(METHOD_WIDTH);
  const route = plain(record['route']).padEnd(ROUTE_WIDTH);
  return `${method} ${route} ${paint(format, String(status))}  ${paint('dim', `${Math.round(Number(record['ms']))} ms`)}`;
}

function eventText(record: Readonly<Record<string, unknown>>, paint: PaintLog): string {
  const level = LEVELS.find(({ least }) => Number(record['level']) >= least);
  const facts = Object.entries(record)
    .filter(([name, value]) => !SHOWN_APART.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${plain(typeof value === 'object' ? JSON.stringify(value) : value)}`);
  const reason = reasonOf(record['err']);
  const text = `${plain(record['msg'])}${reason === '' ? '' : `: ${reason}`}`;
  const more = facts.length === 0 ? '' : `  ${paint('dim', facts.join(' '))}`;
  return `${paint(level?.format ?? 'dim', (level?.name ?? '').padEnd(METHOD_WIDTH))} ${text}${more}`;
}

function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? plain(error.message) : '';
}

function readRecord(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** In the time zone of the reader, not in UTC. */
function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, '0');
  return Number.isNaN(at.getTime()) ? '--:--:--' : [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

function plain(value: unknown): string {
  return String(value ?? '').replaceAll(CONTROL, ' ');
}
