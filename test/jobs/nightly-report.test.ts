/** A worker makes the report of each operator once a night, keeps it, and logs what is not ok. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditingContext } from '../../src/context.ts';
import { startNightlyReports } from '../../src/jobs/books.ts';
import { report as reportShape } from '../../src/wire/reconciliation.ts';
import { awayFromMidnight } from '../support/one-minute.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const TIMEOUT_MS = 60_000;

let world: World;
const logged: { operatorId?: string; findings?: { check: string }[] }[] = [];
let context: AuditingContext;

beforeAll(async () => {
  // no night may begin while these tests run
  await awayFromMidnight();
  world = await openWorld();
  await world.buy(await world.openMarket('nightly'), 'ana');
  const { log } = world.context;
  const told = Object.assign(Object.create(log) as typeof log, {
    error: (facts: (typeof logged)[number]) => logged.push(facts),
  });
  context = { ...world.openWorker(), log: told };
}, 300_000);
afterAll(() => world.close());

const kept = () =>
  world.sql<{ operatorId: string; ok: boolean; report: unknown; ranAt: Date }[]>`
    select operator_id, ok, report, ran_at from reconciliation_reports where ran_at is not null order by operator_id`;

// contract 22.16
test('every operator has its report, and a second look in the same night makes none', {
  timeout: 120_000,
}, async () => {
  const operators = await world.sql`select operator_id from operators`;
  const job = startNightlyReports(context, 0);
  const first = await until(kept, (rows) => rows.length === operators.length, TIMEOUT_MS);
  await job.close();
  for (const row of first) {
    expect(row.ok).toBe(true);
    expect(reportShape.parse(row.report)).toMatchObject({ ok: true, from: '1970-01-01T00:00:00.000Z' });
  }
  expect(logged).toEqual([]);
  const again = startNightlyReports(context, 0);
  await timePasses(200);
  await again.close();
  expect(await kept()).toEqual(first);
});

// contract 22.16
test('the next night finds the damage and logs it', { timeout: 120_000 }, async () => {
  const before = await kept();
  await world.damage(`
    update operator_ledgers set stakes = stakes - 100 where operator_id = '${world.operator.operatorId}';
    update reconciliation_reports set claimed_at = claimed_at - interval '1 day', ran_at = ran_at - interval '1 day'`);
  const job = startNightlyReports(context, 0);
  const rows = await until(kept, (found) => found.filter(({ ok }) => !ok).length === 1, TIMEOUT_MS);
  await job.close();
  expect(rows.map(({ operatorId: id }) => id)).toEqual(before.map(({ operatorId: id }) => id));
  expect(rows.find(({ ok }) => !ok)?.operatorId).toBe(world.operator.operatorId);
  expect(logged).toMatchObject([{ operatorId: world.operator.operatorId, findings: [{ check: 'account_balance' }] }]);
});
