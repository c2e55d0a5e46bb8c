/** The workbook that finance sends on, and time zones of exports: read back from the file as Excel reads it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkbook, meaningOf } from '../../src/cli/export/workbook.ts';
import { REVENUE_BY } from '../../src/core/terms.ts';
import { exportSpec } from '../../src/reconciliation/exports/open-export.ts';
import { runProgram } from '../support/process.ts';
import type { RunCommand } from '../support/run-command.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let run: RunCommand;
let folder: string;

beforeAll(async () => {
  service = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'inlay-workbook-'));
  run = await service.commands();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const headerOf = (rows: number) => ({
  kind: 'fees' as const,
  format: 'xlsx' as const,
  from: null,
  to: '2026-11-02T00:00:00Z',
  appendOnly: true,
  rows,
  sequences: { after: 0, through: 0 },
  totals: {},
});

async function sheetsOf(file: string): Promise<string[]> {
  const read = (sheet: number) =>
    runProgram('unzip', ['-p', file, `xl/worksheets/sheet${sheet}.xml`]).then(({ stdout }) => stdout);
  return Promise.all([read(1), read(2)]);
}

test('the same rows make the same file, whenever it is made', async () => {
  const make = async () => {
    const writer = createWorkbook({
      header: headerOf(1),
      columns: [{ name: 'id', type: 'text' }],
      timeZone: 'UTC',
    });
    writer.add({ id: 'fee_1' });
    return Buffer.from((await writer.end()) as Uint8Array);
  };
  const first = await make();
  // a ZIP archive counts in steps of two seconds
  await timePasses(2_100);
  expect((await make()).equals(first)).toBe(true);
});

test('a workbook has widths, dates, totals and a sheet that explains the columns', async () => {
  const writer = createWorkbook({
    header: headerOf(2),
    columns: [
      { name: 'id', type: 'text' },
      { name: 'occurredAt', type: 'time' },
      { name: 'day', type: 'date' },
      { name: 'amount', type: 'cents' },
    ],
    timeZone: 'Europe/Zagreb',
  });
  writer.add({ id: 'fee_1', occurredAt: '2026-11-01T23:30:00.000Z', day: '2026-11-02', amount: '1234.10' });
  writer.add({ id: 'fee_2', occurredAt: '2026-07-01T12:00:00.000Z', day: '2026-07-01', amount: '-0.30' });
  const file = join(folder, 'fees.xlsx');
  writeFileSync(file, (await writer.end()) ?? '');
  const [rows = '', explained = ''] = await sheetsOf(file);
  // it prints across, as wide as a page, its first row on each, and can be filtered
  for (const sheet of [rows, explained]) {
    expect(sheet).toMatch(
      /<sheetPr><pageSetUpPr fitToPage="1"\/><\/sheetPr><.*<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"\/>/s,
    );
  }
  expect(rows).toMatch(/<\/sheetData><autoFilter ref="A1:D3"\/>/);
  expect((await runProgram('unzip', ['-p', file, 'xl/workbook.xml'])).stdout).toContain(
    '<definedName name="_xlnm.Print_Titles" localSheetId="0">fees!$1:$1</definedName>',
  );
  expect(rows).toMatch(/<cols>.*<col [^>]*width="\d+/);
  // 2 November 2026, 00:30 in Zagreb, counted in days since 1900
  expect(rows).toContain('<v>46328.0208333');
  expect(rows).not.toContain('2026-11-01T23:30');
  // a day is a date without a time
  expect(rows).toContain('<v>46328</v>');
  expect(rows).toContain('<v>1233.8</v>');
  const texts = (await runProgram('unzip', ['-p', file, 'xl/sharedStrings.xml'])).stdout + explained;
  for (const shown of ['Total', 'Meaning', 'Europe/Zagreb', 'When it happened.']) {
    expect(texts, shown).toContain(shown);
  }
});

test('every column of every export is explained', () => {
  const kinds = ['feed', 'orders', 'settlements', 'positions', 'ledger', 'fees', 'statement'] as const;
  const specs = [...kinds.map((kind) => exportSpec(kind, 'day')), ...REVENUE_BY.map((by) => exportSpec('revenue', by))];
  const names = specs.flatMap(({ columns }) => columns.map(({ name }) => name));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => meaningOf(name) === undefined)).toEqual([]);
});

test('CSV has times on the clock of a place, and an unknown place is wrong usage', async () => {
  await service.sql`select ensure_customer(${service.operator.operatorId}, 'ana')`;
  const csv = async (...flags: string[]) => {
    const { stdout } = await run('reconciliation', 'export', '--kind', 'ledger', '--format', 'csv', ...flags);
    return stdout;
  };
  await service.request('GET', '/api/v1/users/ana/balance');
  const utc = /(\d{4}-\d\d-\d\dT[\d:]+)\.\d+Z/.exec(await csv())?.[1];
  const local = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.exec(await csv('--time-zone', 'Asia/Kolkata'))?.[0];
  expect(utc).toBeDefined();
  expect(Date.parse(`${local}Z`) - Date.parse(`${utc}Z`)).toBe(5.5 * 3_600_000);
  expect(await csv('--time-zone', 'Asia/Kolkata')).not.toMatch(/\d\d:\d\d\.\d+Z/);
  const wrong = await run('reconciliation', 'export', '--kind', 'ledger', '--time-zone', 'Nowhere/City', '--json');
  expect([wrong.exitCode, wrong.json.error]).toEqual([2, 'invalid_usage']);
});

test('our own workbook given to compare says what is wanted', async () => {
  const file = join(folder, 'fees.xlsx');
  const { exitCode, stderr } = await run('reconciliation', 'compare', '--mine', file);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is a workbook, not CSV.');
  expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK');
});
