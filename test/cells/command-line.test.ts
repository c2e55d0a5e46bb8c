/** The command line over two cells: lists read all of them, a change goes to the cell that holds what it names, a cell may be down. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCell } from '../../src/operations/cells/cells-file.ts';
import type { AnyJson } from '../support/any-json.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { askService } from '../support/partner.ts';

let cells: MovingCells;
let withGone: string;

beforeAll(async () => {
  cells = await startMovingCells();
  for (const { name, service } of [cells.east, cells.west]) {
    await service.createOperator({ slug: `in-${name}`, platformFeeBps: 200 });
  }
  withGone = join(cells.folder, 'with-gone.json');
  copyFileSync(cells.cellsFile, withGone);
  writeFileSync(join(cells.folder, 'gone.url'), 'postgres://nobody@127.0.0.1:1/nothing');
  writeCell(withGone, { name: 'gone', servers: ['127.0.0.1:1'], databaseUrlFile: 'gone.url' });
}, 120_000);
afterAll(() => cells.close());

/** Does the work with a file that lists a third cell, whose database cannot be reached. */
async function whileOneIsDown<A>(work: () => Promise<A>): Promise<A> {
  process.env['INLAY_CELLS_FILE'] = withGone;
  try {
    return await work();
  } finally {
    process.env['INLAY_CELLS_FILE'] = cells.cellsFile;
  }
}

const cellsOf = (rows: AnyJson): string[] =>
  [...new Set(rows.map(({ cell }: { cell: string }) => cell))].sort() as string[];

const issueKey = async (slug: string): Promise<{ keyId: string; apiKey: string }> =>
  (await cells.inlay('keys', 'issue', '--operator', slug, '--rate-limit', '6000', '--json')).json;

const addEndpoint = (slug: string) =>
  cells.inlay('webhooks', 'add', '--operator', slug, '--url', 'http://127.0.0.1:9/', '--json');

const actorsOf = async (cell: 'east' | 'west') =>
  (await cells[cell].database.sql<{ actor: string }[]>`select actor from audit_log`).map(({ actor }) => actor);

test('a change goes by itself to the cell that holds the operator, and is recorded there alone', async () => {
  for (const cell of ['east', 'west'] as const) {
    const paused = await cells.inlay(
      'operators',
      'pause-trading',
      `in-${cell}`,
      '--as',
      `of-${cell}`,
      '--yes',
      '--json',
    );
    expect([paused.exitCode, paused.json.slug], paused.stderr).toEqual([0, `in-${cell}`]);
    expect((await issueKey(`in-${cell}`)).apiKey).toMatch(new RegExp(`^pk_test_${cell}_`));
    const shown = await cells.inlay('operators', 'show', `in-${cell}`, '--json');
    expect([shown.exitCode, shown.json.tradingPaused]).toEqual([0, true]);
    await cells.inlay('operators', 'resume-trading', `in-${cell}`, '--json');
  }
  expect(await actorsOf('east')).toContain('of-east');
  expect(await actorsOf('east')).not.toContain('of-west');
  expect(await actorsOf('west')).toContain('of-west');
});

test('the id of a key or an endpoint leads to its cell too', async () => {
  const { keyId } = await issueKey('in-west');
  const revoked = await cells.inlay('keys', 'revoke', keyId, '--yes', '--json');
  expect([revoked.exitCode, revoked.json.keyId], revoked.stderr).toEqual([0, keyId]);
  const { endpointId } = (await addEndpoint('in-west')).json;
  const disabled = await cells.inlay('webhooks', 'disable', endpointId, '--yes', '--json');
  expect([disabled.exitCode, disabled.json.active], disabled.stdout).toEqual([0, false]);
  const deliveries = await cells.inlay('webhooks', 'deliveries', '--endpoint', endpointId, '--json');
  expect(deliveries.exitCode).toBe(0);
});

test('what names nothing of a cell, or nothing that exists, changes nothing', async () => {
  const rate = await cells.inlay('rates', 'set', 'EUR', '0.9', '--json');
  expect([rate.exitCode, rate.json.message]).toEqual([2, '--cell is missing: one of east, west.']);
  expect((await cells.inlay('rates', 'set', 'EUR', '0.9', '--cell', 'west', '--json')).exitCode).toBe(0);
  const nobody = await cells.inlay('operators', 'suspend', 'nobody', '--yes', '--json');
  expect([nobody.exitCode, nobody.json.error]).toEqual([3, 'unknown_operator']);
  const create = (slug: string, ...flags: string[]) =>
    cells.inlay('operators', 'create', slug, '--mode', 'sandbox', '--json', ...flags);
  expect((await create('new-one')).exitCode).toBe(2);
  expect((await create('in-east', '--cell', 'west')).json.error).toBe('operator_exists');
  const child = await create('child', '--parent', 'in-west');
  expect(child.exitCode, child.stdout).toBe(0);
  expect((await cells.inlay('operators', 'show', 'child', '--cell', 'west', '--json')).exitCode).toBe(0);
});

