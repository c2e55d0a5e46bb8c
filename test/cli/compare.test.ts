/** `reconciliation compare`: an operator's own ledger file against ours, with every cent of the difference explained. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAmount } from '../../src/cli/compare/compare-records.ts';
import { atTerminal, type RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

describe('amounts as sheets spell them', () => {
  test.each([
    ['12.30', 1230n],
    ['12,3', 1230n],
    ['12', 1200n],
    ['-0.05', -5n],
    ["'-12.30", -1230n],
    ['(12.30)', -1230n],
    ['$1,234.50', 123450n],
    ['1.234.567,5', 123456750n],
    ['10.0000', 1000n],
    ['.5', 50n],
    ['', 0n],
    ['  ', 0n],
  ])('%j is %s cents', (text, cents) => {
    expect(readAmount(text)).toBe(cents);
  });

  test.each(['ten', '12.345', '1,234', '1,23,456.00', '12.3.4', '--1', '1e3', '.', '$', '12 30', '0x10'])(
    '%j is none',
    (text) => {
      expect(readAmount(text)).toBeUndefined();
    },
  );
});

describe('against a running service', () => {
  let service: World;
  let run: RunCommand;
  let folder: string;
  let orders: { orderId: string; clientOrderId: string; actualDebit: string }[];
  let file: string;

  beforeAll(async () => {
    service = await openWorld();
    const market = await service.openMarket('compared');
    folder = mkdtempSync(join(tmpdir(), 'inlay-compare-'));
    file = join(folder, 'ledger.csv');
    run = await service.commands({ XDG_CONFIG_HOME: folder });
    orders = [];
    for (const [index, stake] of [10, 20.5, 30.25, 40, 7.77].entries()) {
      const user = `u-${index}`;
      const quote = await service.request('POST', '/api/v1/quotes', {
        user,
        body: { marketId: market.contractId, side: 'YES', action: 'buy', stake },
      });
      const { body } = await service.request('POST', '/api/v1/orders', {
        user,
        body: { quoteId: quote.body.quoteId, clientOrderId: `bet-${index}` },
      });
      orders.push({
        orderId: body.orderId,
        clientOrderId: body.clientOrderId,
        actualDebit: body.operatorMoney.actualDebit,
      });
    }
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const compare = (text: string, ...flags: string[]) => {
    writeFileSync(file, text);
    return run('reconciliation', 'compare', '--theirs', file, ...flags);
  };
  const json = async (text: string, ...flags: string[]) => {
    const ended = await compare(text, ...flags, '--json');
    return { code: ended.exitCode, ...JSON.parse(ended.stdout) };
  };
  const MAP = ['--map', 'ref=orderId', '--map', 'taken=operatorMoney.actualDebit'];
  const sheet = (rows: readonly (readonly string[])[], delimiter = ',') =>
    ['ref,note,taken'.split(','), ...rows]
      .map((row) => row.join(delimiter))
      .join('\n')
      .concat('\n');
  const rowsOf = (some = orders) => some.map(({ orderId, actualDebit }) => [orderId, 'mine', actualDebit]);

  test('equal: exit 0, and the totals are the same', async () => {
    const result = await json(sheet(rowsOf()), ...MAP);
    expect(result).toMatchObject({ code: 0, matched: 5, missing: 0, extra: 0, different: 0, differing: 0 });
    expect(result.totals).toEqual([
      {
        column: 'operatorMoney.actualDebit',
        ours: '108.52',
        theirs: '108.52',
        difference: '0.00',
        missing: '0.00',
        extra: '0.00',
        different: '0.00',
      },
    ]);
  });

  // contract 25.8
  test('missing, extra, booked twice, and a cent off: each listed, and together the whole difference', async () => {
    const [first, second, third, ...rest] = rowsOf();
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error('there are five orders');
    }
    const rows = [second, [third[0] ?? '', '', '30.26'], ...rest, rest[0] ?? [], ['ord_mine', 'tip', '3.00']];
    const result = await json(sheet(rows), ...MAP);
    expect(result).toMatchObject({ code: 5, ours: 5, theirs: 6, matched: 3, missing: 1, extra: 2, different: 1 });
    expect(result.totals).toEqual([
      {
        column: 'operatorMoney.actualDebit',
        ours: '108.52',
        theirs: '141.53',
        difference: '33.01',
        missing: '-10.00',
        extra: '43.00',
        different: '0.01',
      },
    ]);
    const column = 'operatorMoney.actualDebit';
    expect(new Set(result.differences)).toEqual(
      new Set([
        { problem: 'missing_in_theirs', key: first[0], column, ours: '10.00', theirs: null },
        { problem: 'differs', key: third[0], column, ours: '30.25', theirs: '30.26' },
        { problem: 'duplicate_in_theirs', key: rest[0]?.[0], column, ours: null, theirs: '40.00' },
        { problem: 'missing_in_ours', key: 'ord_mine', column, ours: null, theirs: '3.00' },
      ]),
    );
    const drawn = await compare(sheet(rows), ...MAP);
    expect(drawn.exitCode).toBe(5);
    expect(drawn.stdout).toMatch(/operatorMoney\.actualDebit\s+108\.52\s+141\.53\s+33\.01\s+-10\.00\s+43\.00\s+0\.01/);
    const csv = await compare(sheet(rows), ...MAP, '--output', 'csv');
    expect(csv.stdout.split('\n').slice(0, 1)).toEqual(['problem,key,column,ours,theirs']);
    expect(csv.stdout.trim().split('\n')).toHaveLength(5);
    const narrow = await atTerminal(80, () => compare(sheet(rows), ...MAP));
    const shown = stripVTControlCharacters(narrow.stdout);
    expect(shown).toMatch(/\ncolumn +Inlay +yours +difference +missing +extra +different\n/);
    expect(shown).toMatch(/\nproblem +column +Inlay +yours\n/);
    expect(shown).toMatch(new RegExp(`\\nmissing in yours .*\\n  ${orders[0]?.orderId}\\n`));
    expect(narrow.stderr).not.toContain('No room');
  });

  test('errors that cancel out are errors all the same', async () => {
    const [first, second, ...rest] = rowsOf();
    const rows = [[first?.[0] ?? '', '', '10.01'], [second?.[0] ?? '', '', '20.49'], ...rest];
    const result = await json(sheet(rows), ...MAP);
    expect([result.code, result.totals[0].difference, result.different]).toEqual([5, '0.00', 2]);
  });

  test('a European sheet: semicolons and decimal commas need no flag', async () => {
    const rows = rowsOf().map((row) => row.map((cell, index) => (index === 2 ? cell.replace('.', ',') : cell)));
    const text = `\ufeff${sheet(rows, ';').replaceAll('ref,note,taken', 'ref;note;taken').replaceAll('\n', '\r\n')}`;
    expect(await json(text, ...MAP)).toMatchObject({ code: 0, matched: 5 });
    expect(await json(sheet(rowsOf(), '\t').replace('ref,note,taken', 'ref\tnote\ttaken'), ...MAP)).toMatchObject({
      code: 0,
    });
  });

  test('a customer and the own order id are a key as well', async () => {
    const text = orders.map(({ clientOrderId, actualDebit }, index) => `u-${index},${clientOrderId},${actualDebit}\n`);
    const head = 'externalUserId,clientOrderId,operatorMoney.actualDebit\n';
    expect(await json(head + text.join(''))).toMatchObject({ code: 0, matched: 5 });
  });

  test.each([
    [
      'a cell that is no amount',
      'ref,taken\nord_1,10.00\nord_2,ten\n',
      /row 3, column "taken": "ten" is not an amount/,
    ],
    ['parts of a cent', 'ref,taken\nord_1,10.005\n', /row 2, column "taken": "10\.005" is not an amount/],
    ['a cell too many', 'ref,taken\nord_1,1,2\n', /row 2, column 3: it has 3 cells where the header has 2 columns/],
    ['a cell too few', 'ref,note,taken\nord_1,x\n', /row 2, column "taken": it has 2 cells where the header has 3/],
    ['a quote that never ends', 'ref,taken\nord_1,"10\nord_2,3\n', /row \d, column "taken": a quote is never closed/],
    ['a quote in the middle', 'ref,taken\nord_1,1"0\n', /row 2, column "taken": a quote is not allowed here/],
    ['nothing', '', /is empty; the first line must name the columns/],
    ['a header twice', 'ref,ref,taken\n', /has two columns for orderId/],
    ['a column that is not there', 'ref,note\nord_1,x\n', /has no column "taken" to map; it has ref, note/],
  ])('%s: exit 2, with its place', async (_what, text, message) => {
    const result = await compare(text, ...MAP);
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toContain('ledger.csv');
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  // contract 25.8
  test('a column is taken by the last part of its name, so a planted cent is found', async () => {
    const [first, ...rest] = orders;
    const file = (debit: string) => [
      'orderId,actualDebit',
      `${first?.orderId},${debit}`,
      ...rest.map((one) => `${one.orderId},${one.actualDebit}`),
    ];
    const equal = await json(file('10.00').join('\n'));
    expect(equal).toMatchObject({ code: 0, matched: 5, columns: ['operatorMoney.actualDebit'] });
    const planted = await json(file('10.01').join('\n'));
    expect(planted).toMatchObject({
      code: 5,
      different: 1,
      differences: [{ problem: 'differs', column: 'operatorMoney.actualDebit', ours: '10.00', theirs: '10.01' }],
    });
    const wrong = await compare(
      file('10.00')
        .join('\n')
        .replace(/10\.00$/m, 'ten'),
    );
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('column "actualDebit"')]);
  });

  // contract 25.8
  test('without any amount to compare it is exit 2, and names what was ignored', async () => {
    const keys = await compare(`orderId,taken\n${orders[0]?.orderId},10.00\n`);
    expect([keys.exitCode, keys.stdout]).toEqual([2, '']);
    expect(keys.stderr).toContain('no amount to compare');
    expect(keys.stderr).toContain('taken');
    expect(keys.stderr).toContain('operatorMoney.actualDebit');
  });

  test('what cannot be compared is reported, not ignored', async () => {
    const strange = await compare('ref,taken\n', '--map', 'ref=orderId', '--map', 'taken=operatorMoney.debit');
    expect([strange.exitCode, strange.stderr]).toEqual([
      2,
      expect.stringContaining('there is no column operatorMoney.debit'),
    ]);
    const keyless = await compare('ref,taken\n', '--map', 'taken=operatorMoney.actualDebit');
    expect([keyless.exitCode, keyless.stderr]).toEqual([2, expect.stringContaining('none of the keys of orders')]);
    const missing = await run('reconciliation', 'compare', '--theirs', join(folder, 'none.csv'));
    expect([missing.exitCode, missing.stderr]).toEqual([3, expect.stringContaining('There is no file')]);
    expect((await compare('ref\n', '--map', 'orderId')).exitCode).toBe(2);
  });

  test('the file of the operator is named by --mine as well', async () => {
    const rows = orders.map(({ orderId, actualDebit }) => `${orderId},${actualDebit}\n`);
    writeFileSync(file, `orderId,operatorMoney.actualDebit\n${rows.join('')}`);
    expect((await run('reconciliation', 'compare', '--mine', file, '--json')).exitCode).toBe(0);
  });
});
