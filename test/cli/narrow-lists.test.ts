/** Lists on a terminal of 80 columns keep the figures that people look for, and shorten ids first. */
import { expect, test } from 'vitest';
import { positionColumns } from '../../src/cli/print/trading-columns.ts';
import { renderTable } from '../../src/cli/terminal/output.ts';
import type { Position } from '../../src/client/shapes.ts';

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

test('positions keep user, market, status and profit at 80 columns', async () => {
  const names = new Map([[POSITION.contractId, 'Will the United States enter a recession before 2027?']]);
  const { text, leftOut } = await renderTable([POSITION], positionColumns(names), plain, 80);
  const [head = '', row = ''] = text.split('\n');
  expect(head).toMatch(/^position +user +market +side +status +(quantity +)?profit/);
  expect(row).toContain('-1,234.56');
  expect(row).toContain('customer');
  expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(80);
  expect(leftOut).not.toContain('profit');
});
