/** The HTTP door over a database of its own, with as many operators and keys as a test asks for. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { type ApiContext, openApiContext } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { newId, newOperatorId } from '../../src/core/ids.ts';
import type { Secrets } from '../../src/core/secrets/secret.ts';
import type { Sql } from '../../src/db/client.ts';
import { apiKeyPrefix, hashApiKey, newApiKey } from '../../src/operators/api-key.ts';
import { DEFAULT_SCOPES } from '../../src/operators/scopes.ts';
import { buildApp } from '../../src/server/app.ts';
import type { AnyJson } from '../support/any-json.ts';
import { createTestDatabase } from '../support/database.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnyJson;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestOperator {
  readonly operatorId: string;
  readonly keyId: string;
  readonly apiKey: string;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

export interface TestApi {
  readonly sql: Sql;
  readonly url: string;
  readonly context: ApiContext;
  readonly databaseUrl: string;
  /** Of the owner of the tables; empty for a database that is not its own. */
  readonly ownerUrl: string;
  /** Everything that was logged, as text. */
  readonly logged: string[];
  operator(columns?: Record<string, unknown>, scopes?: readonly string[]): Promise<TestOperator>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export async function startApi(
  options: { secrets?: Secrets; variables?: Record<string, string>; database?: { sql: Sql; url: string } } = {},
): Promise<TestApi> {
  const owned = options.database === undefined ? await createTestDatabase() : undefined;
  const { sql, url: databaseUrl } = options.database ?? (owned as NonNullable<typeof owned>);
  const logged: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-embed-'));
  const variables = { INLAY_DATA_DIR: dataDir, ...options.variables, LOG_LEVEL: 'trace' };
  const opened = await openApiContext(readEnvironment(variables), databaseUrl);
  const context: ApiContext = {
    ...opened,
    log: pino({ level: 'trace' }, sink),
    secrets: options.secrets ?? { current: 'the secret of these tests', previous: [] },
  };
  const app = await buildApp(context, undefined, { rememberMs: 0 });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  async function call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  async function operator(
    columns: Record<string, unknown> = {},
    scopes: readonly string[] = DEFAULT_SCOPES,
  ): Promise<TestOperator> {
    const operatorId = newOperatorId();
    const apiKey = newApiKey('sandbox');
    const keyId = newId('key');
    const row = {
      operator_id: operatorId,
      slug: operatorId.replace('_', '-'),
      name: 'Test',
      mode: 'sandbox',
      ...columns,
    };
    await sql`insert into operators ${sql(row as Record<string, string>)}`;
    await sql`insert into api_keys (operator_id, key_id, key_hash, prefix, scopes, rate_limit)
      values (${operatorId}, ${keyId}, decode(${hashApiKey(apiKey)}, 'hex'), ${apiKeyPrefix(apiKey)}, ${[...scopes]}, 6000)`;
    return {
      operatorId,
      keyId,
      apiKey,
      call: (method, path, callOptions = {}) =>
        call(method, path, {
          ...callOptions,
          headers: { authorization: `Bearer ${apiKey}`, ...callOptions.headers },
        }),
    };
  }

  return {
    sql,
    url,
    context,
    databaseUrl,
    ownerUrl: owned?.ownerUrl ?? '',
    logged,
    operator,
    call,
    close: async () => {
      await app.close();
      await opened.close();
      await rm(dataDir, { recursive: true, force: true });
      await owned?.close();
    },
  };
}
