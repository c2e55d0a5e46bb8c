/** Exports through HTTP: every kind and format agrees with the API, windows close, cells are no formulas, readers may leave. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
const FORMULA = '=cmd|calc!A1';
beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('export');
  const settled = await world.openMarket('export-settled');
  await world.buy(market, FORMULA, 'YES', 10);
  await world.sell(market, FORMULA, 5);
  await world.buy(market, 'a,"b"', 'NO', 12.34);
  await world.buy(settled, 'ana', 'YES', 7);
  await world.buy(settled, 'ben', 'NO', 7);
  await world.resolve(settled, 'VOID');
  await world.buy(market, 'cem', 'YES', 50, { executionIntent: 'record_intent' });
});
afterAll(() => world.close());

const get = (query: string) => world.request('GET', `/api/v1/reconciliation/export?${query}`);
type Row = Record<string, string>;
async function csv(query: string): Promise<{ rows: Row[]; summary: { rows: number; totals: Row; to: string } }> {
  const answer = await get(`format=csv&${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return {
    rows: parse(answer.text, { columns: true }),
    summary: JSON.parse(answer.headers.get('x-export') ?? ''),
  };
}
const pick = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);

// contract 25.1, contract 25.7
describe('every kind in every format', () => {
  const kinds = ['feed', 'orders', 'settlements', 'positions', 'ledger', 'fees', 'revenue', 'statement'];
  test.each(kinds)('%s', async (kind) => {
    const { rows, summary } = await csv(`kind=${kind}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(summary.rows).toBe(rows.length);
    const lines = (await get(`kind=${kind}&format=jsonl`)).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(rows.length);
    const document = (await get(`kind=${kind}&format=json`)).body;
    expect(document[kind]).toEqual(lines);
    if (kind !== 'feed') {
      for (const [index, row] of rows.entries()) {
        for (const [name, cell] of Object.entries(row)) {
          const value = pick(lines[index], name) ?? '';
          expect([name, cell.replace(/^'=/, '=')]).toEqual([name, String(value)]);
        }
      }
    }
  });

  test('the feed’s export carries each item’s cursor, in CSV as in JSON', async () => {
    const { rows } = await csv('kind=feed');
    const { items } = (await world.request('GET', '/api/v1/reconciliation/feed?limit=500')).body;
    expect(rows.map((row) => row['cursor'])).toEqual(items.map((item: { cursor: string }) => item.cursor));
    const [third, fourth] = rows.slice(2);
    const next = await world.request('GET', `/api/v1/reconciliation/feed?limit=1&cursor=${third?.['cursor']}`);
    expect(next.body.items[0].id).toBe(fourth?.['id']);
  });

  test('JSON lines of feed, settlements, orders and positions are what the API says', async () => {
    const lines = async (kind: string) =>
      (await get(`kind=${kind}&format=jsonl`)).text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const feed = await world.request('GET', '/api/v1/reconciliation/feed?limit=500');
    expect(await lines('feed')).toEqual(feed.body.items);
    const settlements = await world.request('GET', '/api/v1/settlements?limit=500');
    expect(await lines('settlements')).toMatchObject(
      settlements.body.settlements.map(({ cursor: _cursor, ...rest }: Record<string, unknown>) => rest),
    );
    const orders = await world.request('GET', '/api/v1/orders?limit=200');
    const exported = await lines('orders');
    expect(exported).toHaveLength(orders.body.count);
    for (const { eventTitle: _event, label: _label, ...order } of exported) {
      expect(orders.body.orders.find((one: { orderId: string }) => one.orderId === order.orderId)).toMatchObject(order);
    }
    const positions = await world.request('GET', '/api/v1/positions?limit=200');
    for (const position of await lines('positions')) {
      const same = positions.body.positions.find(
        (one: { positionId: string }) => one.positionId === position.positionId,
      );
      expect(same).toEqual(position);
    }
  });
});

test('totals: debits and credits, revenue as the fee accounts have it, statements that end where the report does', async () => {
  const ledger = await csv('kind=ledger');
  expect(ledger.summary.totals['debit']).toBe(ledger.summary.totals['credit']);
  const cents = (text: string | undefined) => Number((text ?? '').replace('.', ''));
  expect(ledger.rows.reduce((sum, row) => sum + cents(row['debit']), 0)).toBe(cents(ledger.summary.totals['debit']));
  const fees = await csv('kind=fees');
  const revenue = await csv('kind=revenue');
  const platform = fees.rows.reduce((sum, row) => sum + cents(row['amount']), 0);
  expect(cents(revenue.rows[0]?.['platformFees'])).toBe(platform);
  expect(cents(revenue.rows[0]?.['feesReturned'])).toBeGreaterThan(0);
  expect(revenue.summary.totals['feeRevenue']).toBe(revenue.rows[0]?.['feeRevenue']);
  const { body } = await world.request('GET', '/api/v1/reconciliation');
  const statement = await csv('kind=statement');
  const hosted = statement.rows.filter((row) => row['side'] === 'hosted');
  expect(hosted.at(-1)).toMatchObject({ movementType: 'ending', amount: body.cashStatement.ending });
  expect(statement.summary.totals).toEqual({
    hostedEnding: body.cashStatement.ending,
    collateralEnding: body.collateralStatement.ending,
  });
  const moved = hosted.slice(0, -1).reduce((sum, row) => sum + cents(row['amount']), 0);
  expect(moved).toBe(cents(body.cashStatement.ending));
});

test('an order names its market in the last two columns, and its time is on the clock that was asked for', async () => {
  const { rows } = await csv('kind=orders');
  expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual(['cancelReason', 'eventTitle', 'label']);
  const named = await world.sql<{ contractId: string; eventTitle: string; label: string }[]>`
    select c.contract_id as "contractId", v.title as "eventTitle", c.label from contracts c join events v using (event_id)`;
  for (const { contractId, eventTitle, label } of rows) {
    expect({ contractId, eventTitle, label }).toEqual(named.find((one) => one.contractId === contractId));
  }
  expect(rows.map((row) => row['orderId'])).toEqual(rows.map((row) => row['orderId']).sort());
  const local = (await csv('kind=orders&timeZone=Europe/Zagreb')).rows;
  const inZagreb = (iso = '') => new Date(iso).toLocaleString('sv', { timeZone: 'Europe/Zagreb' });
  expect(local.map((row) => row['createdAt'])).toEqual(rows.map((row) => inZagreb(row['createdAt'])));
});

// contract 25.3
test('a cell never starts a formula; amounts stay numbers; dialects', async () => {
  const { rows } = await csv('kind=orders');
  expect(rows.map((row) => row['externalUserId'])).toContain(`'${FORMULA}`);
  expect(rows.map((row) => row['externalUserId'])).toContain('a,"b"');
  const positions = await csv('kind=positions');
  expect(positions.rows.some((row) => row['operatorMoney.realisedPnl']?.startsWith('-'))).toBe(true);
  const german = await get('kind=fees&decimalComma=true&bom=1');
  expect(german.text.startsWith('sequence;id;')).toBe(true);
  const raw = await fetch(`${world.url}/api/v1/reconciliation/export?kind=fees&bom=1`, {
    headers: { authorization: `Bearer ${world.key}` },
  });
  expect([...new Uint8Array(await raw.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(german.text).toMatch(/;0,20\n/);
  const settled = (await get('kind=settlements&decimalComma=true')).text;
  expect(settled).toMatch(/;VOID;void;12,\d+;0,00;/);
  expect((await get('kind=fees&delimiter=%09')).text.split('\n')[0]).toContain('sequence\tid');
});

// contract 25.4
test('windows: from inclusive, to exclusive, never later than the start, and closed ones never change', async () => {
  const whole = await csv('kind=ledger');
  expect(Date.parse(whole.summary.to)).toBeLessThanOrEqual(Date.now());
  expect((await csv('kind=ledger&to=2100-01-01T00:00:00Z')).summary.to < '2099').toBe(true);
  const middle = whole.rows[8]?.['recordedAt'] ?? '';
  const before = await csv(`kind=ledger&to=${middle}`);
  const after = await csv(`kind=ledger&from=${middle}&to=${whole.summary.to}`);
  expect([...before.rows, ...after.rows]).toEqual(whole.rows);
  await world.buy(await world.openMarket('export-later'), 'dora');
  expect((await csv(`kind=ledger&to=${whole.summary.to}`)).rows).toEqual(whole.rows);
  expect((await csv('kind=ledger')).rows.length).toBeGreaterThan(whole.rows.length);
});

// contract 25.6
test('continues after the rows that the caller has, except kinds that change', async () => {
  const whole = await get('kind=ledger&format=csv');
  const { to } = JSON.parse(whole.headers.get('x-export') ?? '');
  const rest = await get(`kind=ledger&format=csv&skip=5&to=${to}`);
  const lines = whole.text.split('\n');
  expect(rest.text).toBe(lines.slice(6).join('\n'));
  const settlements = (await get('kind=settlements&format=jsonl')).text;
  expect((await get('kind=settlements&format=jsonl&skip=1')).text).toBe(
    settlements.slice(settlements.indexOf('\n') + 1),
  );
  for (const kind of ['orders', 'positions']) {
    expect((await get(`kind=${kind}&format=csv&skip=5`)).status).toBe(400);
  }
});

test('the ledger: a reference starts no formula in a cell; an entry may take effect earlier', async () => {
  const { operatorId } = world.operator;
  const effectiveAt = new Date(Date.now() - 86_400_000);
  await moveCollateral(world.sql, operatorId, 'deposit', 500n, FORMULA, effectiveAt);
  const deposit = (await csv('kind=ledger')).rows.at(-1) ?? {};
  expect(deposit['effectiveAt']).toBe(effectiveAt.toISOString());
  expect(Date.parse(deposit['recordedAt'] ?? '')).toBeGreaterThan(effectiveAt.getTime());
  await moveCollateral(world.sql, operatorId, 'withdrawal', 500n, 'now');
  const { rows } = await csv('kind=ledger');
  const withdrawal = rows.at(-1) ?? {};
  // the first entry is the credit of the first customer, whose id is its reference
  expect(rows[0]?.['referenceId']).toBe(`'${FORMULA}`);
  expect(withdrawal['effectiveAt']).toBe(withdrawal['recordedAt']);
  const lines = (await get('kind=ledger&format=jsonl')).text.trimEnd().split('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ referenceId: FORMULA });
});

test('refusals', async () => {
  for (const query of [
    'kind=nonsense',
    'kind=ledger&format=xml',
    'kind=orders&skip=1',
    'kind=ledger&format=json&skip=1',
    'kind=ledger&delimiter=ab',
    'kind=ledger&delimiter=1',
  ]) {
    const refused = await get(query);
    expect([query, refused.status, refused.body.error]).toEqual([query, 400, 'invalid_request']);
  }
  expect((await get('kind=ledger&from=never')).body.error).toBe('invalid_date');
  const { apiKey } = await world.issueKey(world.operator, { scopes: ['orders:read'] });
  const refused = await world.request('GET', '/api/v1/reconciliation/export?kind=ledger', { key: apiKey });
  expect(refused.body.error).toBe('insufficient_scope');
});

test('a reader that leaves takes its connection with it, and places come back', { tags: 'proof' }, async () => {
  await world.sql`
    select credit_wallets(${world.operator.operatorId}, array_fill(${world.operator.operatorId}::text, array[1000]), array_fill('ana'::text, array[1000]),
      array_fill(1::bigint, array[1000]), 'Bulk') from generate_series(1, 20)`;
  for (let round = 0; round < 6; round += 1) {
    const leaving = new AbortController();
    const answer = await fetch(`${world.url}/api/v1/reconciliation/export?kind=feed&format=jsonl`, {
      headers: { authorization: `Bearer ${world.key}` },
      signal: leaving.signal,
    });
    expect(answer.status).toBe(200);
    await answer.body?.getReader().read();
    leaving.abort();
    await timePasses(150);
  }
  await until(
    () => world.sql`
      select from pg_stat_activity where application_name = 'inlay-export' and datname = current_database()`,
    (open) => open.length === 0,
    5_000,
  );
});
