/** A span for each statement of a traced request: its text, which has no values, and whether it failed. */
import type { Sql } from 'postgres';
import { currentTrace, startSpan } from '../core/tracing.ts';

/** A statement of the driver, which calls the handler once, when the statement is about to be sent. */
interface DriverQuery {
  readonly strings: readonly string[];
  handler(query: DriverQuery): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const LONGEST_TEXT = 300;
const FUNCTION = /\b([a-z_]+)\s*\(/;

export function traced(sql: Sql<{ bigint: bigint }>): Sql<{ bigint: bigint }> {
  return new Proxy(sql, {
    apply: (target, self, args) => {
      const made: unknown = Reflect.apply(target, self, args);
      return isQuery(made) ? Object.assign(made, { handler: traceBefore(made.handler) }) : made;
    },
  });
}

/** Others are names and lists inside a statement. */
function isQuery(made: unknown): made is DriverQuery {
  return made instanceof Promise && 'handler' in made;
}

function traceBefore(handler: DriverQuery['handler']): DriverQuery['handler'] {
  return (query) => {
    traceStatement(query);
    return handler(query);
  };
}

/** Statements outside a span, such as polls, make none. */
function traceStatement(query: DriverQuery): void {
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
