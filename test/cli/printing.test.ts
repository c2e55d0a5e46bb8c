/** What end customers wrote and a person at a terminal or a sheet reads: it moves no cursor, turns no text, starts no formula. */
import { expect, test } from 'vitest';
import { drawHistory } from '../../src/cli/print/print-history.ts';
import { printableLines, toJson } from '../../src/cli/terminal/printable.ts';
import { columnsOf, escapeFormula, renderCsv, renderTable } from '../../src/cli/terminal/table.ts';
import type { OrderTrace } from '../../src/reconciliation/trace-order.ts';

const EVIL = 'a\u001b[2J\u001b]0;owned\u0007\u009b31mb\u202Ec\u2066d\u200Be\u2028f\ng';
const UNPRINTABLE = /[\p{Cc}\u202E\u2066\u200B\u2028]/u;
const plain = (_format: unknown, text: string) => text;

test('a table and a CSV cell hold no control, escape or direction character', async () => {
  const rows = [{ id: EVIL }];
  const { text } = await renderTable(rows, columnsOf<{ id: string }>('id'), plain);
  const csv = await renderCsv(rows, columnsOf<{ id: string }>('id'));
  for (const printed of [text.split('\n').at(-1) ?? '', csv.split('\n').at(-1) ?? '']) {
    expect(printed).not.toMatch(UNPRINTABLE);
    expect(printed).toContain('owned');
  }
});

test("the life of an order prints a customer's ids on lines of our own alone", () => {
  const order = {
    executionRef: 'inl_Best_0123456789ABCD',
    createdAt: '2026-11-01T12:00:00.000Z',
    ...{ orderId: 'ord_1', clientOrderId: EVIL, externalUserId: EVIL, operator: 'demo', mode: 'live' },
    ...{ action: 'buy', side: 'YES', contractId: 'ctr_1', settlementState: 'final', transmissionState: 'resolved' },
    ...{
      status: 'filled',
      rejectReason: EVIL,
      quote: { quoteId: 'qt_1', price: 0.5, contracts: 1, authorizationAmount: '1.00', quotedAt: 't', levels: [] },
      market: { title: EVIL, label: EVIL },
      operatorMoney: null,
      operatorExitMoney: null,
    },
    ...{ filledQuantity: 1, averagePrice: null, fills: [], next: [EVIL] },
  };
  const timeline = [{ at: 't', type: 'x', text: EVIL }];
  const trace = { order, sentence: EVIL, timeline, instructions: [], webhooks: [], ledger: [] };
  const lines = drawHistory(trace as unknown as OrderTrace, plain);
  for (const line of lines.flatMap((one) => one.split('\n'))) {
    expect(line).not.toMatch(UNPRINTABLE);
  }
  expect(lines.join('\n')).toContain('owned');
});

test('whatever a command says keeps its lines and its own colours and nothing else', () => {
  expect(printableLines('one\n\ttwo \u001b[31mred\u001b[39m')).toBe('one\n\ttwo \u001b[31mred\u001b[39m');
  expect(printableLines(EVIL).replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
  expect(printableLines('\u001b[8mhidden\u001b[1;31;7m')).toBe(' [8mhidden [1;31;7m');
});

test('JSON is the same document, and a terminal that shows it is not moved', () => {
  const json = toJson({ id: EVIL }, 0);
  expect(json).not.toMatch(UNPRINTABLE);
  expect(JSON.parse(json)).toEqual({ id: EVIL });
});

test('a formula behind a separator is escaped, and the cell is quoted', async () => {
  for (const [cell, escaped] of [
    ['semi;=1+1', "semi;'=1+1"],
    ['tab\t@x', "tab\t'@x"],
    ['pipe|-x|+y', "pipe|'-x|'+y"],
    ['comma,=x', "comma,'=x"],
    ['=x', "'=x"],
    ['；＝x', '；＝x'],
    ['-12.50', '-12.50'],
    ['order-17', 'order-17'],
  ] as const) {
    expect([cell, escapeFormula(cell)]).toEqual([cell, escaped]);
  }
  const csv = await renderCsv(
    [{ id: 'semi;=1+1', amount: '-5.00' }],
    columnsOf<{ id: string; amount: string }>('id', 'amount'),
  );
  expect(csv.split('\n')[1]).toBe('"semi;\'=1+1",-5.00');
});