/** Every command that lists, with the name of its rows; those of `filled` have rows in both cells here. */
const LISTS: readonly [topic: string, command: string, rows: string, filled: boolean][] = [
  ['operators', 'list', 'operators', true],
  ['audit', 'log', 'entries', true],
  ['ledger', 'verify', 'operators', true],
  ['ledger/months', 'list', 'months', true],
  ['reconciliation', 'run', 'reports', true],
  ['jobs', 'list', 'due', true],
  ['webhooks', 'list', 'endpoints', true],
  ['webhooks', 'deliveries', 'deliveries', false],
  ['orders', 'stuck', 'orders', false],
  ['approvals', 'list', 'approvals', false],
  ['periods', 'list', 'periods', false],
  ['reconciliation/breaks', 'list', 'breaks', false],
  ['books', 'list', 'books', false],
  ['markets', 'groups', 'groups', false],
  ['venues', 'list', 'venues', false],
];

test('every list reads all cells and says the cell of each row; with a cell down it lists the others and fails', async () => {
  await addEndpoint('in-east');
  await addEndpoint('in-west');
  for (const [topic, command, rows, filled] of LISTS) {
    const name = `${topic} ${command}`;
    const all = await cells.inlay(topic, command, '--json');
    expect([all.exitCode, all.json.cellsWithoutAnswer], `${name}: ${all.stdout} ${all.stderr}`).toEqual([0, undefined]);
    expect(cellsOf(all.json[rows]), name).toEqual(filled ? ['east', 'west'] : expect.any(Array));
    const part = await whileOneIsDown(() => cells.inlay(topic, command, '--json'));
    expect([part.exitCode, part.json.cellsWithoutAnswer], name).toEqual([
      1,
      [{ cell: 'gone', because: expect.any(String) }],
    ]);
    expect(cellsOf(part.json[rows]), name).toEqual(cellsOf(all.json[rows]));
    expect(part.stderr, name).toContain('cell gone does not answer');
  }
  const table = await whileOneIsDown(() => cells.inlay('operators', 'list'));
  expect(table.stdout).toMatch(/^cell +slug/);
  expect(table.stdout).toMatch(/^west +in-west/m);
  expect(table.stderr).toMatch(/cell gone does not answer \(.+\); what it holds is missing here\./);
  expect((await cells.inlay('audit', 'log', '--output', 'csv')).stdout).toMatch(/^cell,/);
});

test('an order is found in whichever cell it is', async () => {
  const { apiKey } = await issueKey('in-west');
  await cells.hold(cells.west);
  const bought = await cells.buy(apiKey, 'ann', 'over-cells');
  expect(bought.status).toBe(201);
  for (const reference of [bought.body.orderId ?? '', 'over-cells']) {
    const found = await cells.inlay('orders', 'lookup', reference, '--json');
    expect([found.exitCode, found.json.cell, found.json.order?.orderId], found.stdout).toEqual([
      0,
      'west',
      bought.body.orderId,
    ]);
    const part = await whileOneIsDown(() => cells.inlay('orders', 'lookup', reference));
    expect(part.exitCode).toBe(1);
    expect(part.stdout).toContain('cell west');
  }
  expect((await cells.inlay('orders', 'lookup', 'no-such-order', '--json')).exitCode).toBe(3);
  // the partner's own reference may be in the cell that is down as well, the id of an order cannot
  const arm = (reference: string) => whileOneIsDown(() => cells.inlay('orders', 'arm', reference, '--yes', '--json'));
  expect((await arm('over-cells')).json.error).toBe('cell_unreachable');
  expect((await arm(bought.body.orderId ?? '')).json.error).not.toBe('cell_unreachable');
});

test('with a cell down a change is made where the operator is, and an unknown one is not taken for missing', async () => {
  await whileOneIsDown(async () => {
    const suspended = await cells.inlay('operators', 'suspend', 'in-east', '--yes', '--json');
    expect([suspended.exitCode, suspended.json.status], suspended.stderr).toEqual([0, 'suspended']);
    const nobody = await cells.inlay('operators', 'suspend', 'nobody', '--yes', '--json');
    expect([nobody.exitCode, nobody.json.error]).toEqual([1, 'cell_unreachable']);
    const made = await cells.inlay('operators', 'create', 'new-one', '--mode', 'sandbox', '--cell', 'east', '--json');
    expect(made.json.error).toBe('cell_unreachable');
  });
  const { apiKey } = await issueKey('in-east');
  expect((await askService(cells.east.service.url, apiKey, 'GET', '/api/v1/whoami')).status).toBe(403);
  const onlyGone = join(cells.folder, 'only-gone.json');
  const { cells: entries } = JSON.parse(readFileSync(withGone, 'utf8')) as { cells: { name: string }[] };
  writeFileSync(onlyGone, JSON.stringify({ cells: entries.filter(({ name }) => name === 'gone') }));
  process.env['INLAY_CELLS_FILE'] = onlyGone;
  const none = await cells.inlay('operators', 'list', '--json');
  process.env['INLAY_CELLS_FILE'] = cells.cellsFile;
  expect([none.exitCode, none.json.error]).toEqual([1, 'cell_unreachable']);
});

test('doctor checks the database of every cell', async () => {
  const { json } = await whileOneIsDown(() => cells.inlay('', 'doctor', '--json'));
  const databases = json.checks.filter(({ name }: { name: string }) => name === 'database');
  expect(databases).toMatchObject([
    { cell: 'east', ok: true },
    { cell: 'west', ok: true },
    { cell: 'gone', ok: false },
  ]);
});
