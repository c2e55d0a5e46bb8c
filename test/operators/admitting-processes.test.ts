/** Admission by real processes, one of which is frozen, killed or stopped while it remembers keys and counts (docs/access.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../../src/operators/keys.ts';
import { changeOperator, createOperator } from '../../src/operators/operators.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ReleaseProcess, startCurrent } from '../support/releases.ts';
import { timePasses } from '../support/until.ts';

let database: TestDatabase;
let folder = '';
let made = 0;
const processes: ReleaseProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
  folder = await mkdtemp(join(tmpdir(), 'inlay-leases-'));
  for (let count = 0; count < 2; count += 1) {
    processes.push(await start());
  }
}, 60_000);

afterAll(async () => {
  await Promise.all(processes.map((one) => one.close()));
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function start(): Promise<ReleaseProcess> {
  return startCurrent('api', {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: database.url,
    INLAY_DATA_DIR: folder,
    INLAY_SECRET: 'a secret that only tests know',
    PORT: '0',
    LOG_LEVEL: 'silent',
  });
}

async function newKey() {
  made += 1;
  const operator = await createOperator(database.sql, { slug: `admitted-${made}`, mode: 'sandbox' });
  return { ...(await issueKey(database.sql, operator, { rateLimit: 6_000 })), slug: operator.slug };
}

async function ask({ url }: ReleaseProcess, { apiKey }: { apiKey: string }) {
  const response = await fetch(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${apiKey}` } });
  const body = (await response.json()) as { error?: string };
  return { status: response.status, error: body.error, remaining: Number(response.headers.get('ratelimit-remaining')) };
}

/** So many requests one after the other, in one minute. */
async function make(count: number, one: ReleaseProcess, key: { apiKey: string }): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    expect((await ask(one, key)).status).toBe(200);
  }
}

const [first, second] = [() => processes[0] as ReleaseProcess, () => processes[1] as ReleaseProcess];

test('a key is revoked while a process that remembers it is frozen; thawed, it refuses the next request', async () => {
  const key = await newKey();
  await make(20, first(), key);
  first().process.kill('SIGSTOP');
  await revokeKey(database.sql, key.keyId);
  const waiting = ask(first(), key);
  expect(await ask(second(), key)).toMatchObject({ status: 401, error: 'revoked_key' });
  first().process.kill('SIGCONT');
  expect(await waiting).toMatchObject({ status: 401, error: 'revoked_key' });
});

test('another process serves the callers of one that was killed; at most what that counted in 100 ms is forgotten', async () => {
  await awaitRoomInMinute(15);
  const key = await newKey();
  const killed = await start();
  await make(50, killed, key);
  await timePasses(300);
  killed.process.kill('SIGKILL');
  expect((await ask(second(), key)).status).toBe(200);
  await timePasses(300);
  expect((await ask(second(), key)).remaining).toBe(6_000 - 52);
  await changeOperator(database.sql, key.slug, { status: 'suspended' });
  expect(await ask(second(), key)).toMatchObject({ status: 403, error: 'operator_suspended' });
});

test('a process that is asked to stop writes what it counted', async () => {
  const key = await newKey();
  const stopped = await start();
  await make(20, stopped, key);
  await stopped.close();
  const [row] = await database.sql<[{ count: number }]>`
    select sum(count)::integer as count from rate_counters where subject = ${`t:${key.operatorId}`}`;
  expect(row.count).toBe(20);
});

test('what one process counted is known to the other 100 ms after its next request', async () => {
  await awaitRoomInMinute(10);
  const key = await newKey();
  await make(30, first(), key);
  await timePasses(300);
  await ask(second(), key);
  await timePasses(300);
  expect((await ask(second(), key)).remaining).toBe(6_000 - 32);
});

/** Keeps a count that must not straddle a minute inside one. */
async function awaitRoomInMinute(seconds: number): Promise<void> {
  const [row] = await database.sql<[{ left: number }]>`
    select (60 - extract(second from clock_timestamp()))::float8 as left`;
  if (row.left < seconds) {
    await timePasses(row.left * 1_000 + 50);
  }
}
