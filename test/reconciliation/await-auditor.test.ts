/** A report of the API waits for the auditor of a worker. The API process has no connection of the auditor, and may not write its books. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { migrate, roleOf } from '../../src/db/schema/migrate.ts';
import { startAuditing } from '../../src/jobs/books.ts';
import { AUDIT_CHANNEL, awaitAuditor } from '../../src/reconciliation/await-auditor.ts';
import { startServer } from '../../src/server/app.ts';
import type { TestMarket } from '../support/market.ts';
import type { Tenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const PATH = '/api/v1/reconciliation';

let world: World;
let market: TestMarket;
let tenant: Tenant;
/** Operators whose reports have asked for the auditor. */
const asked: string[] = [];

beforeAll(async () => {
  world = await openWorld({ auditor: false });
  const { ownerUrl, url, auditUrl } = world.database;
  await migrate(ownerUrl, roleOf(url), { auditRole: roleOf(auditUrl) });
  market = await world.openMarket('awaited');
  await world.sql.listen(AUDIT_CHANNEL, (operatorId) => void asked.push(operatorId));
});
afterAll(() => world.close());

/** Nobody has read the books of a new operator. */
beforeEach(async () => {
  tenant = await world.tenant({ mode: 'sandbox' });
  await tenant.buy(market, 'ana');
});
afterEach(() => void asked.splice(0));

const report = (query = '') => world.request('GET', `${PATH}${query}`, { key: tenant.key });
const untilAsked = (times: number) =>
  until(
    () => asked.length,
    (length) => length >= times,
  );

/** The auditor of a worker, with the role of the auditor. */
function startAuditor(everyMs?: number): { close(): Promise<void> } {
  const { url: databaseUrl, auditUrl, listener } = world.database;
  const audit = connect(auditUrl, { max: 2, applicationName: 'inlay-test-audit' });
  const auditing = startAuditing({ audit, databaseUrl, listener, log: world.context.log }, everyMs);
  return {
    close: async () => {
      await auditing.close();
      await audit.end({ timeout: 1 });
    },
  };
}

async function lastSequence(): Promise<number> {
  const [row] = await world.sql<{ sequence: number }[]>`
    select sequence::float8 as sequence from operator_ledgers where operator_id = ${tenant.operator.operatorId}`;
  return row?.sequence ?? 0;
}

// contract 22.17, contract 41.8
test('a report waits without a connection, and covers what was recorded when it was asked for', async () => {
  const waiting = report();
  await untilAsked(1);
  const held = await world.sql`
    select from pg_stat_activity where datname = current_database() and application_name like 'inlay-api-%'
      and state <> 'idle' and state_change < clock_timestamp() - interval '100 ms'`;
  expect(held).toHaveLength(0);
  const auditor = startAuditor();
  const { status, body } = await waiting;
  expect([status, body.ok, body.restsOn.sequence]).toEqual([200, true, await lastSequence()]);
  await auditor.close();
});

// contract 22.17
test('an auditor that rests reads on as soon as a report asks', async () => {
  // by itself it would look long after a report is refused
  const auditor = startAuditor(600_000);
  const listening = () =>
    world.sql`select from pg_stat_activity where datname = current_database()
      and application_name = 'inlay-test-listener' and query ilike 'listen%' and state = 'idle'`;
  await until(listening, (found) => found.length > 0);
  for (let round = 0; round < 3; round += 1) {
    await tenant.buy(market, 'ana');
    const last = await lastSequence();
    const { status, body } = await report();
    expect([status, body.restsOn.sequence >= last]).toEqual([200, true]);
  }
  await auditor.close();
}, 60_000);

test('a wait ends when its clients have gone, and the next report of the operator begins', async () => {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${tenant.key}` };
  const left = [1, 2].map(() => fetch(`${world.url}${PATH}`, { headers, signal: gone.signal }).catch(() => 'gone'));
  await untilAsked(1);
  const later = report('?from=2026-01-01');
  gone.abort();
  expect(await Promise.all(left)).toEqual(['gone', 'gone']);
  await untilAsked(2);
  const auditor = startAuditor();
  expect((await later).status).toBe(200);
  await auditor.close();
});

test('a report that waits is refused when the process stops', async () => {
  const server = await startServer(world.context);
  const answer = fetch(`${server.url}${PATH}`, { headers: { authorization: `Bearer ${tenant.key}` } });
  await untilAsked(1);
  const start = performance.now();
  await server.close();
  expect(performance.now() - start).toBeLessThan(3_000);
  const { status, headers } = await answer;
  expect([status, headers.get('retry-after')]).toEqual([503, '10']);
});

// contract 22.17
test('what the auditor has not read in time is service_unavailable, and nothing is written in its place', async () => {
  const { operatorId } = tenant.operator;
  const wait = awaitAuditor(world.context.reports, operatorId, new AbortController().signal, 100);
  await expect(wait).rejects.toMatchObject({ code: 'service_unavailable', extra: { retryAfterSeconds: 10 } });
  expect(await world.sql`select from audit.progress where operator_id = ${operatorId}`).toHaveLength(0);
});

test('a report does not wait for items that a damaged counter invents', async () => {
  const auditor = startAuditor();
  expect((await report()).body.ok).toBe(true);
  await auditor.close();
  await world.damage(
    `update operator_ledgers set sequence = sequence + 5 where operator_id = '${tenant.operator.operatorId}'`,
  );
  const { status, body } = await report();
  expect([status, body.findings]).toMatchObject([200, [{ check: 'feed_gap' }]]);
});
