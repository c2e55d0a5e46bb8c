/** Lists on a terminal of 80 columns keep the figures that people look for, and shorten ids first. */
import { expect, test } from 'vitest';
import { orderColumns, positionColumns } from '../../src/cli/print/print-trading.ts';
import { renderTable } from '../../src/cli/terminal/table.ts';
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
  expect(head).toMatch(/^position +user +side +status +quantity +price +profit/);
  expect(row).toContain('-1,234.56');
  expect(row).toContain('customer');
  expect(under).toBe(`  ${name}`);
  expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(80);
  expect(leftOut).not.toContain('profit');
});

test('of a sale, 80 columns show what it paid', async () => {
  const order = {
    executionRef: 'inl_Best_7Y3D626ADTCXDR',
    createdAt: '2026-11-23T10:00:00.000Z',
    status: 'filled',
    action: 'sell',
    side: 'YES',
    operatorMoney: null,
    operatorExitMoney: { sellProceeds: '1234.56' },
  } as Order;
  const { text } = await renderTable([order], orderColumns(new Map()), plain, 80);
  expect(text).toMatch(/filled +sell +YES +1,234\.56/);
});
