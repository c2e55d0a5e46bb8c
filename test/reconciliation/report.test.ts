/** The report of a healthy operator: every field, windows with a true opening, refusals. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimNightlyReports, keepReport, runReport } from '../../src/reconciliation/report.ts';
import { report as reportShape } from '../../src/wire/reconciliation.ts';
import { readEntries } from '../support/items.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let between = '';
beforeAll(async () => {
  world = await openWorld();
  const [won, lost, annulled, split, open] = await Promise.all(
    ['won', 'lost', 'annulled', 'split', 'open'].map((name) => world.openMarket(name)),
  );
  for (const market of [won, lost, annulled, split, open]) {
    if (market !== undefined) {
      await world.buy(market, 'ana', 'YES', 10.37);
      await world.buy(market, 'ben', 'NO', 23.11);
      await world.buy(market, 'ana', 'YES', 3.33);
      await world.sell(market, 'ben', 7.5, 'NO');
    }
  }
  if (won && lost && annulled && split && open) {
    await world.resolve(won, 'YES');
    await world.resolve(lost, 'NO');
    await timePasses(5);
    between = new Date().toISOString();
    await timePasses(5);
    await world.resolve(annulled, 'VOID');
    await world.resolve(split, 'SPLIT', 370_000n);
    await world.buy(open, 'cem', 'YES', 50, { executionIntent: 'record_intent' });
  }
});
afterAll(() => world.close());

const get = (query = '', key?: string) =>
  world.request('GET', `/api/v1/reconciliation?${query}`, key === undefined ? {} : { key });

// contract 22.1, contract 22.3, contract 22.4, contract 22.6
test('healthy books: ok, no findings, both statements reconciled over their accounts', async () => {
  const { status, body } = await get();
  expect(status).toBe(200);
  reportShape.parse(body);
  expect(body.findings).toEqual([]);
  expect(body).toMatchObject({
    ok: true,
    from: '1970-01-01T00:00:00.000Z',
    trialBalance: { balanced: true, difference: '0.00' },
    cashStatement: {
      side: 'hosted',
      accountsInScope: 4,
      opening: '0.00',
      difference: '0.00',
      reconciled: true,
      externalUserId: null,
      operatorUserId: null,
      operatorId: world.operator.operatorId,
    },
    collateralStatement: { side: 'operator_collateral', accountsInScope: 0, ending: '0.00', reconciled: true },
    venueAgreement: { exits: 5, agrees: 0, disagrees: 0, unknown: 5 },
  });
  const [counts] = await world.sql`
    select (select count(*) from ledger_lines where operator_id = ${world.operator.operatorId})::int as lines,
      (select count(distinct account_id) from ledger_lines where operator_id = ${world.operator.operatorId})::int as accounts,
      (select -sum(balance) from account_balances where operator_id = ${world.operator.operatorId} and (account_id like 'wallet:%' or account_id like 'hold:%'))::text as money`;
  expect(body.scanned).toEqual({
    entries: (await readEntries(world.sql, world.operator.operatorId)).length,
    lines: counts?.['lines'],
    accounts: counts?.['accounts'],
  });
  expect(body.cashStatement.ending.replace('.', '')).toBe(counts?.['money']);
});

// contract 22.1, contract 22.4
test('a window has the opening of its moment, and its own movements', async () => {
  const whole = (await get()).body;
  const { body } = await get(`from=${between}`);
  expect(body.ok).toBe(true);
  expect(body.from).toBe(between);
  expect(body.cashStatement.ending).toBe(whole.cashStatement.ending);
  expect(body.cashStatement.opening).not.toBe('0.00');
  const [row] = await world.sql`
    select -sum(amount)::int as opening from ledger_lines
    where operator_id = ${world.operator.operatorId} and (account_id like 'wallet:%' or account_id like 'hold:%') and recorded_at < ${between}`;
  expect(Number(body.cashStatement.opening)).toBeCloseTo(Number(row?.['opening']) / 100, 6);
  expect(body.scanned.entries).toBeGreaterThan(0);
  expect(body.scanned.entries).toBeLessThan(whole.scanned.entries);
  expect(body.venueAgreement.exits).toBe(0);
  const future = (await get('from=2100-01-01T00:00:00Z')).body;
  expect(future.scanned).toMatchObject({ entries: 0, lines: 0 });
  expect(future.cashStatement.opening).toBe(future.cashStatement.ending);
});

// contract 22.1, contract 22.5
test('bad dates are refused; a live operator with nothing reconciles over zero accounts', async () => {
  for (const from of ['yesterday', '2026-02-31', '', '1763000000']) {
    const refused = await get(`from=${from}`);
    expect([from, refused.status, refused.body.error]).toEqual([from, 400, 'invalid_date']);
  }
  const { body } = await get('', world.liveKey);
  expect(body).toMatchObject({
    ok: true,
    findings: [],
    cashStatement: { accountsInScope: 0, ending: '0.00', reconciled: true },
  });
  const { apiKey } = await world.issueKey(world.operator, { scopes: ['orders:read'] });
  expect((await get('', apiKey)).body.error).toBe('insufficient_scope');
});

// contract 22.16
test('a night is taken by one of several workers, and by another one if no report was stored', async () => {
  const { sql } = world;
  const claims = await Promise.all([1, 2, 3, 4].map(() => claimNightlyReports(sql, 10)));
  expect(claims.flat().sort()).toEqual([world.operator.operatorId, world.liveOperator.operatorId].sort());
  expect(await claimNightlyReports(sql, 10)).toEqual([]);
  await keepReport(sql, world.operator.operatorId, await runReport(sql, world.operator.operatorId));
  const [kept] =
    await sql`select ok, report ->> 'ok' as said from reconciliation_reports where operator_id = ${world.operator.operatorId}`;
  expect(kept).toEqual({ ok: true, said: 'true' });
  await sql`update reconciliation_reports set claimed_at = now() - interval '61 minutes'`;
  expect(await claimNightlyReports(sql, 10)).toContain(world.liveOperator.operatorId);
});

// contract 22.17
test('a report that is requested while another one runs covers what was recorded by then', async () => {
  const holder = new pg.Client({ connectionString: world.database.ownerUrl });
  await holder.connect();
  const market = await world.openMarket('meanwhile');
  try {
    // the first report has read the journal when it comes to this table
    await holder.query('begin; lock table venue_evidence in access exclusive mode');
    const first = get();
    await until(
      () => world.sql`select 1 from pg_locks where relation = 'venue_evidence'::regclass and not granted`,
      (blocked) => blocked.length > 0,
    );
    await world.buy(market, 'ana');
    const [ledger] = await world.sql<{ sequence: number }[]>`
      select sequence::int as sequence from operator_ledgers where operator_id = ${world.operator.operatorId}`;
    const recorded = ledger?.sequence ?? 0;
    const later = [get(), get()];
    await holder.query('rollback');
    const before = (await first).body;
    const [second, third] = (await Promise.all(later)).map(({ body }) => body);
    expect(before.restsOn.sequence).toBeLessThan(recorded);
    expect([second.restsOn.sequence, third.restsOn.sequence]).toEqual([recorded, recorded]);
  } finally {
    await holder.end();
  }
});

// contract 22.12
test.each(['null', 'undefined', 'NULL'])('a customer may be called %s', async (user) => {
  await world.buy(await world.openMarket(`of-${user}`), user);
  expect((await get()).body.findings).toEqual([]);
});
