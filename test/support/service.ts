/** A running API on a port of its own and a database of its own, with a demo operator and keys. Real HTTP, real PostgreSQL. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiContext, openApiContext } from '../../src/context.ts';
import { systemClock } from '../../src/core/clock.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import type { Mode } from '../../src/core/terms.ts';
import type { Sql } from '../../src/db/client.ts';
import { createOperator as makeOperator } from '../../src/operators/create-operator.ts';
import { type IssuedKey, issueKey, type KeyWishes } from '../../src/operators/issue-key.ts';
import type { Operator } from '../../src/operators/operator.ts';
import type { OperatorSettings } from '../../src/operators/operator-settings.ts';
import { findOperator } from '../../src/operators/operators.ts';
import { startServer } from '../../src/server/app.ts';
import type { AnyJson } from './any-json.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestRequest {
  /** Left out, the key of the demo operator; null sends none. */
  readonly key?: string | null;
  /** Sent as X-Service-User. */
  readonly user?: string;
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: AnyJson;
}

export interface TestService {
  readonly url: string;
  readonly context: ApiContext;
  readonly database: TestDatabase;
  readonly sql: Sql;
  /** Sandbox, slug `demo`. */
  readonly operator: Operator;
  readonly key: string;
  /** Live, slug `demo-live`. */
  readonly liveOperator: Operator;
  readonly liveKey: string;
  createOperator(settings: { slug: string; mode?: Mode; parent?: string } & OperatorSettings): Promise<Operator>;
  issueKey(operator: Operator, wishes?: KeyWishes): Promise<IssuedKey>;
  request(method: string, path: string, options?: TestRequest): Promise<TestResponse>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Settings of the demo operator; the platform fee is 200 basis points where nothing else is said. */
  readonly operator?: OperatorSettings;
  /** A database that is there already; it is left alone on close. */
  readonly database?: TestDatabase;
  readonly now?: () => Date;
  /** How long the API remembers what a key may do; by default not at all, so that tests can change rows. */
  readonly rememberMs?: number;
}

/** Keys of tests are not what is tested, so they have room. */
const ROOMY = { rateLimit: 6000 } as const;

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-test-'));
  const environment = readEnvironment({
    DATABASE_URL: database.url,
    INLAY_DATA_DIR: dataDir,
    INLAY_SECRET: 'a secret that only tests know',
    INLAY_WEBHOOK_ALLOW_LOOPBACK: '1',
    PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...options.environment,
  });
  const clock = options.now === undefined ? systemClock : { now: options.now };
  const context = await openApiContext(environment, database.url, clock);
  const server = await startServer(context, { rememberMs: options.rememberMs ?? 0 });
  const { sql } = database;
  const createOperator: TestService['createOperator'] = ({ mode = 'sandbox', ...settings }) =>
    makeOperator(sql, { mode, ...settings });
  const operator =
    (await findOperator(sql, 'demo')) ??
    (await createOperator({ slug: 'demo', platformFeeBps: 200, ...options.operator }));
  const liveOperator =
    (await findOperator(sql, 'demo-live')) ??
    (await createOperator({ slug: 'demo-live', mode: 'live', platformFeeBps: 200 }));
  const { apiKey: key } = await issueKey(sql, operator, ROOMY);
  const { apiKey: liveKey } = await issueKey(sql, liveOperator, ROOMY);
  return {
    url: server.url,
    context,
    database,
    sql,
    operator,
    key,
    liveOperator,
    liveKey,
    createOperator,
    issueKey: (owner, wishes = {}) => issueKey(sql, owner, { ...ROOMY, ...wishes }),
    request: (method, path, request = {}) => send(server.url + path, method, { key, ...request }),
    close: async () => {
      await server.close();
      await context.close();
      await rm(dataDir, { recursive: true, force: true });
      if (options.database === undefined) {
        await database.close();
      }
    },
  };
}

async function send(url: string, method: string, { key, user, body, headers }: TestRequest): Promise<TestResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(typeof key === 'string' && { authorization: `Bearer ${key}` }),
      ...(user !== undefined && { 'x-service-user': user }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
