/** The revenue statement: by day, customer and market alike, against orders and settlements. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awayFromMidnight } from '../support/one-minute.ts';
import { openWorld, type World } from '../support/world.ts';

type Row = Record<string, string>;

let world: World;
let open: string;
beforeAll(async () => {
  // no day may end while these tests run
  await awayFromMidnight();
  world = await openWorld();
  const market = await world.openMarket('revenue-open');
  open = market.contractId;
  const won = await world.openMarket('revenue-won');
  const annulled = await world.openMarket('revenue-void');
  await world.buy(market, 'ana', 'YES', 10);
  await world.sell(market, 'ana', 5);
  await world.buy(market, '=ben', 'NO', 12.34);
  await world.buy(won, 'ana', 'YES', 7);
  await world.buy(won, '=ben', 'NO', 9);
  await world.buy(annulled, 'cem', 'YES', 20);
  await world.resolve(won, 'YES');
  await world.resolve(annulled, 'VOID');
}, 300_000);
afterAll(() => world.close());

const cents = (text: string | undefined) => Math.round(Number(text) * 100);
async function revenue(query: string): Promise<{ rows: Row[]; totals: Row }> {
  const answer = await world.request('GET', `/api/v1/reconciliation/export?kind=revenue&format=csv&${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return {
    rows: parse(answer.text, { columns: true }),
    totals: JSON.parse(answer.headers.get('x-export') ?? '').totals,
  };
}
const AMOUNTS = [
  'stakes',
  'payouts',
  'netStakes',
  'openStakes',
  'marketResult',
  'venueFees',
  'platformFees',
  'feeRevenue',
];
const KEY: Readonly<Record<string, string>> = { day: 'day', customer: 'externalUserId', market: 'contractId' };
const all = (rows: readonly Row[], name: string) => rows.reduce((sum, row) => sum + cents(row[name]), 0);

describe('a revenue statement', () => {
  test.each(['day', 'customer', 'market'])('by %s: each row adds up, and all rows to the totals', async (by) => {
    const { rows, totals } = await revenue(`by=${by}`);
    expect(rows).toHaveLength(by === 'day' ? 1 : 3);
    for (const row of rows) {
      const of = (name: string) => cents(row[name]);
      expect(of('netStakes')).toBe(of('stakes') - of('payouts'));
      expect(of('feeRevenue')).toBe(of('platformFees') - of('feesReturned') - of('overrun'));
      expect(of('netStakes')).toBe(of('feeRevenue') + of('openStakes') + of('marketResult') + of('venueFees'));
    }
    for (const name of ['stakes', 'payouts', 'marketResult', 'feeRevenue']) {
      expect([name, all(rows, name)]).toEqual([name, cents(totals[name])]);
    }
  });

  test('says what orders and settlements say', async () => {
    const { totals, rows } = await revenue('by=customer');
    const { orders } = (await world.request('GET', '/api/v1/orders?limit=200')).body;
    const { settlements } = (await world.request('GET', '/api/v1/settlements?limit=500')).body;
    const sum = (values: (string | undefined)[]) => values.reduce((total, value) => total + cents(value ?? '0'), 0);
    type Order = { operatorMoney: { actualDebit: string } | null; operatorExitMoney: { sellProceeds: string } | null };
    expect(cents(totals['stakes'])).toBe(sum(orders.map((one: Order) => one.operatorMoney?.actualDebit)));
    const exits = sum(orders.map((one: Order) => one.operatorExitMoney?.sellProceeds));
    const settled = sum(
      settlements.flatMap((one: { operatorMoney: Row }) => [
        one.operatorMoney['settlementCredit'],
        one.operatorMoney['voidCredit'],
      ]),
    );
    expect(cents(totals['payouts'])).toBe(exits + settled);
    const cem = rows.find((row) => row['externalUserId'] === 'cem');
    // annulled: all of it came back, the fee included
    expect([cem?.['stakes'], cem?.['payouts'], cem?.['netStakes'], cem?.['feeRevenue']]).toEqual([
      '20.00',
      '20.00',
      '0.00',
      '0.00',
    ]);
    expect(rows.map((row) => row['externalUserId'])).toContain("'=ben");
  });

  test.each([
    ['day,customer', 3],
    ['day,market', 3],
    ['customer,day', 3],
    ['customer,market', 5],
    ['market,day', 3],
    ['market,customer', 5],
  ])('by %s: rows add up to those of each subject alone, and to the ledger', async (by, expected) => {
    const { rows, totals } = await revenue(`by=${by}`);
    expect(rows).toHaveLength(expected);
    for (const subject of by.split(',')) {
      const name = KEY[subject] ?? '';
      for (const alone of (await revenue(`by=${subject}`)).rows) {
        const part = rows.filter((row) => row[name] === alone[name]);
        for (const amount of AMOUNTS) {
          expect([amount, all(part, amount)]).toEqual([amount, cents(alone[amount])]);
        }
      }
    }
    const [ledger] = await world.sql<{ platform: bigint; venue: bigint; open: bigint; result: bigint }[]>`
      select -sum(amount) filter (where account_id = 'fees:platform') as platform,
        -sum(amount) filter (where account_id = 'fees:venue') as venue,
        -sum(amount) filter (where account_id = 'stakes') as open,
        -sum(amount) filter (where account_id = 'result') as result
      from ledger_lines where operator_id = ${world.operator.operatorId}`;
    const booked = (value: bigint | undefined) => Number(value ?? 0n);
    expect(all(rows, 'platformFees')).toBe(booked(ledger?.platform));
    expect(all(rows, 'venueFees')).toBe(booked(ledger?.venue));
    expect(all(rows, 'openStakes')).toBe(booked(ledger?.open));
    expect(all(rows, 'marketResult')).toBe(booked(ledger?.result));
    expect(all(rows, 'marketResult')).toBe(cents(totals['marketResult']));
    // rows of the same first subject are together
    const firsts = rows.map((row) => row[KEY[by.split(',')[0] ?? ''] ?? '']);
    expect(firsts.filter((key, place) => key !== firsts[place - 1])).toHaveLength(new Set(firsts).size);
  });

  test('days are those of the time zone', async () => {
    const [at] = await world.sql<{ day: string }[]>`
      select ((max(recorded_at)) at time zone 'Pacific/Kiritimati')::date::text as day from ledger_lines`;
    const { rows, totals } = await revenue('by=day&timeZone=Pacific/Kiritimati');
    expect(rows.map((row) => row['day'])).toContain(at?.day);
    expect(all(rows, 'stakes')).toBe(cents((await revenue('by=day')).totals['stakes']));
    expect(all(rows, 'stakes')).toBe(cents(totals['stakes']));
  });

  test('names the market', async () => {
    const { rows } = await revenue('by=market');
    expect(rows.find((row) => row['contractId'] === open)).toMatchObject({
      eventTitle: 'Will revenue-open happen?',
      label: 'Yes',
    });
  });

  test('another kind is not reported', async () => {
    const answer = await world.request('GET', '/api/v1/reconciliation/export?kind=ledger&by=day');
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });
});
