/** An address of several hosts, wherever a connection is made; and a node in recovery, which is 503 and never 500. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiContext } from '../../src/context.ts';
import { readDatabaseUrl, readEnvironment } from '../../src/core/environment.ts';
import { connect } from '../../src/db/client.ts';
import { isDatabaseAway } from '../../src/db/database-errors.ts';
import { openListener } from '../../src/db/listener.ts';
import { openPool } from '../../src/db/pg-client.ts';
import { openReadSession } from '../../src/db/read-session.ts';
import { isMigrated, roleOf } from '../../src/db/schema/migrate.ts';
import { issueKey } from '../../src/operators/keys.ts';
import { createOperator } from '../../src/operators/operators.ts';
import { startServer } from '../../src/server/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startInlay } from '../support/process.ts';
import { startStandby } from '../support/standby.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
/** Accepts connections and closes them at once, as a load balancer without servers does. */
let empty: Server;
/** A port that nothing listens on, the empty server, and the database. */
let several: string;

beforeAll(async () => {
  database = await createTestDatabase();
  empty = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => empty.listen(0, '127.0.0.1', resolve));
  several = hostsBefore(database.url, ['127.0.0.1:1', `127.0.0.1:${portOf(empty)}`]);
});

afterAll(async () => {
  await new Promise((resolve) => empty.close(resolve));
  await database.close();
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function hostsBefore(url: string, others: readonly string[], wanted = 'read-write'): string {
  const { host } = new URL(url);
  return `${url.replace(`@${host}`, `@${[...others, host].join(',')}`)}?target_session_attrs=${wanted}`;
}

// contract 41.6
test('an address of several hosts is read, and a wrong one named', () => {
  const text = 'postgres://u:p%2C@a:5432,b,c:5433/inlay?target_session_attrs=read-write';
  const { hosts, wanted, user, where } = readDatabaseUrl(text);
  expect({ hosts, wanted, user, where }).toEqual({
    hosts: [
      { name: 'a', port: 5432 },
      { name: 'b', port: 5432 },
      { name: 'c', port: 5433 },
    ],
    wanted: 'read-write',
    user: 'u',
    where: 'a:5432,b,c:5433',
  });
  expect(readEnvironment({ DATABASE_URL: text }).databaseUrl).toBe(text);
  for (const wrong of [
    'http://a/b',
    'postgres://a,,b/c',
    'postgres://a:x,b/c',
    'postgres://a,b/c?target_session_attrs=none',
  ]) {
    expect(() => readEnvironment({ DATABASE_URL: wrong }), wrong).toThrow('DATABASE_URL');
  }
});

// contract 41.6
test('pools, COPY, listeners, migrations and jobs connect to the first host that is suitable', async () => {
  const sql = connect(several, { max: 2, applicationName: 'inlay-hosts' });
  const answers = await Promise.all([1, 2, 3].map((n) => sql<{ n: number }[]>`select ${n}::integer as n`));
  expect(answers.map(([row]) => row?.n)).toEqual([1, 2, 3]);
  const copy = await openReadSession(several, 'op_none');
  expect(await copy.query('select 1 as one')).toEqual([{ one: '1' }]);
  await copy.close();
  expect(await isMigrated(several, roleOf(several))).toBe(true);
  const pool = openPool(several, { applicationName: 'inlay-hosts-pool', max: 1 });
  expect((await pool.query<{ two: number }>('select 2 as two')).rows).toEqual([{ two: 2 }]);
  await pool.end();
  let notified = '';
  const listener = openListener(several, 'inlay-hosts-listener');
  listener.listen('hosts', {
    onNotification: (payload) => {
      notified = payload;
    },
    onConnected: () => {},
  });
  await until(async () => listener.connected, Boolean);
  await sql`select pg_notify('hosts', 'heard')`;
  await until(
    async () => notified,
    (payload) => payload === 'heard',
  );
  await listener.close();
  await sql.end({ timeout: 1 });
});

test('when no host answers, a statement fails soon', async () => {
  const sql = connect(`postgres://u:p@127.0.0.1:1,127.0.0.1:${portOf(empty)}/inlay`, {
    max: 1,
    applicationName: 'inlay-hosts',
  });
  const started = performance.now();
  for (let turn = 0; turn < 3; turn += 1) {
    const failure = await sql`select 1`.catch((error: unknown) => error);
    expect(isDatabaseAway(failure)).toBe(true);
  }
  expect(performance.now() - started).toBeLessThan(5_000);
  await sql.end({ timeout: 1 });
});

test('a node that is being promoted is 503, an address that requires a writer waits for one, and then work continues', async () => {
  let apiKey = '';
  const standby = await startStandby(async (url) => {
    const sql = connect(url, { max: 1, applicationName: 'inlay-test' });
    const operator = await createOperator(sql, { slug: 'promoted', mode: 'sandbox' });
    apiKey = (await issueKey(sql, operator)).apiKey;
    await sql.end();
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'inlay-hosts-'));
  const environment = readEnvironment({
    INLAY_DATA_DIR: dataDir,
    DATABASE_URL: standby.url,
    PORT: '0',
    LOG_LEVEL: 'silent',
    INLAY_SECRET: 'a secret that only tests know',
  });
  const context = await openApiContext(environment, standby.url);
  const server = await startServer(context);
  const writer = connect(hostsBefore(standby.url, ['127.0.0.1:1']), { max: 1, applicationName: 'inlay-writer' });
  const ask = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${apiKey}` } });
    return { status: response.status, body: (await response.json()) as { error?: string } };
  };
  try {
    for (const path of ['/api/v1/events', '/api/v1/orders', '/api/v1/positions']) {
      expect(await ask(path)).toMatchObject({ status: 503, body: { error: 'service_unavailable' } });
    }
    const refused = await writer`select 1`.catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'NO_SUITABLE_HOST' });
    expect(isDatabaseAway(refused)).toBe(true);
    await standby.promote();
    await until(
      () => ask('/api/v1/orders'),
      ({ status }) => status === 200,
      20_000,
    );
    expect([...(await writer<{ n: number }[]>`select 1 as n`)]).toEqual([{ n: 1 }]);
  } finally {
    await writer.end({ timeout: 1 });
    await server.close();
    await context.close();
    await rm(dataDir, { recursive: true, force: true });
    await standby.close();
  }
}, 120_000);

test('a host that accepts the connection and says nothing is an unavailable database, with the next step', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const serve = startInlay(['serve'], {
    env: {
      DATABASE_URL: `postgres://u:p@127.0.0.1:${portOf(silent)}/inlay`,
      INLAY_SECRET: 'a secret that only tests know',
    },
  });
  expect(await serve.ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^database_unavailable: PostgreSQL did not answer within 5 seconds\nCheck DATABASE_URL/,
    ),
  });
  silent.close();
});
