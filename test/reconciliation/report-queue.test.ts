/** Reports of partners: equal requests share a run, one run an operator, few in all, and a refusal instead of a long wait. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReportQueue } from '../../src/reconciliation/report/report-queue.ts';
import type { Report } from '../../src/wire/reconciliation/report.ts';
import { startWorld } from './world.ts';

interface Run {
  readonly operatorId: string;
  readonly from: Date;
  end(): void;
}

const EPOCH = new Date(0);
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function heldQueue(restMs = 0) {
  const runs: Run[] = [];
  const ask = createReportQueue(
    () => Promise.reject(new Error('these runs read nothing')),
    { running: 2, waitingOfOperator: 1, waiting: 2, waitMs: 300, restMs },
    (operatorId, from) =>
      new Promise<Report>((resolve) => {
        runs.push({ operatorId, from, end: () => resolve({ ok: true } as Report) });
      }),
  );
  return { ask, runs };
}

const refusal = { code: 'service_unavailable', status: 503, extra: { retryAfterSeconds: 5 } };

test('equal requests share a run, and one operator has one run at a time', async () => {
  const { ask, runs } = heldQueue();
  const equal = Array.from({ length: 60 }, () => ask('op_a', EPOCH));
  const other = ask('op_a', new Date(1));
  await turn();
  expect(runs.map(({ from }) => from.getTime())).toEqual([0]);
  await expect(ask('op_a', new Date(2))).rejects.toMatchObject(refusal);
  runs[0]?.end();
  await Promise.all(equal);
  await turn();
  expect(runs.map(({ from }) => from.getTime())).toEqual([0, 1]);
  runs[1]?.end();
  await other;
});

test('few run at once, another operator has the next turn, and what waits too long is refused', async () => {
  const { ask, runs } = heldQueue();
  const first = [ask('op_a', EPOCH), ask('op_b', EPOCH)];
  await turn();
  const waiting = ask('op_c', EPOCH);
  const late = ask('op_d', EPOCH);
  await expect(ask('op_e', EPOCH)).rejects.toMatchObject(refusal);
  await turn();
  expect(runs.map(({ operatorId }) => operatorId)).toEqual(['op_a', 'op_b']);
  runs[0]?.end();
  await turn();
  expect(runs.map(({ operatorId }) => operatorId)).toEqual(['op_a', 'op_b', 'op_c']);
  // by then one has ended at once
  await expect(late).rejects.toMatchObject({ ...refusal, extra: { retryAfterSeconds: 1 } });
  for (const run of runs) {
    run.end();
  }
  await Promise.all([...first, waiting]);
});

test('after a run its operator rests for as long as it took, at most restMs, and others go on', async () => {
  const { ask, runs } = heldQueue(100);
  const first = ask('op_a', EPOCH);
  await turn();
  await sleep(150);
  runs[0]?.end();
  await first;
  const ended = performance.now();
  const again = ask('op_a', EPOCH);
  const other = ask('op_b', EPOCH);
  await turn();
  expect(runs.map(({ operatorId }) => operatorId)).toEqual(['op_a', 'op_b']);
  await expect.poll(() => runs.length).toBe(3);
  expect(performance.now() - ended).toBeGreaterThanOrEqual(95);
  for (const run of runs) {
    run.end();
  }
  await Promise.all([again, other]);
});

test('a refusal says how long the reports before it take, by those that ended', async () => {
  const { ask, runs } = heldQueue();
  const first = ask('op_a', EPOCH);
  await turn();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  runs[0]?.end();
  await first;
  const others = [ask('op_a', EPOCH), ask('op_a', new Date(1))];
  await turn();
  const refused = (await ask('op_a', new Date(2)).catch((error: unknown) => error)) as { extra: object };
  const [{ retryAfterSeconds = 0 }] = [refused.extra as { retryAfterSeconds?: number }];
  // two turns of more than a second each
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(3);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  runs[1]?.end();
  await others[0];
  await turn();
  runs[2]?.end();
  await others[1];
});

test('sixty reports of one tenant leave the connections of another one alone', {
  timeout: 60_000,
}, async () => {
  const world = await startWorld();
  const market = await world.market('noisy');
  await world.buy(market, 'ana', 'YES', 10);
  let most = 0;
  let running = true;
  const watching = (async () => {
    while (running) {
      const [row] = await world.service.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'inlay-api-reports' and state = 'active'`;
      most = Math.max(most, row?.count ?? 0);
    }
  })();
  const reports = await Promise.all(
    Array.from({ length: 60 }, () => world.service.request('GET', '/api/v1/reconciliation')),
  );
  running = false;
  await watching;
  // what would wait too long is refused at once
  const refused = reports.filter(({ status }) => status !== 200);
  // as many as one tenant may have inside at the same time
  expect(reports.length - refused.length).toBeGreaterThanOrEqual(4);
  for (const { status, headers, body } of refused) {
    expect([status, body.error, Number(headers.get('retry-after')) > 0]).toEqual([503, 'service_unavailable', true]);
  }
  expect(most).toBeLessThanOrEqual(1);
  const [pools] = await world.service.sql<{ trading: string | null }[]>`
    select string_agg(distinct application_name, ',') filter (where query ilike '%check_%') as trading
    from pg_stat_activity where datname = current_database() and application_name = 'inlay-api'`;
  expect(pools).toEqual({ trading: null });
  await world.close();
});
