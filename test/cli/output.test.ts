/** Lists as tables and CSV: a cell never starts a formula, amounts stay amounts, 64-bit numbers stay exact. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toJson, withoutControls } from '../../src/cli/terminal/printable.ts';
import { columnsOf, elastic, escapeFormula, ranked, renderCsv, renderTable } from '../../src/cli/terminal/table.ts';

const plain = (_format: unknown, text: string) => text;

describe('CSV', () => {
  test('spares signed amounts and disarms what a sheet would run', async () => {
    const rows = [
      { amount: '-1.00', memo: '=1+1', note: '+SUM(A1)', at: '@x', tab: '\tx', plus: '+1.00', wide: '＝1' },
    ];
    const csv = await renderCsv(rows, columnsOf('amount', 'memo', 'note', 'at', 'tab', 'plus', 'wide'));
    expect(parse(csv, { columns: true })).toEqual([
      { amount: '-1.00', memo: "'=1+1", note: "'+SUM(A1)", at: "'@x", tab: ' x', plus: "'+1.00", wide: "'＝1" },
    ]);
  });

  test('holds the value of the API where the table shows it dressed for people', async () => {
    const columns = [{ name: 'probability', value: () => '57.5%', raw: () => 0.575 }];
    expect(await renderCsv([{}], columns)).toBe('probability\n0.575');
    expect((await renderTable([{}], columns, plain)).text).toContain('57.5%');
  });

  test('reads back as it may be printed, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ 'a.b': fc.string({ unit: 'binary' }), c: fc.integer() }), { minLength: 1 }),
        async (texts) => {
          const rows = texts.map(({ 'a.b': text, c }) => ({ a: { b: text }, c }));
          const read = parse(`${await renderCsv(rows, columnsOf('a.b', 'c'))}\n`, { columns: true, trim: false });
          expect(read).toEqual(rows.map(({ a, c }) => ({ 'a.b': escapeFormula(withoutControls(a.b)), c: String(c) })));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('never lets a cell start a formula', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cell = escapeFormula(text);
        return /^-?\d+(\.\d+)?$/.test(cell) || !/^[=+\-@\t\r]/.test(cell);
      }),
    );
  });
});

describe('a table', () => {
  test('lines columns up without borders or trailing blanks', async () => {
    const rows = [
      { name: 'a', amount: 5n },
      { name: 'longer', amount: 12n },
    ];
    const { text: table } = await renderTable(
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

describe('a table on a terminal', () => {
  const rows = [{ id: 'ord_0123456789', memo: 'a long text of somebody', at: new Date(0), amount: '10.00', note: 'x' }];
  const columns = ranked(['id', 'amount', 'memo'], elastic(['memo'], columnsOf('id', 'memo', 'at', 'amount', 'note')));

  test('is whole where there is room, and off a terminal', async () => {
    const whole = { text: expect.stringContaining('a long text of somebody  1970-01-01 00:00:00Z'), leftOut: [] };
    expect(await renderTable(rows, columns, plain)).toEqual(whole);
    expect(await renderTable(rows, columns, plain, 80)).toEqual(whole);
  });

  test('cuts what may be cut, then leaves out what counts least, and says what', async () => {
    const cut = await renderTable(rows, columns, plain, 70);
    expect(cut.leftOut).toEqual([]);
    expect(cut.text).toContain('a long text of so…');
    const narrow = await renderTable(rows, columns, plain, 45);
    expect(narrow.leftOut).toEqual(['at', 'note']);
    expect(narrow.text).toContain('ord_0123456789  a long text of someb…  10.00');
    expect(Math.max(...narrow.text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(45);
    const kept = columns.map((column) => (column.name === 'memo' ? { ...column, elastic: 23 } : column));
    expect((await renderTable(rows, kept, plain, 45)).leftOut).toEqual(['memo', 'at', 'note']);
    const tiny = await renderTable(rows, columns, plain, 20);
    expect(tiny.text.split('\n').every((line) => line.length <= 20)).toBe(true);
  });

  test('prints no control character of what others wrote', async () => {
    const control = String.fromCharCode(27);
    const { text } = await renderTable([{ id: `a${control}[2Jb\nc` }], columnsOf('id'), plain);
    expect(text).toBe('id\na [2Jb c');
  });
});

describe('JSON', () => {
  test('keeps 64-bit integers exact', () => {
    expect(toJson({ small: 5n, large: 9_007_199_254_740_993n }, 0)).toBe('{"small":5,"large":"9007199254740993"}');
  });
});

describe('a name beside its row', () => {
  const name = 'Who will win the 2028 US presidential election?: JD Vance';
  const rows = [
    { id: 'one', amount: '10.00' },
    { id: 'two', amount: '7.50' },
  ];
  const columns = [
    ...columnsOf<(typeof rows)[number]>('id'),
    { name: 'market', elastic: 40, mayStandBelow: true, value: ({ id }: { id: string }) => (id === 'one' ? name : '') },
    ...columnsOf<(typeof rows)[number]>('amount'),
  ];

  test('that is cut keeps its outcome', async () => {
    const { text } = await renderTable(rows, columns, plain, 55);
    expect(text.split('\n')[1]).toBe('one  Who will win the 2028… election?: JD Vance  10.00');
  });

  test('stands under the row where other columns would be left out for it', async () => {
    const { text, leftOut } = await renderTable(rows, columns, plain, 50);
    expect(text.split('\n')).toEqual([
      'id   amount',
      'one  10.00',
      '  Who will win the 2028 US…ial election?: JD Vance',
      'two  7.50',
    ]);
    expect(leftOut).toEqual([]);
  });
});
