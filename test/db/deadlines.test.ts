/** No statement waits for ever: not for a connection, not for a server that is busy, not for one that stands still. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { isDatabaseAway } from '../../src/db/database-errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses } from '../support/until.ts';

const DEADLINE_MS = 1_500;
/** Far below the thirty seconds of the statements, also on a busy machine. */
const LATEST_MS = 15_000;
let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 2, applicationName: 'inlay-deadline', deadlineMs: DEADLINE_MS });
});

afterAll(async () => {
  await sql.end({ timeout: 1 });
  await database.close();
});

async function timed(work: Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const started = performance.now();
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { error, tookMs: performance.now() - started };
}

test('the server cancels a statement before its deadline, and the connection stays usable', {
  tags: 'proof',
}, async () => {
  // a tenth of the deadline lies between the two
  const own = connect(database.url, { max: 1, applicationName: 'inlay-deadline', deadlineMs: 4 * DEADLINE_MS });
  const pid = async () => (await own<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await pid();
  const { error } = await timed(own`select pg_sleep(30)`);
  expect(error).toMatchObject({ code: '57014' });
  expect(isDatabaseAway(error)).toBe(true);
  expect(await pid()).toBe(before);
  await own.end({ timeout: 1 });
});

test('a statement of a stopped backend ends at its deadline; others pass it, and its connection is replaced', async () => {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = row?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    const asked = Array.from({ length: 4 }, (_, n) => timed(sql`select ${n}::integer as n`));
    const ended = await Promise.all(asked);
    const failed = ended.filter(({ error }) => error !== undefined);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.error).toMatchObject({ code: 'STATEMENT_DEADLINE' });
    expect(isDatabaseAway(failed[0]?.error)).toBe(true);
    expect(Math.max(...ended.map(({ tookMs }) => tookMs))).toBeLessThan(LATEST_MS);
    const pids = await Promise.all(
      Array.from({ length: 3 }, () => sql<{ pid: number }[]>`select pg_backend_pid() as pid`),
    );
    expect(pids.map(([other]) => other?.pid)).not.toContain(pid);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

test('what waits for a connection is bounded in time', async () => {
  const busy = [sql`select pg_sleep(30)`, sql`select pg_sleep(30)`].map(timed);
  const waiting = Array.from({ length: 3 }, (_, n) => timed(sql`select ${n}::integer as n`));
  for (const { tookMs } of await Promise.all([...busy, ...waiting])) {
    expect(tookMs).toBeLessThan(LATEST_MS);
  }
});

test('a process that stood still itself takes the answers that arrived meanwhile', { tags: 'proof' }, async () => {
  const asked = sql<{ n: number }[]>`select 7 as n from pg_sleep(0.1)`;
  await timePasses(50);
  const until = Date.now() + DEADLINE_MS + 500;
  while (Date.now() < until) {
    // the event loop stands still beyond the deadline
  }
  expect([...(await asked)]).toEqual([{ n: 7 }]);
});
