/** `ledger balances`: a trial balance at any moment, for a finance person. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunCommand } from '../support/run-command.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let run: RunCommand;
let between: Date;

beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('balances');
  await world.buy(market, 'ana', 'YES', 10);
  await timePasses(20);
  between = new Date();
  await timePasses(20);
  await world.buy(market, 'bob', 'YES', 25);
  run = await world.commands();
});
afterAll(() => world.close());

const balances = (...flags: string[]) => run('ledger', 'balances', '--operator', 'demo', ...flags);

test('debits and credits are equal, and each account is there with its side', async () => {
  const { exitCode, json } = await balances('--json');
  expect(exitCode).toBe(0);
  expect(Object.keys(json)).toEqual(['operatorId', 'slug', 'at', 'balances', 'totals']);
  expect(json.totals.debit).toBe(json.totals.credit);
  expect(json.balances).toContainEqual({
    accountId: 'wallet:bob',
    debit: '0.00',
    credit: '9975.00',
    balance: '-9975.00',
  });
});

test('as it was at a moment, and one account or kind of account', async () => {
  const then = (await balances('--at', between.toISOString(), '--json')).json;
  const names = then.balances.map(({ accountId }: { accountId: string }) => accountId);
  expect(names).toContain('wallet:ana');
  expect(names).not.toContain('wallet:bob');
  expect(then).toMatchObject({ at: between.toISOString() });
  expect(then.totals.debit).toBe(then.totals.credit);
  const wallets = (await balances('--account', 'wallet:', '--json')).json;
  expect(wallets).toMatchObject({
    balances: [{ accountId: 'wallet:ana' }, { accountId: 'wallet:bob' }],
    totals: { debit: '0.00', credit: '19965.00' },
  });
  expect((await balances('--account', 'wallet:an', '--json')).json.balances).toEqual([]);
});

test('for sheets and for people', async () => {
  const csv = await balances('--account', 'wallet:ana', '--output', 'csv');
  expect(csv.stdout.trim().split('\n')).toEqual(['accountId,debit,credit,balance', 'wallet:ana,0.00,9990.00,-9990.00']);
  const table = await balances();
  expect(table.stdout).toMatch(/wallet:ana +0\.00 +9,990\.00/);
  expect(table.stderr).toMatch(/^demo, before .+: debit ([\d,.]+), credit \1$/m);
});

test('a moment that is none and an operator that is none are refused', async () => {
  expect((await balances('--at', 'yesterday', '--json')).json.error).toBe('invalid_date');
  expect((await run('ledger', 'balances', '--operator', 'nobody', '--json')).exitCode).toBe(3);
});
