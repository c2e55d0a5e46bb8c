/** Tables for what is to come are made, and old quotes leave with their week. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { startPartitions } from '../../src/jobs/run.ts';
import { maintainPartitions } from '../../src/operations/upkeep.ts';
import { awayFromMidnight } from '../support/one-minute.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const OLD = '2025-01-06';
const log = createLog('silent');
let service: World;
let owner: pg.Client;
let count = 0;

beforeAll(async () => {
  // no week may end while these tests run
  await awayFromMidnight();
  service = await openWorld();
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
}, 300_000);
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

const tend = () => maintainPartitions(service.sql, log);

/** A quote of that moment. @returns its id */
async function quoteAt(moment: string): Promise<string> {
  count += 1;
  const [row] = await service.sql<{ quoteId: string }[]>`
    insert into quotes (operator_id, quote_id, external_user_id, contract_id, side, action, price_micros, fee_bps, authorization_minor,
      fee_minor, trade_minor, quantity_micros, simulated, venue, routing_reason, considered_venues, levels, created_at, expires_at)
    values (${service.operator.operatorId}, quote_id_at(${moment}::timestamptz) || ${`${count}`.padStart(4, '0')}, 'ana', 'ctr_x', 'YES', 'buy',
      500000, 0, 100, 0, 100, 2000000, true, 'paper', 'single_venue', 1, '[]', ${moment}::timestamptz,
      ${moment}::timestamptz + interval '30 seconds')
    returning quote_id`;
  return row?.quoteId ?? '';
}

async function tables(parent: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [parent],
  );
  return rows.map(({ name }) => name);
}

const found = async (quoteId: string): Promise<boolean> =>
  (await service.sql`select from quotes where quote_id = ${quoteId}`).length > 0;

test('the running and the coming week have a table of their own, and a quote goes there', async () => {
  await tend();
  const [weeks] = await service.sql<{ names: string[] }[]>`
    select array[to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC', '"quotes_"YYYYMMDD'),
      to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC' + interval '7 days', '"quotes_"YYYYMMDD')] as names`;
  expect(await tables('quotes')).toEqual([...(weeks?.names ?? []), 'quotes_rest']);
  await tend();
  expect(await tables('quotes')).toHaveLength(3);

  const market = await service.openMarket('parts');
  const body = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 };
  const quote = await service.request('POST', '/api/v1/quotes', { user: 'ana', body });
  expect(quote.status, quote.text).toBe(200);
  const [at] =
    await service.sql`select tableoid::regclass::text as name from quotes where quote_id = ${quote.body.quoteId}`;
  expect(at?.['name']).toMatch(/^quotes_\d{8}(_\d{6})?$/);
  const order = { quoteId: quote.body.quoteId, clientOrderId: 'one' };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).status).toBe(201);
  const again = await service.request('POST', '/api/v1/orders', {
    user: 'ana',
    body: { ...order, clientOrderId: 'two' },
  });
  expect(again).toMatchObject({ status: 409, body: { error: 'quote_already_used' } });
});

test('quotes of a past week leave with its table; those without a table of their week stay', async () => {
  const past = await quoteAt(`${OLD}T10:00:00Z`);
  const elsewhere = await quoteAt('2025-03-01T10:00:00Z');
  const recent = await quoteAt(new Date(Date.now() - 3 * 86_400_000).toISOString());
  await Promise.all([tend(), tend(), tend()]);
  await tend();
  expect(await tables('quotes')).not.toContain('quotes_20250106');
  expect(await Promise.all([past, elsewhere, recent].map(found))).toEqual([false, true, true]);
});

test('a week is dropped only when it is old, for every caller', async () => {
  const [running] = await service.sql<
    { fromAt: Date }[]
  >`select from_at from quote_weeks() order by from_at desc limit 1`;
  const drop = service.sql`select drop_quote_week(${running?.fromAt.toISOString() ?? ''}::timestamptz, '0') as done`;
  expect(await drop).toEqual([{ done: false }]);
});

test('behind a long statement it gives up at once, and is retried', async () => {
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
});

/** What the owner does in a transaction that is rolled back. */
async function undone(work: () => Promise<void>): Promise<void> {
  await owner.query('begin');
  try {
    await work();
  } finally {
    await owner.query('rollback');
  }
}

/** Without the number that a table has on a server of Citus. */
const nameOf = async (table: string, where: string): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select distinct regexp_replace(tableoid::regclass::text, '_\\d{6}$', '') as name from ${table} where ${where}`,
  );
  return rows.map(({ name }) => name);
};

test('a week of quotes and of attempts gets its table although rows came before it', async () => {
  await tend();
  const [week] = await service.sql<{ name: string }[]>`
    select 'quotes_' || to_char(date_trunc('week', now(), 'UTC') at time zone 'UTC', 'YYYYMMDD') as name`;
  const name = week?.name ?? '';
  await undone(async () => {
    await owner.query(`drop table ${name}`);
    const quote = `insert into quotes select * from json_populate_record(null::quotes, $1::json)`;
    const { rows } = await owner.query<{ early: string; later: string; last: boolean }>(
      `select quote_id_at(now()) as early, quote_id_at(now() + interval '4 hours') as later,
         date_trunc('hour', now()) + interval '5 hours' >= date_trunc('week', now(), 'UTC') + interval '7 days' as last`,
    );
    const { early = '', later = '', last = false } = rows[0] ?? {};
    const of = (id: string) =>
      JSON.stringify({
        operator_id: service.operator.operatorId,
        quote_id: id,
        external_user_id: 'ana',
        contract_id: 'ctr_x',
        side: 'YES',
        action: 'buy',
        price_micros: 500_000,
        fee_bps: 0,
        authorization_minor: 100,
        fee_minor: 0,
        trade_minor: 100,
        quantity_micros: 2_000_000,
        simulated: true,
        venue: 'paper',
        routing_reason: 'single_venue',
        considered_venues: 1,
        levels: [],
        created_at: new Date(),
        expires_at: new Date(),
      });
    await owner.query(quote, [of(early)]);
    expect(await nameOf('quotes', `quote_id = '${early}'`)).toEqual(['quotes_rest']);
    await owner.query('select make_partitions()');
    // in the last hours of a week there is nothing left to make
    if (!last) {
      expect(await tables('quotes')).toContain(name);
      await owner.query(quote, [of(later)]);
      expect(await nameOf('quotes', `quote_id = '${later}'`)).toEqual([name]);
    }
  });
  await undone(async () => {
    const attempts = name.replace('quotes', 'webhook_attempts');
    await owner.query(`drop table if exists ${attempts}`);
    await owner.query(
      `insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms) values ('op_x', 'dlv_x', 1, now(), 1)`,
    );
    await owner.query("select maintain_webhooks('30 days')");
    const { rows } = await owner.query<{ last: boolean }>(
      `select date_trunc('hour', now()) + interval '2 hours' >= date_trunc('week', now(), 'UTC') + interval '7 days' as last`,
    );
    expect((await tables('webhook_attempts')).includes(attempts)).toBe(rows[0]?.last === false);
  });
});
