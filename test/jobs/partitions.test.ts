/** Tables for what is to come are made, old quotes leave with their week, and what an order spent is never lost. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { startPartitions } from '../../src/jobs/run.ts';
import { maintainPartitions } from '../../src/operations/upkeep.ts';
import { readOrderEvidence } from '../../src/reconciliation/order-timeline.ts';
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

/** A quote of that moment, and the order that spent it. @returns the id of the quote */
async function quoteAt(moment: string, spentBy: string | null): Promise<string> {
  count += 1;
  const [row] = await service.sql<{ quoteId: string }[]>`
    insert into quotes (operator_id, quote_id, external_user_id, contract_id, side, action, price_micros, fee_bps, authorization_minor,
      fee_minor, trade_minor, quantity, payout_minor, simulated, venue, routing_reason, considered_venues, routable, book, created_at, expires_at)
    values (${service.operator.operatorId}, quote_id_at(${moment}::timestamptz) || ${`${count}`.padStart(4, '0')}, 'ana', 'ctr_x', 'YES', 'buy',
      500000, 0, 100, 0, 100, 2000000, 200, true, 'paper', 'single_venue', 1, true, '{"bids":[],"asks":[]}', ${moment}::timestamptz,
      ${moment}::timestamptz + interval '30 seconds')
    returning quote_id`;
  const quoteId = row?.quoteId ?? '';
  if (spentBy !== null) {
    await service.sql`
      insert into orders (operator_id, order_id, external_user_id, client_order_id, execution_ref, quote_id, contract_id, side, action,
        intent, status, transmission_state, simulated, price_micros, fee_bps, authorization_minor, release_minor, quoted_fee_minor,
        quoted_trade_minor, quoted_quantity, routing_reason, considered_venues, venue, created_at, updated_at)
      values (${service.operator.operatorId}, ${spentBy}, 'ana', ${spentBy}, ${spentBy}, ${quoteId}, 'ctr_x', 'YES', 'buy', 'simulate',
        'rejected', 'resolved', true, 500000, 0, 100, 100, 0, 100, 2000000, 'single_venue', 1, 'paper', now(), now())`;
  }
  return quoteId;
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
    operatorId: service.operator.operatorId,
    orderId: 'ord_x',
    externalUserId: 'ana',
    quoteId,
    contractId: 'ctr_x',
    positionId: null,
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

test('quotes of a past week are removed; those that an order spent are kept, whatever their partition', async () => {
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

test('a week is dropped only when it is old and its spent quotes are kept, for every caller', async () => {
  const spent = await quoteAt(`${OLD}T10:00:00Z`, 'ord_c');
  const drop = (week: string, keep: string) =>
    service.sql`select drop_quote_week(${week}::timestamptz, ${keep}::interval) as done`;
  await expect(drop(OLD, '7 days')).rejects.toThrow(/not kept/);
  expect(await found(spent)).toBe(true);
  const [running] = await service.sql<
    { fromAt: Date }[]
  >`select from_at from quote_weeks() order by from_at desc limit 1`;
  expect(await drop(running?.fromAt.toISOString() ?? '', '0')).toEqual([{ done: false }]);
  await tend();
  expect(await found(spent)).toBe(true);
});

test('behind a long statement it gives up at once, and is retried', async () => {
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
        quantity: 2_000_000,
        payout_minor: 200,
        simulated: true,
        venue: 'paper',
        routing_reason: 'single_venue',
        considered_venues: 1,
        routable: true,
        book: {},
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
