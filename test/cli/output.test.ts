/** Lists as tables and CSV: a cell never starts a formula, amounts stay amounts, 64-bit numbers stay exact. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson } from '../../src/cli/json.ts';
import { columnsOf, escapeFormula, renderCsv, renderTable } from '../../src/cli/output.ts';

const plain = (_format: unknown, text: string) => text;

describe('CSV', () => {
  it('spares signed amounts and disarms what a sheet would run', async () => {
    const rows = [
      { amount: '-1.00', memo: '=1+1', note: '+SUM(A1)', at: '@x', tab: '\tx', plus: '+1.00', wide: '＝1' },
    ];
    const csv = await renderCsv(rows, columnsOf('amount', 'memo', 'note', 'at', 'tab', 'plus', 'wide'));
    expect(parse(csv, { columns: true })).toEqual([
      { amount: '-1.00', memo: "'=1+1", note: "'+SUM(A1)", at: "'@x", tab: "'\tx", plus: "'+1.00", wide: "'＝1" },
    ]);
  });

  it('holds the value of the API where the table shows it dressed for people', async () => {
    const columns = [{ name: 'probability', value: () => '57.5%', raw: () => 0.575 }];
    expect(await renderCsv([{}], columns)).toBe('probability\n0.575');
    expect(await renderTable([{}], columns, plain)).toContain('57.5%');
  });

  it('reads back as it was written, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ 'a.b': fc.string({ unit: 'binary' }), c: fc.integer() }), { minLength: 1 }),
        async (texts) => {
          const rows = texts.map(({ 'a.b': text, c }) => ({ a: { b: text }, c }));
          const read = parse(`${await renderCsv(rows, columnsOf('a.b', 'c'))}\n`, { columns: true, trim: false });
          expect(read).toEqual(rows.map(({ a, c }) => ({ 'a.b': escapeFormula(a.b), c: String(c) })));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never lets a cell start a formula', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cell = escapeFormula(text);
        return /^-?\d+(\.\d+)?$/.test(cell) || !/^[=+\-@\t\r]/.test(cell);
      }),
    );
  });
});

describe('a table', () => {
  it('lines columns up without borders or trailing blanks', async () => {
    const rows = [
      { name: 'a', amount: 5n },
      { name: 'longer', amount: 12n },
    ];
    const table = await renderTable(
      rows,
      [
        { name: 'name', value: (row) => row.name },
        { name: 'amount', value: (row) => row.amount, align: 'right' },
      ],
      plain,
    );
    expect(table.split('\n')).toEqual(['name    amount', 'a            5', 'longer      12']);
  });
});

describe('JSON', () => {
  it('keeps 64-bit integers exact', () => {
    expect(toJson({ small: 5n, large: 9_007_199_254_740_993n }, 0)).toBe('{"small":5,"large":"9007199254740993"}');
  });
});
