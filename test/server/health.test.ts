/** Health says what an order would meet: a locked table is not `ok`, and all who ask together share one look. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let owner: pg.Client;
beforeAll(async () => {
  service = await openWorld();
  await service.openMarket('health');
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

const health = () => service.request('GET', '/api/health', { key: null });

// contract 37.2
test('while a table that every order needs is locked, health is degraded, and one statement asks for all callers', {
  tags: 'proof',
}, async () => {
  expect((await health()).body).toMatchObject({ status: 'starting', database: 'up' });
  for (const table of ['journal', 'orders', 'operator_ledgers', 'api_keys']) {
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    const answers = Promise.all(Array.from({ length: 50 }, health));
    const watched = watchLooks(answers);
    for (const { status, body } of await answers) {
      expect([status, body.status, body.database], table).toEqual([200, 'degraded', 'up']);
    }
    expect(await watched, table).toBeLessThanOrEqual(1);
    await owner.query('rollback');
    expect((await health()).body.status, table).toBe('starting');
  }
});

test('while a table is locked, /metrics has everything that does not need it', { tags: 'proof' }, async () => {
  for (const table of ['journal', 'operators', 'webhook_deliveries']) {
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    // the table is locked until the answer is there, so an answer that waits for it fails
    const answer = await fetch(`${service.url}/metrics`, { signal: AbortSignal.timeout(30_000) });
    expect([answer.status, await answer.text()], table).toEqual([
      200,
      expect.stringMatching(/^inlay_board_revision \d/m),
    ]);
    await owner.query('rollback');
  }
});

/** @returns the most looks that waited for a lock at one time, until all callers were answered */
async function watchLooks(answers: Promise<unknown>): Promise<number> {
  let [most, isDone] = [0, false];
  void answers.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const [row] = await service.sql<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%order_locks%' and pid <> pg_backend_pid()`;
    most = Math.max(most, row?.count ?? 0);
  }
  return most;
}
