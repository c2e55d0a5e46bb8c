/**
 * What an operator is told is audited as well: of the recorded world, each amount of each item rendered wrong by a cent, items that are
 * missing or told twice, and rows that cannot be rendered, are findings of their row.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Books } from '../../src/audit/books.ts';
import { fold } from '../../src/audit/fold.ts';
import { readBooks, readOn, readPlace, readRows } from '../../src/audit/read-on.ts';
import type { JournalRow, Tell, ToldItem } from '../../src/ledger/journal-row.ts';
import { eventOf } from '../../src/ledger/render/events.ts';
import { itemsOf } from '../../src/ledger/render/items.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { type GoldenWorld, recordWorld } from '../golden/world.ts';

let world: GoldenWorld;
const rendered: JournalRow[] = [];
beforeAll(async () => {
  world = await recordWorld();
  for (const operatorId of operators()) {
    await readRows(world.live.sql, operatorId, keepRow, 0n, 10_000);
  }
}, 120_000);
afterAll(() => world.close());

const keepRow: Tell = (row) => {
  rendered.push(row);
  return [];
};

const operators = () => world.tenants.map(({ tenant }) => tenant.operator.operatorId);

/** What the auditor finds in the whole journal if it is rendered so. */
async function findingsOf(tell: Tell): Promise<Books['findings']> {
  const { sql } = world.live;
  const found = operators().map(async (operatorId) => {
    const { rows } = await readRows(sql, operatorId, tell, 0n, 10_000);
    const books = await readBooks(sql, await readPlace(sql, operatorId, 'from nothing'), rows);
    fold(books, rows);
    return books.findings;
  });
  return (await Promise.all(found)).flat();
}

/** A word is another word, and of a line of an entry one of its amounts is wrong: debit, credit or balance, in turn. */
function wrongBy(amount: string): string {
  if (amount.includes(': debit ')) {
    const found = [...amount.matchAll(/-?\d+\.\d\d/g)];
    const one = found[amount.length % found.length];
    const wrong = (Number(one?.[0]) + 0.01).toFixed(2);
    return amount.slice(0, one?.index) + wrong + amount.slice((one?.index ?? 0) + (one?.[0].length ?? 0));
  }
  return /^-?\d+\.\d\d$/.test(amount) ? (Number(amount) + 0.01).toFixed(2) : `${amount} of something else`;
}

/** The renderer, with one amount of a type of item wrong in each of them. */
const damaged =
  (type: string, name: string): Tell =>
  (row) =>
    toldOf(row).map((item) =>
      item.type === type && item.amounts[name] !== undefined
        ? { ...item, amounts: { ...item.amounts, [name]: wrongBy(item.amounts[name]) } }
        : item,
    );

/** Names of amounts by type of item, with the kinds of accounts in place of their customers. */
const amounts = (items: readonly ToldItem[]) => [
  ...new Set(items.flatMap((item) => Object.keys(item.amounts).map((name) => `${item.type} ${name}`))),
];

// contract 22.23
test('nothing is found in what is told', async () => {
  expect(await findingsOf(toldOf)).toEqual([]);
});

// contract 22.23
test('each amount of each item that is told wrong by a cent is a finding of each row that tells it', {
  timeout: 180_000,
}, async () => {
  const told = rendered.flatMap((row) => toldOf(row));
  const names = amounts(told);
  expect(names.length).toBeGreaterThan(40);
  for (const one of names) {
    const type = one.split(' ', 1)[0] ?? '';
    const name = one.slice(type.length + 1);
    const found = await findingsOf(damaged(type, name));
    const rows = told.filter((item) => item.type === type && item.amounts[name] !== undefined);
    expect(
      found.filter(({ detail }) => detail.includes(` shows ${name} as `) && detail.includes(`Item ${type} `)).length,
      one,
    ).toBe(rows.length);
    expect(found.every(({ severity }) => severity === 'critical')).toBe(true);
    expect(found.length).toBe(rows.length);
  }
});

test.each<[string, Tell]>([
  ['an item that is missing', (row) => toldOf(row).slice(1)],
  ['an item that is told twice', (row) => [...toldOf(row), ...toldOf(row).slice(-1)]],
  [
    'an amount that is missing',
    (row) => toldOf(row).map(({ type, amounts: { amount, ...others } }) => ({ type, amounts: others })),
  ],
  [
    'an amount more',
    (row) => toldOf(row).map(({ type, amounts }) => ({ type, amounts: { ...amounts, payout: '1.00' } })),
  ],
  [
    'a row that cannot be rendered',
    () => {
      throw new RangeError('one credit at most');
    },
  ],
])('%s is a finding', async (_, tell) => {
  expect((await findingsOf(tell)).length).toBeGreaterThan(rendered.length / 2);
});

/** Everything in the form of an amount that is told, wherever it stands; what people wrote is no amount. */
function inForm(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([inner, one]) => inForm(one, inner));
  }
  return typeof value === 'string' && /^-?\d+\.\d\d$/.test(value) && name !== 'memo' ? [name] : [];
}

test('every amount is told to the auditor', () => {
  for (const row of rendered) {
    const items = itemsOf(row).map(({ money, detail }) => [money, detail]);
    const told = toldOf(row).flatMap(({ amounts }) =>
      Object.keys(amounts)
        .filter((name) => name !== 'kind')
        // a line has a debit and a credit
        .flatMap((name) => (name.startsWith('line ') ? [name, name] : [name])),
    );
    expect(told.length).toBe([...inForm(items), ...inForm(eventOf(row)?.data)].length);
  }
});

// contract 22.23
test('a report finds it as well', async () => {
  const { sql } = world.live;
  const [operatorId = ''] = operators();
  const wrong = damaged('ledger.posted', 'amount');
  await readOn(sql, operatorId, (row) => (row.kind === 'position_settled' ? wrong(row) : toldOf(row)));
  const { ok, findings } = await runReport(sql, operatorId);
  expect(ok).toBe(false);
  expect(findings[0]).toMatchObject({ check: 'account_balance', severity: 'critical', subjectType: 'record' });
});
