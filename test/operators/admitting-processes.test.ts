/** Admission by real processes, one of which is frozen, killed or stopped while it remembers keys and counts (docs/access.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../../src/operators/keys.ts';
import { changeOperator, createOperator } from '../../src/operators/operators.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { inOneMinute } from '../support/one-minute.ts';
import { type ReleaseProcess, startCurrent } from '../support/releases.ts';
import { until } from '../support/until.ts';

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

test('another process serves the callers of one that was killed; at most what that counted in 100 ms is forgotten', {
  tags: 'proof',
}, async () => {
  const key = await inOneMinute(20, async () => {
    const counted = await newKey();
    const killed = await start();
    await make(50, killed, counted);
    await written(50, counted);
    killed.process.kill('SIGKILL');
    await learns(50, second(), counted);
    return counted;
  });
  expect((await ask(second(), key)).status).toBe(200);
  await changeOperator(database.sql, key.slug, { status: 'suspended' });
  expect(await ask(second(), key)).toMatchObject({ status: 403, error: 'operator_suspended' });
});

test('a process that is asked to stop writes what it counted', { tags: 'proof' }, async () => {
  const key = await newKey();
  const stopped = await start();
  await make(20, stopped, key);
  await stopped.close();
  const [row] = await database.sql<[{ count: number }]>`
    select sum(count)::integer as count from rate_counters where subject = ${`t:${key.operatorId}`}`;
  expect(row.count).toBe(20);
});

test('what one process counted is known to the other 100 ms after its next request', async () => {
  await inOneMinute(10, async () => {
    const key = await newKey();
    await make(30, first(), key);
    await written(30, key);
    await learns(30, second(), key);
  });
});

/** Resolves when the requests of the process that counted them are in the database. */
async function written(count: number, { keyId }: { keyId: string }): Promise<void> {
  await until(async () => {
    const [row] = await database.sql`
      select coalesce(sum(count), 0)::int as sum from rate_counters where subject like ${`k:${keyId}:%`}`;
    expect(row?.['sum']).toBe(count);
  });
}

/** Resolves when another process counts those requests too. It learns of them 100 ms after its own next one. */
async function learns(count: number, one: ReleaseProcess, key: { apiKey: string }): Promise<void> {
  let own = 0;
  await until(async () => {
    own += 1;
    expect((await ask(one, key)).remaining).toBe(6_000 - count - own);
  });
}
