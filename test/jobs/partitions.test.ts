/** Tables for what is to come are made, old quotes leave with their week, and what an order spent is never lost. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { startPartitions, tendPartitions } from '../../src/jobs/partitions.ts';
import { readOrderEvidence } from '../../src/reconciliation/order-evidence.ts';
import { seedMarket } from '../support/market.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const OLD = '2025-01-06';
const log = createLog('silent');
let service: TestService;
let owner: pg.Client;
let count = 0;

beforeAll(async () => {
  service = await startTestService();
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service.close();
});
beforeEach(async () => {
  await owner.query('drop table if exists quotes_20250106');
  await owner.query(
    `create table quotes_20250106 partition of quotes for values from (quote_id_at('${OLD}')) to (quote_id_at('2025-01-13'))`,
  );
});

const tend = () => tendPartitions({ sql: service.sql, log });

/** A quote of that moment; @returns its id. */
async function quoteAt(moment: string, spentBy: string | null): Promise<string> {
  count += 1;
  const [row] = await service.sql<{ quote_id: string }[]>`
    insert into quotes (operator_id, quote_id, external_user_id, contract_id, side, action, price_micros, fee_bps, authorization_minor,
      fee_minor, trade_minor, quantity, payout_minor, simulated, venue, routing_reason, considered_venues, routable, book, created_at, expires_at, spent_by)
    values (${service.operator.operatorId}, quote_id_at(${moment}::timestamptz) || ${`${count}`.padStart(4, '0')}, 'ana', 'ctr_x', 'YES', 'buy',
      500000, 0, 100, 0, 100, 2000000, 200, true, 'paper', 'single_venue', 1, true, '{"bids":[],"asks":[]}', ${moment}::timestamptz,
      ${moment}::timestamptz + interval '30 seconds', ${spentBy})
    returning quote_id`;
  return row?.quote_id ?? '';
}

async function tables(parent: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [parent],
  );
  return rows.map(({ name }) => name);
}

async function found(quoteId: string): Promise<boolean> {
  const order = {
    operator_id: service.operator.operatorId,
    order_id: 'ord_x',
    external_user_id: 'ana',
    quote_id: quoteId,
    contract_id: 'ctr_x',
    position_id: null,
  };
  return (await readOrderEvidence(service.sql, order)).quote !== undefined;
}

test('the running and the coming week have a table of their own, and a quote goes there', async () => {
  await tend();
  const [weeks] = await service.sql<{ names: string[] }[]>`
    select array[to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC', '"quotes_"YYYYMMDD'),
      to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC' + interval '7 days', '"quotes_"YYYYMMDD')] as names`;
  expect(await tables('quotes')).toEqual([...(weeks?.names ?? []), 'quotes_rest']);
  await tend();
  expect(await tables('quotes')).toHaveLength(3);

  const market = await seedMarket(service.sql, 'parts');
  await service.context.board.refresh();
  const body = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 };
  const quote = await service.request('POST', '/api/v1/quotes', { user: 'ana', body });
  expect(quote.status, quote.text).toBe(200);
  const [at] =
    await service.sql`select tableoid::regclass::text as name from quotes where quote_id = ${quote.body.quoteId}`;
  expect(at?.['name']).toMatch(/^quotes_\d{8}$/);
  const order = { quoteId: quote.body.quoteId, clientOrderId: 'one' };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).status).toBe(201);
  const again = await service.request('POST', '/api/v1/orders', {
    user: 'ana',
    body: { ...order, clientOrderId: 'two' },
  });
  expect(again).toMatchObject({ status: 409, body: { error: 'quote_already_used' } });
});

test('quotes of a past week leave; what an order spent is kept, wherever it lay', async () => {
  const spent = await quoteAt(`${OLD}T10:00:00Z`, 'ord_a');
  const unspent = await quoteAt(`${OLD}T11:00:00Z`, null);
  // a week that never had a table
  const spentElsewhere = await quoteAt('2025-03-01T10:00:00Z', 'ord_b');
  const unspentElsewhere = await quoteAt('2025-03-01T11:00:00Z', null);
  const recent = await quoteAt(new Date(Date.now() - 3 * 86_400_000).toISOString(), null);
  await Promise.all([tend(), tend(), tend()]);
  await tend();
  expect(await tables('quotes')).not.toContain('quotes_20250106');
  expect(await Promise.all([spent, spentElsewhere, recent].map(found))).toEqual([true, true, true]);
  expect(await Promise.all([unspent, unspentElsewhere].map(found))).toEqual([false, false]);
  await expect(service.sql`delete from kept_quotes`).rejects.toThrow(/permission denied/);
  await expect(owner.query('delete from kept_quotes')).rejects.toThrow(/append-only/);
});

test('a week is not dropped before what was spent is kept, nor when it is young, whoever asks', async () => {
  const spent = await quoteAt(`${OLD}T10:00:00Z`, 'ord_c');
  const drop = (week: string, keep: string) =>
    service.sql`select drop_quote_week(${week}::timestamptz, ${keep}::interval) as done`;
  await expect(drop(OLD, '7 days')).rejects.toThrow(/not kept/);
  expect(await found(spent)).toBe(true);
  const [running] = await service.sql<
    { from_at: Date }[]
  >`select from_at from quote_weeks() order by from_at desc limit 1`;
  expect(await drop(running?.from_at.toISOString() ?? '', '0')).toEqual([{ done: false }]);
  await tend();
  expect(await found(spent)).toBe(true);
});

test('behind something long it gives up at once, and comes again', async () => {
  const spent = await quoteAt(`${OLD}T10:00:00Z`, 'ord_d');
  await owner.query('begin');
  // as a dump does
  await owner.query('lock table quotes in access share mode');
  await expect(tend()).rejects.toMatchObject({ code: '55P03' });
  await owner.query('rollback');
  expect(await tables('quotes')).toContain('quotes_20250106');
  const job = startPartitions(service.context);
  await until(
    () => tables('quotes'),
    (names) => !names.includes('quotes_20250106'),
  );
  await job.close();
  expect(await found(spent)).toBe(true);
});

test('feed and ledger have their next positions’ tables before an operator needs them', async () => {
  await owner.query('begin');
  await owner.query('update operator_counters set feed_position = 50000001 where operator_id = $1', [
    service.operator.operatorId,
  ]);
  await owner.query('select make_partitions()');
  await owner.query('select make_partitions()');
  const parents = ['feed_items', 'ledger_entries', 'ledger_lines'];
  for (const parent of parents) {
    expect(await tables(parent)).toEqual([`${parent}_1`, `${parent}_2`, `${parent}_rest`]);
  }
  for (const parent of parents) {
    await owner.query('savepoint one');
    await expect(owner.query(`truncate ${parent}_2`)).rejects.toThrow(/append-only/);
    await owner.query('rollback to savepoint one');
  }
  await owner.query('rollback');
});
