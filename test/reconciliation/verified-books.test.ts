/**
 * Reports that rest on a checkpoint: they show what a report over everything shows, they read only what was recorded since, and
 * nothing rests on books in which the verification found something wrong.
 */
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/move-collateral.ts';
import { sealLedger } from '../../src/ledger/seal.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { runReport, runReportSince } from '../../src/reconciliation/report/run-report.ts';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import { type Live, openTenant, startLive, type Tenant } from '../support/live.ts';
import { seedMarket, type TestMarket } from '../support/market.ts';
import { until } from '../support/until.ts';
import { factsOf, restReports } from '../support/verified-books.ts';

let live: Live;
let sandbox: Tenant;
let trading: Tenant;
beforeAll(async () => {
  live = await startLive();
});
afterAll(() => live.close());
beforeEach(async () => {
  sandbox = await live.tenant({ mode: 'sandbox' });
  trading = await live.tenant();
  await rest();
});

const idsOf = () => [sandbox, trading].map(({ operator }) => operator.operatorId);
const rest = () => {
  const { sql, context } = live.service;
  return restReports(sql, loadLogSigner(context.environment, context.secrets), idsOf());
};

/** As the owner, with triggers and constraints of the service out of the way. */
async function damage(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: live.service.database.ownerUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Both reports of both tenants say the same, and the one that rests says on what. A job withdraws orders of markets that closed,
 * so the one over everything is read twice and must not have changed meanwhile.
 */
async function expectSame(): Promise<void> {
  const { sql } = live.service;
  for (const operatorId of idsOf()) {
    const { whole, rested } = await until(
      async () => ({
        whole: await runReport(sql, operatorId),
        rested: await runReportSince(sql, operatorId),
        again: await runReport(sql, operatorId),
      }),
      (read) => isDeepStrictEqual(factsOf(read.whole), factsOf(read.again)),
    );
    expect(factsOf(rested)).toEqual(factsOf(whole));
    expect(whole).toMatchObject({ ok: true, restsOn: null });
    expect(rested.restsOn?.size).toBeGreaterThanOrEqual(0);
  }
}

async function newMarket(name: string): Promise<TestMarket> {
  const market = await seedMarket(live.service.sql, `${name}-${Date.now()}`, undefined, { feeBps: 100 });
  await live.service.context.board.refresh();
  return market;
}

async function resolve({ contractId }: TestMarket, resolution: string, yesWorth: bigint | null = null): Promise<void> {
  await live.service.sql`select * from decide_market(${contractId}, 'resolve', ${resolution}, ${yesWorth})`;
  await settleMarket(live.service.sql, contractId);
}

const resolved = (tenant: Tenant, orderId: string) =>
  until(
    () => tenant.read(orderId),
    (one) => one.transmissionState === 'resolved',
  );

test('a report that rests on a checkpoint shows what a report over everything shows, at every step of trading', {
  timeout: 120_000,
}, async () => {
  const [won, annulled, split] = [await newMarket('won'), await newMarket('annulled'), await newMarket('split')];
  const markets = [won, annulled, split];
  const intent = { executionIntent: 'record_intent' };
  const held: string[] = [];
  for (const { contractId: marketId } of markets) {
    await sandbox.place('ana', {}, { marketId });
    await sandbox.place('ben', {}, { marketId, side: 'NO' });
    held.push((await sandbox.place('cem', intent, { marketId })).body.orderId);
  }
  live.venue.script = (order) => live.venue.fillWhole(order, 100);
  for (const { contractId: marketId } of markets) {
    await resolved(trading, (await trading.place('dan', { reserveReference: 'r' }, { marketId })).body.orderId);
  }
  const open = (await trading.place('eve', {}, { marketId: won.contractId })).body.orderId;
  await expectSame();
  // open orders, positions and intents are behind the next checkpoint and end after it
  await rest();
  await sandbox.place('ana', {}, { action: 'sell', contracts: 5, stake: undefined, marketId: won.contractId });
  await sandbox.cancel(held[0] ?? '');
  await sandbox.place('fay', {}, { marketId: split.contractId });
  await trading.confirm(open, { reserveReference: 'later' });
  await resolved(trading, open);
  const sell = { action: 'sell', contracts: 5, stake: undefined, marketId: won.contractId };
  await resolved(trading, (await trading.place('dan', { reserveReference: 's' }, sell)).body.orderId);
  await moveCollateral(live.service.sql, trading.operator.operatorId, 'withdrawal', 1_000n);
  await expectSame();
  await rest();
  await resolve(won, 'YES');
  await resolve(annulled, 'VOID');
  await expectSame();
  await rest();
  await resolve(split, 'SPLIT', 400_000n);
  await sealLedger(live.service.sql);
  await expectSame();
  const [whole] = await rest();
  expect(whole).toMatchObject({ ok: true, findings: [] });
});

test('a report from a moment on rests on a checkpoint before it, and reads everything where it begins earlier', async () => {
  await sandbox.place('ana');
  const start = new Date();
  await sandbox.place('ana');
  await rest();
  const between = new Date();
  await sandbox.place('ana');
  const { operatorId } = sandbox.operator;
  for (const [from, rests] of [
    [start, false],
    [between, true],
  ] as const) {
    const rested = await runReportSince(live.service.sql, operatorId, from);
    expect(rested.restsOn !== null).toBe(rests);
    expect(factsOf(rested)).toEqual(factsOf(await runReport(live.service.sql, operatorId, from)));
  }
});

test('damage before the checkpoint is found by the next verification, and by every report after that', async () => {
  await sandbox.place('ana');
  await rest();
  const { operatorId } = sandbox.operator;
  await damage(
    `update orders set price_weight = price_weight + 1 where operator_id = '${operatorId}' and status = 'filled'`,
  );
  const partner = () => live.service.request('GET', '/api/v1/reconciliation', { key: sandbox.key });
  expect((await partner()).body).toMatchObject({ ok: true, restsOn: { size: expect.any(Number) } });
  const [found] = await rest();
  expect(found?.findings).toContainEqual(expect.objectContaining({ check: 'order_fills', severity: 'critical' }));
  expect((await partner()).body).toMatchObject({ ok: false, restsOn: null, findings: found?.findings });
});

test('a word of an old item that nothing but the log knows is found by the verification', async () => {
  await sandbox.place('ana');
  await rest();
  const { operatorId } = sandbox.operator;
  await damage(
    `update journal set recorded_at = recorded_at + interval '1 millisecond' where operator_id = '${operatorId}'`,
  );
  expect((await runReport(live.service.sql, operatorId)).ok).toBe(true);
  const [found] = await rest();
  expect(found).toMatchObject({
    ok: false,
    findings: [{ check: 'entry_seal', severity: 'critical', detail: expect.stringMatching(/^Item \d+ of the feed: /) }],
  });
  const fresh = await runReportSince(live.service.sql, operatorId);
  expect(fresh.restsOn).toBeNull();
});

test('a log that no longer continues the checkpoint is a finding of the report that rests on it', async () => {
  await sandbox.place('ana');
  await rest();
  const { operatorId } = sandbox.operator;
  await damage(`update feed_log_tiles set hashes = overlay(hashes placing '\\x00000000' from 1)
    where operator_id = '${operatorId}' and level = 0`);
  expect((await runReportSince(live.service.sql, operatorId)).findings).toMatchObject([{ check: 'entry_seal' }]);
  await damage(`update feed_log_heads set size = 1 where operator_id = '${operatorId}'`);
  expect((await runReportSince(live.service.sql, operatorId)).findings).toMatchObject([{ check: 'entry_seal' }]);
});

test('an operator that was never verified has reports over everything', async () => {
  const fresh = await openTenant(live.service, live.market, { mode: 'sandbox' });
  await fresh.place('ana');
  const { body } = await live.service.request('GET', '/api/v1/reconciliation', { key: fresh.key });
  expect(body).toMatchObject({ ok: true, restsOn: null });
});
