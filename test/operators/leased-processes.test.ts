/** Leases of a budget with real processes, one of which is frozen, cut off or killed while it holds one (docs/access.md). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeOperator } from '../../src/operators/change-operator.ts';
import { createOperator } from '../../src/operators/create-operator.ts';
import { issueKey, revokeKey } from '../../src/operators/issue-key.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type ReleaseProcess, startCurrent } from '../support/releases.ts';

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
  const operator = await createOperator(database.sql, { slug: `leased-${made}`, mode: 'sandbox' });
  return { ...(await issueKey(database.sql, operator, { rateLimit: 6_000 })), slug: operator.slug };
}

async function ask({ url }: ReleaseProcess, { apiKey }: { apiKey: string }) {
  const response = await fetch(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${apiKey}` } });
  const body = (await response.json()) as { error?: string };
  return { status: response.status, error: body.error, remaining: Number(response.headers.get('ratelimit-remaining')) };
}

async function leasedAdmissions({ url }: ReleaseProcess): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^inlay_leased_admissions_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** @returns how many requests it took until one was admitted by a lease */
async function warm(one: ReleaseProcess, key: { apiKey: string }): Promise<number> {
  const before = await leasedAdmissions(one);
  for (let count = 10; count < 1_000; count += 10) {
    for (let some = 0; some < 10; some += 1) {
      expect((await ask(one, key)).status).toBe(200);
    }
    if ((await leasedAdmissions(one)) > before) {
      return count;
    }
  }
  throw new Error('no lease was granted');
}

const [first, second] = [() => processes[0] as ReleaseProcess, () => processes[1] as ReleaseProcess];

test('a key is revoked while the process that leases from it is frozen; thawed, it refuses the next request', async () => {
  const key = await newKey();
  await warm(first(), key);
  first().process.kill('SIGSTOP');
  const since = performance.now();
  await revokeKey(database.sql, key.keyId);
  expect(performance.now() - since).toBeLessThan(2_500);
  const waiting = ask(first(), key);
  expect(await ask(second(), key)).toMatchObject({ status: 401, error: 'revoked_key' });
  first().process.kill('SIGCONT');
  expect(await waiting).toMatchObject({ status: 401, error: 'revoked_key' });
});

test('another process serves the callers of one that was killed, and counts what it had leased as used', async () => {
  const key = await newKey();
  const killed = await start();
  const count = await warm(killed, key);
  killed.process.kill('SIGKILL');
  const since = performance.now();
  const { status, remaining } = await ask(second(), key);
  expect(status).toBe(200);
  expect(performance.now() - since).toBeLessThan(3_000);
  expect(remaining).toBeLessThan(6_000 - count);
  await changeOperator(database.sql, key.slug, { status: 'suspended' });
  expect(await ask(second(), key)).toMatchObject({ status: 403, error: 'operator_suspended' });
});

test('a process that is asked to stop gives back what it had leased', async () => {
  const key = await newKey();
  const stopped = await start();
  await warm(stopped, key);
  await stopped.close();
  const [row] = await database.sql<[{ leased: number }]>`
    select coalesce(sum(leased), 0)::integer as leased from rate_counters where subject = ${`t:${key.operatorId}`}`;
  expect(row.leased).toBe(0);
});

test('requests that take turns between two processes are numbered without a gap', async () => {
  const key = await newKey();
  const [row] = await database.sql<
    [{ left: number }]
  >`select (60 - extract(second from clock_timestamp()))::float8 as left`;
  if (row.left < 10) {
    await sleep(row.left * 1_000 + 50);
  }
  const count = await warm(first(), key);
  const remaining: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    remaining.push((await ask(turn % 2 === 0 ? second() : first(), key)).remaining);
  }
  expect(remaining).toEqual(Array.from({ length: 30 }, (_, index) => 6_000 - count - index - 1));
});
