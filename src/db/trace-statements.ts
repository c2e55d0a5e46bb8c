/** A span for each statement of a traced request: its text, which has no values, and whether it failed. */
import { currentTrace, startSpan } from '../core/telemetry/tracing.ts';

/** What the driver hands over when a statement is about to be sent (driver-additions.ts). */
interface DriverQuery {
  readonly strings: readonly string[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const LONGEST_TEXT = 300;
const FUNCTION = /\b([a-z_]+)\s*\(/;

/** Statements outside a span, such as polls, make none. */
export function traceStatement(query: DriverQuery): void {
  if (currentTrace() === undefined) {
    return;
  }
  const text = query.strings.join('?').replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
  const span = startSpan(FUNCTION.exec(text)?.[1] ?? 'statement', {
    kind: 'client',
    facts: { 'db.system.name': 'postgresql', 'db.query.text': text },
  });
  if (span === undefined) {
    return;
  }
  const { resolve, reject } = query;
  query.resolve = (result) => {
    span.end();
    resolve(result);
  };
  query.reject = (error) => {
    span.end(error);
    reject(error);
  };
}
