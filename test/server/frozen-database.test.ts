/** While the database stands still, every request is answered with 503 within its deadline, and afterwards all goes on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFrozenProcesses } from '../support/frozen-processes.ts';
import { type OwnServer, startOwnServer } from '../support/own-server.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

/** A statement's deadline of 5 s, the pause before it is believed, and a loaded machine. */
const ANSWERED_WITHIN_MS = 8_000;
const CATALOGUE = '/api/v1/events?limit=5';
const LIMITS = '/api/v1/users/alice/limits';
const ORDERS = '/api/v1/orders';

const { freeze, thaw } = createFrozenProcesses();
let server: OwnServer;
let service: World;

beforeAll(async () => {
  server = await startOwnServer();
  service = await openWorld({ database: server, environment: { INLAY_ANONYMOUS_RATE: '20000' } });
}, 60_000);

afterAll(async () => {
  await server.thaw();
  await service.close();
  await server.close();
});

async function timed(
  path: string,
  key?: null,
): Promise<{ status: number; error: unknown; retry: string | null; ms: number }> {
  const started = performance.now();
  const { status, body, headers } = await service.request('GET', path, key === null ? { key } : {});
  return { status, error: body?.error, retry: headers.get('retry-after'), ms: performance.now() - started };
}

test('six keyed requests, the catalogue too, are answered while the whole server is stopped', {
  timeout: 60_000,
}, async () => {
  for (const path of [CATALOGUE, LIMITS, ORDERS]) {
    expect((await timed(path)).status).toBe(200);
  }
  await server.freeze();
  try {
    const asked = [CATALOGUE, LIMITS, ORDERS, CATALOGUE, LIMITS, ORDERS].map((path) => timed(path));
    const health = await timed('/api/health', null);
    expect(health.status).toBe(503);
    expect(health.ms).toBeLessThan(4_000);
    for (const { status, error, retry, ms } of await Promise.all(asked)) {
      expect({ status, error, retry }).toEqual({ status: 503, error: 'service_unavailable', retry: '1' });
      expect(ms).toBeLessThan(ANSWERED_WITHIN_MS);
    }
    // still stopped: new connections are not answered either
    const later = await timed(CATALOGUE);
    expect(later).toMatchObject({ status: 503, error: 'service_unavailable' });
    expect(later.ms).toBeLessThan(2 * ANSWERED_WITHIN_MS);
  } finally {
    await server.thaw();
  }
  await until(
    () => timed(CATALOGUE),
    ({ status }) => status === 200,
    15_000,
  );
  expect((await timed('/api/health', null)).status).toBe(200);
});

// contract 37.2
test('health is unhealthy within three seconds also after more questions than unknown keys may ask', {
  timeout: 60_000,
}, async () => {
  const many = () => Promise.all(Array.from({ length: 100 }, () => timed('/api/health', null)));
  for (let round = 0; round < 62; round += 1) {
    await many();
  }
  await server.freeze();
  try {
    for (const { status, ms } of await many()) {
      expect(status).toBe(503);
      expect(ms).toBeLessThan(3_000);
    }
  } finally {
    await server.thaw();
  }
  await until(
    () => timed('/api/health', null),
    ({ status }) => status === 200,
    15_000,
  );
});

test('with two backends stopped, every request is answered, and health is well as soon as they are', async () => {
  await Promise.all(Array.from({ length: 8 }, () => timed(LIMITS)));
  const pids = await service.sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'inlay-api' and state = 'idle' order by pid limit 2`;
  expect(pids).toHaveLength(2);
  for (const { pid } of pids) {
    freeze(pid);
  }
  try {
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, turn) => {
        await timePasses(turn * 50);
        return timed(LIMITS);
      }),
    );
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(2 * ANSWERED_WITHIN_MS);
    // the stopped connections were replaced while they are still stopped
    await until(
      () => timed(LIMITS),
      ({ status, ms }) => status === 200 && ms < 1_000,
      30_000,
    );
    expect((await timed('/api/health', null)).status).toBe(200);
  } finally {
    thaw();
  }
}, 90_000);
