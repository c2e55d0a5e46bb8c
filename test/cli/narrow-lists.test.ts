/** Lists on a terminal of 80 columns keep the figures that people look for, and shorten ids first. */
import { expect, test } from 'vitest';
import { orderColumns, positionColumns } from '../../src/cli/print/print-trading.ts';
import { columnsOf, renderTable } from '../../src/cli/terminal/table.ts';
import type { Order, Position } from '../../src/client/shapes.ts';

const plain = (_format: unknown, text: string) => text;

const POSITION: Position = {
  positionId: 'pos_0123456789abcdefghijklmnopqr',
  externalUserId: 'customer-4711',
  contractId: 'ctr_0123456789abcdefghijklmnopqr',
  side: 'YES',
  status: 'settled',
  quantity: 1234.567891,
  averagePrice: 0.57,
  openedAt: '2026-11-23T10:00:00.000Z',
  updatedAt: '2026-11-23T10:00:00.000Z',
  operatorMoney: { currency: 'USD', costBasis: '703.70', realisedPnl: '-1234.56' },
};

test('positions keep user, status and profit at 80 columns, and the whole name of the market under them', async () => {
  const name = 'Will the United States enter a recession before 2027?';
  const { text, leftOut } = await renderTable(
    [POSITION],
    positionColumns(new Map([[POSITION.contractId, name]])),
    plain,
    80,
  );
  const [head = '', row = '', under] = text.split('\n');
  expect(head).toMatch(/^position +user +side +status +quantity +price +booked/);
  expect(row).toContain('-1,234.56');
  expect(row).toContain('customer');
  expect(under).toBe(`  ${name}`);
  expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(80);
  expect(leftOut).not.toContain('booked');
});

test('of a sale, 80 columns show what it paid', async () => {
  const order = {
    executionRef: 'inl_Best_7Y3D626ADTCXDR',
    createdAt: '2026-11-23T10:00:00.000Z',
    status: 'filled',
    action: 'sell',
    side: 'YES',
    externalUserId: 'customer-4711',
    operatorMoney: null,
    operatorExitMoney: { sellProceeds: '1234.56' },
  } as Order;
  const { text } = await renderTable([order], orderColumns(new Map()), plain, 80);
  expect(text).toMatch(
    /^reference +time UTC +status +order +amount +user\n.+ 2026-11-23 10:00 +filled +sell YES +1,234\.56 +customer…/,
  );
});

test('the name of a market is printed when it changes, and a column without any value is not printed', async () => {
  const order = { executionRef: 'inl_Best_7Y3D626ADTCXDR', createdAt: '2026-11-23T10:00:00.000Z', status: 'filled' };
  const rows = ['one', 'one', 'two'].map((contractId) => ({
    ...order,
    ...{ action: 'buy', side: 'NO', contractId, externalUserId: 'ana', operatorMoney: { actualDebit: '5.00' } },
  })) as Order[];
  const names = new Map([
    ['one', 'Will the United States enter a recession before 2027?'],
    ['two', 'Will the Fed cut rates in December?'],
  ]);
  const { text, leftOut } = await renderTable(rows, orderColumns(names), plain, 80);
  const [, ...lines] = text.split('\n');
  expect(lines.map((line) => line.slice(0, 12))).toEqual([
    ...['inl_Best_7Y3', '  Will the U', 'inl_Best_7Y3', 'inl_Best_7Y3', '  Will the F'],
  ]);
  expect(leftOut).not.toContain('your id');
  const below = { name: 'market', elastic: 40, mayStandBelow: true, value: () => 'the same long words below each row' };
  const each = await renderTable(rows, [...columnsOf<Order>('executionRef', 'createdAt', 'status'), below], plain, 60);
  expect(each.text.match(/the same long words/g)).toHaveLength(3);
});

test('a sentence in a table is broken between words', async () => {
  const rows = [{ name: 'gated-orders', meaning: 'orders with a confirmed reserve behind a closed gate' }];
  const columns = [...columnsOf<(typeof rows)[0]>('name'), { name: 'meaning', wraps: true, value: rowMeaning }];
  const { text } = await renderTable(rows, columns, plain, 50);
  expect(text.split('\n')).toEqual([
    'name          meaning',
    'gated-orders  orders with a confirmed reserve',
    '              behind a closed gate',
  ]);
});

function rowMeaning({ meaning }: { meaning: string }): string {
  return meaning;
}

test('at 80 and 120 columns titles stay, ids are shortened, and who, what and price are shown', async () => {
  const position = {
    positionId: 'pos_01a2046e364c74c38f0f2f09fb10c675',
    externalUserId: 'player-17',
    contractId: 'ctr_favourite',
    side: 'YES',
    status: 'open',
    quantity: 1234567.5,
    averagePrice: 0.55,
    openedAt: '2026-11-01T12:00:00.000Z',
    operatorMoney: { costBasis: '12345.67', realisedPnl: '0.00' },
  } as Position;
  const columns = positionColumns(new Map([['ctr_favourite', 'Who wins?: Favourite']]));
  for (const width of [80, 120]) {
    const { text } = await renderTable([position], columns, (_, shown) => shown, width);
    expect(text, `${width}`).toContain('player-17');
    expect(text, `${width}`).toContain('Who wins?: Favourite');
    expect(text, `${width}`).toMatch(/open +1,234,567\.5 +0\.55 +12,345\.67 +0\.00/);
    expect(Math.max(...text.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(width);
  }
  const { text: narrow } = await renderTable([position], columns, (_, shown) => shown, 80);
  expect(narrow).toMatch(/pos_0…\w{6}/);
});
