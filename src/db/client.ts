/**
 * The only place that builds a PostgreSQL client of the service: pools of the driver `postgres`, whose statements are
 * traced if tracing is on. Single statements only: `sql.begin` and `sql.reserve` stay out of src.
 */

import type { Sql as DriverSql } from 'postgres';
import postgres from 'postgres';
import { readDatabaseUrl } from '../core/environment.ts';
import { currentTrace, isTracing, startSpan } from '../core/tracing.ts';
import { arrayTypes, arrayTypesByElement } from './row-type.ts';

/** 64-bit integers are BigInt in both directions, also inside arrays. */
export type Sql = DriverSql<{ bigint: bigint }>;

export interface ConnectOptions {
  /** The maximum number of connections. 8 to 16 are the optimum on two cores. */
  readonly max: number;
  /** The name shown in pg_stat_activity. */
  readonly applicationName: string;
  /**
   * How long a statement may wait for a connection, and then for its result. The server cancels it a little earlier; if the server does not
   * respond at all, the connection is destroyed. Whether the statement was executed is then unknown. The default is one minute.
   */
  readonly deadlineMs?: number;
  /** The role to act as instead of the user of the URL, which must be a member of it. */
  readonly role?: string;
  /** The operator whose rows a tenants' role sees for as long as the connections last (row-level security). */
  readonly operatorId?: string;
}

if (!('patchedFor' in postgres)) {
  throw new Error(
    'The installed postgres driver is not patched (patches/postgres+3.4.9.patch). Run "node bin/build.js".',
  );
}

const DEADLINE_MS = 60_000;
const CONNECT_TIMEOUT_S = 5;
/** The server's own limit is this share of the deadline, so that a busy server responds before the connection is destroyed. */
const SERVER_SHARE = 0.9;
/** If a client is gone, the server ends its session after this long without an acknowledgement. */
const TCP_USER_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_S = 5;
/** No pipelining: no statement waits behind one that hangs, or is lost with it. The driver's types lack the option. */
const ONE_AT_A_TIME: object = { max_pipeline: 0 };

/**
 * A pool for one database. It connects on first use and reconnects after the server was unavailable.
 * @param url postgres://user:password@host:port/database, or several hosts: host:port,host:port
 */
export function connect(url: string, options: ConnectOptions): Sql {
  const { max, applicationName, role, operatorId, deadlineMs = DEADLINE_MS } = options;
  const sql: Sql = postgres(url, {
    max,
    connect_timeout: CONNECT_TIMEOUT_S,
    keep_alive: KEEP_ALIVE_S,
    prepare: readDatabaseUrl(url).prepared,
    ...ONE_AT_A_TIME,
    // A pool that replaces connections by age would silently lose LISTEN and session locks.
    max_lifetime: null,
    // Retries are counted over the whole pool: ten connections that break together count as ten, so the delay grows
    // slowly.
    backoff: (retries: number) => Math.min(0.02 * (retries + 1), 1),
    onnotice: () => {},
    connection: {
      application_name: applicationName,
      TimeZone: 'UTC',
      ...(role === undefined ? {} : { role }),
      ...(operatorId === undefined ? {} : { 'inlay.operator': operatorId }),
      statement_timeout: Math.round(deadlineMs * SERVER_SHARE),
      tcp_user_timeout: TCP_USER_TIMEOUT_MS,
    },
    fetch_types: false,
    // The only place that maps rows as they are read: columns are snake_case in SQL and
    // camelCase here. The mapping is computed once per statement.
    transform: { column: { from: postgres.toCamel } },
    types: { ...arrayTypes(), bigint: postgres.BigInt } as { bigint: typeof postgres.BigInt },
  });
  const { shared } = sql.options as unknown as { shared: { typeArrayMap: Record<number, number> } };
  Object.assign(shared.typeArrayMap, arrayTypesByElement());
  // an option of our patch
  Object.assign(sql.options, { deadline: deadlineMs });
  const pool = isTracing() ? traced(sql) : sql;
  origins.set(pool, { url, options });
  return pool;
}

const origins = new WeakMap<Sql, { readonly url: string; readonly options: ConnectOptions }>();

/** A pool like this one, for the same database on another server. @param sql made by `connect` */
export function connectBeside(sql: Sql, host: string, port: number): Sql {
  const origin = origins.get(sql);
  if (origin === undefined) {
    throw new Error('not a pool of the service');
  }
  return connect(readDatabaseUrl(origin.url).withHost({ name: host, port }), origin.options);
}

/** A statement of the driver, which calls the handler once, when the statement is about to be sent. */
interface DriverQuery {
  readonly strings: readonly string[];
  handler(query: DriverQuery): unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const LONGEST_TEXT = 300;

/** Makes a span for each statement of a traced request: its text, which has no values, and whether it failed. */
function traced(sql: Sql): Sql {
  return new Proxy(sql, {
    apply: (target, self, args) => {
      const made: unknown = Reflect.apply(target, self, args);
      return isQuery(made) ? Object.assign(made, { handler: traceBefore(made.handler) }) : made;
    },
  });
}

/** False for names and lists inside a statement. */
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
  const text = query.strings.join('?').replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  const span = startSpan(nameOfStatement(text), {
    kind: 'client',
    facts: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, LONGEST_TEXT) },
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

const VERB = /\b(select|insert|update|delete)\b/;
const TARGET = /\b(?:from|join|into|update) (?:only )?([a-z_][\w.]*)/g;
const CALL = /\bselect ([a-z_][\w.]*)\(/;
/** FROM and UPDATE that name no table, and what is read without one. */
const NO_TABLE = /\b(?:extract|substring|trim)\([\w ]*\bfrom\b|\bdistinct from\b|\b(?:for|do) (?:no key )?update\b/g;
const NOT_A_TABLE = ['lateral', 'unnest', 'generate_series', 'json_array_elements', 'json_to_recordset'];
const CTE = /\b(\w+)(?: \([^()]*\))? as (?:not )?(?:materialized )?\(/g;

/** The verb of a statement and the table or function that it is about, such as `SELECT positions`. */
function nameOfStatement(text: string): string {
  const plain = text.replace(/'[^']*'/g, '').replace(NO_TABLE, '');
  const outer = withoutBrackets(plain);
  const own = new Set([...NOT_A_TABLE, ...[...plain.matchAll(CTE)].map(([, name]) => name)]);
  const target = [outer, plain].flatMap((part) => [...part.matchAll(TARGET)]).find(([, name]) => !own.has(name));
  const verb = VERB.exec(outer)?.[1] ?? text.split(' ', 1)[0] ?? '';
  return [verb.toUpperCase(), target?.[1] ?? CALL.exec(plain)?.[1] ?? ''].join(' ').trim();
}

/** The text with a question mark for each pair of brackets and what it contains. */
function withoutBrackets(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, '?');
  return shorter === text ? text : withoutBrackets(shorter);
}
