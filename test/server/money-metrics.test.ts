/** What the pager hears of money: /metrics has the findings of the reports, the orders of unknown outcome, work that is late, and low collateral. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepReport, runReport } from '../../src/reconciliation/report.ts';
import { VenueUnknown } from '../../src/venues/port.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;

beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

/** The samples of a metric, by the values of its labels. */
async function samplesOf(metric: string): Promise<Record<string, number>> {
  const { text } = await live.request('GET', '/metrics', { key: null });
  const lines = [...text.matchAll(new RegExp(`^${metric}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(
    lines.map(([, labels = '', value]) => [
      [...labels.matchAll(/"([^"]*)"/g)].map(([, label]) => label).join(' '),
      Number(value),
    ]),
  );
}

test('findings of the last reports are counted by severity, and end with the next report that has none', async () => {
  const { operatorId } = live.operator;
  await live.buy(live.market, 'ana');
  expect(await samplesOf('inlay_report_findings')).toEqual({ critical: 0, warning: 0, info: 0 });
  const shift = (cents: number) =>
    live.damage(`update operator_ledgers set stakes = stakes - ${cents} where operator_id = '${operatorId}'`);
  await shift(100);
  const report = await runReport(live.sql, operatorId);
  await keepReport(live.sql, operatorId, report);
  const found = report.findings.filter(({ severity }) => severity === 'critical').length;
  expect(found).toBeGreaterThan(0);
  expect(await samplesOf('inlay_report_findings')).toMatchObject({ critical: found });
  await shift(-100);
  await keepReport(live.sql, operatorId, await runReport(live.sql, operatorId));
  expect(await samplesOf('inlay_report_findings')).toEqual({ critical: 0, warning: 0, info: 0 });
});

test('the age of reports is that of the oldest, and an operator without one counts from its creation', async () => {
  const age = async () => (await samplesOf('inlay_report_oldest_seconds'))[''];
  expect(await age()).toBeLessThan(120);
  await live.sql`update reconciliation_reports set ran_at = now() - interval '30 hours'`;
  expect(await age()).toBeGreaterThanOrEqual(30 * 3600);
  await live.sql`update operators set created_at = now() - interval '40 hours' where slug = 'demo-live'`;
  expect(await age()).toBeGreaterThanOrEqual(40 * 3600);
});

test('orders of unknown outcome are counted by their age', async () => {
  expect(await samplesOf('inlay_orders_unknown')).toEqual({
    under_2m: 0,
    '2m_to_15m': 0,
    '15m_to_24h': 0,
    over_24h: 0,
  });
  live.venue.script = () => {
    throw new VenueUnknown('paper', 'no answer');
  };
  const tenant = await live.tenant();
  for (const [user, age] of [
    ['ana', '1 minute'],
    ['bob', '3 minutes'],
    ['cyd', '20 minutes'],
    ['dan', '16 minutes'],
    ['eve', '25 hours'],
  ] as const) {
    const { body } = await tenant.place(user, { reserveReference: user });
    expect(body.error).toBe('reconciliation_required');
    await live.damage(
      `update orders set transmitted_at = now() - interval '${age}' where order_id = '${body.orderId}'`,
    );
  }
  expect(await samplesOf('inlay_orders_unknown')).toEqual({
    under_2m: 1,
    '2m_to_15m': 1,
    '15m_to_24h': 2,
    over_24h: 1,
  });
});

test('a log that stands still and an auditor who does not read have the age of the oldest item that waits', async () => {
  await live.buy(live.market, 'fay');
  await live.damage(`
    update journal set recorded_at = recorded_at - interval '2 hours' where operator_id = '${live.operator.operatorId}'`);
  const ages = await samplesOf('inlay_work_oldest_seconds');
  expect(ages['feed-logs']).toBeGreaterThanOrEqual(7200);
  expect(ages['audit']).toBeGreaterThanOrEqual(7200);
  expect(ages['settlement']).toBe(0);
  const waiting = await samplesOf('inlay_work_waiting');
  expect(waiting['feed-logs']).toBeGreaterThan(waiting['audit'] ?? 0);
  expect(waiting['audit']).toBeGreaterThan(0);
});

test('collateral is that of the ten live operators with the least, of those that have paid some in', async () => {
  const slugs: string[] = [];
  for (let dollars = 1; dollars <= 11; dollars += 1) {
    slugs.push((await live.tenant({ collateralMinor: BigInt(dollars * 100 + 5) })).operator.slug);
  }
  await live.tenant({ collateralMinor: 0n });
  await live.tenant({ mode: 'sandbox' });
  const left = await samplesOf('inlay_collateral_available_dollars');
  expect(left).toEqual(Object.fromEntries(slugs.slice(0, 10).map((slug, place) => [slug, place + 1.05])));
  await live.sql`update operators set status = 'suspended' where slug = ${slugs[0] ?? ''}`;
  const [gone, ...rest] = Object.keys(left);
  expect(Object.keys(await samplesOf('inlay_collateral_available_dollars'))).toEqual([...rest, slugs[10]]);
  expect(gone).toBe(slugs[0]);
});
