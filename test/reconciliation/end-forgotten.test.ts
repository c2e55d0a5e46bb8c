/** Exports that are not read: one for each holder, and none keeps its connection for ever. */
import { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endForgotten } from '../../src/reconciliation/exports/open-export.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
  await world.buy(await world.openMarket('slots'), 'ana', 'YES', 10);
});

afterAll(() => world.close());

/** A stream that is never read, with the bytes that its reader took. */
function unread(bytes: number): { body: Readable; takenBytes: () => number } {
  const body = Readable.from([Buffer.alloc(bytes), Buffer.alloc(bytes)], { objectMode: false });
  let pushed = 0;
  body.on('readable', () => {
    pushed = body.readableLength;
  });
  return { body, takenBytes: () => pushed - body.readableLength };
}

test('an export whose reader takes nothing is ended', async () => {
  const { body, takenBytes } = unread(100_000);
  const ended = new Promise<Error>((resolve) => body.once('error', resolve));
  endForgotten(body, takenBytes, { stallMs: 120, totalMs: 60_000 });
  expect((await ended).message).toContain('its reader stopped reading');
});

test('a reader that is slow but steady is ended at the total deadline alone', async () => {
  const body = new Readable({ read() {} });
  let taken = 0;
  const feeding = setInterval(() => {
    body.push('x');
    taken += body.read()?.length ?? 0;
  }, 20);
  const started = performance.now();
  const ended = new Promise<Error>((resolve) => body.once('error', resolve));
  endForgotten(body, () => taken, { stallMs: 120, totalMs: 600 });
  const error = await ended;
  clearInterval(feeding);
  expect(error.message).toContain('too long');
  expect(performance.now() - started).toBeGreaterThan(500);
});

test('an operator has one export at a time, and the others have theirs meanwhile', async () => {
  const other = await world.createOperator({ slug: 'other-reader' });
  const { apiKey } = await world.issueKey(other, { scopes: ['ledger:read'] });
  const path = '/api/v1/reconciliation/export?kind=feed&format=jsonl';
  const owner = new pg.Client({ connectionString: world.database.ownerUrl });
  await owner.connect();
  // an export waits for this row before it begins
  await owner.query('begin');
  await owner.query('select from operator_ledgers where operator_id = $1 for update', [world.operator.operatorId]);
  const first = world.request('GET', path);
  await until(
    () => world.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    (waiting) => waiting.length === 1,
  );
  for (const { status, body, headers } of await Promise.all([1, 2, 3].map(() => world.request('GET', path)))) {
    expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  }
  expect((await world.request('GET', path, { key: apiKey })).status).toBe(200);
  await owner.query('commit');
  await owner.end();
  expect((await first).status).toBe(200);
  const again = await until(
    () => world.request('GET', path),
    ({ status }) => status === 200,
  );
  expect(again.text.length).toBeGreaterThan(0);
});
