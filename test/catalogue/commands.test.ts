/** The browsing commands as processes of their own, against a running API. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { categoryListShape, eventDetailShape, eventListShape } from '../../src/wire/catalogue.ts';
import { openWorld, type World } from '../support/world.ts';
import { moveBook, seed } from './seed.ts';

let service: World;

beforeAll(async () => {
  service = await openWorld();
  await seed(service.sql, [
    { id: 'a', title: 'First', subtitle: '=1+1' },
    { id: 'b', title: '=HYPERLINK("x")', category: 'crypto' },
  ]);
  await service.context.board.refresh();
});
afterAll(() => service.close());

interface Result {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function inlay(file: string, argv: readonly string[], onStdout?: (text: string) => void): Promise<Result> {
  const path = join(projectRoot, 'src/commands', `${file}.ts`);
  const script = `import(${JSON.stringify(path)}).then(({ default: C }) => C.run(process.argv.slice(1), ${JSON.stringify(projectRoot)}))`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...argv], {
    env: {
      PATH: process.env['PATH'],
      INLAY_API_URL: service.url,
      INLAY_API_KEY: service.key,
      NO_COLOR: '1',
      XDG_CONFIG_HOME: '/nonexistent',
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (bytes) => {
    stdout += bytes;
    onStdout?.(stdout);
  });
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr })));
}

test('events list: a table, CSV without formulas, and the document of the API', async () => {
  const table = await inlay('events/list', ['--sort', 'new']);
  expect([table.exitCode, table.stdout]).toEqual([0, expect.stringMatching(/evt_a .*First .*45¢/)]);
  const csv = await inlay('events/list', ['--output', 'csv']);
  expect(csv.stdout).toContain('id,slug,title,category');
  expect(csv.stdout).toContain(`"'=HYPERLINK(""x"")"`);
  const json = await inlay('events/list', ['--category', 'crypto', '--tradable', '--limit', '1', '--json']);
  expect(eventListShape.parse(JSON.parse(json.stdout)).pagination.total).toBe(1);
}, 60_000);

test('a value out of bounds is wrong usage, a refusal is its code, exit 1, and exit 3 where nothing is found', async () => {
  for (const wrong of [
    ['--limit', '0'],
    ['--sort', 'size'],
    ['--closes-after', 'soon'],
  ]) {
    const told = await inlay('events/list', [...wrong, '--json']);
    expect([told.exitCode, JSON.parse(told.stdout).error]).toEqual([2, 'invalid_usage']);
  }
  const refused = await inlay('events/list', ['--cursor', 'x', '--json']);
  expect([refused.exitCode, JSON.parse(refused.stdout).error]).toEqual([1, 'invalid_cursor']);
  const unknown = await inlay('events/show', ['evt_nope', '--json']);
  expect([unknown.exitCode, JSON.parse(unknown.stdout).error]).toEqual([3, 'unknown_event']);
}, 60_000);

test('events show and categories', async () => {
  const shown = await inlay('events/show', ['evt_a', '--json']);
  expect(eventDetailShape.parse(JSON.parse(shown.stdout)).data.outcomes[0]?.id).toBe('ctr_a');
  expect((await inlay('events/show', ['slug-a'])).stdout).toContain('ctr_a');
  const categories = await inlay('categories', ['--json']);
  expect(categoryListShape.parse(JSON.parse(categories.stdout)).totalEvents).toBe(2);
}, 60_000);

test('events show prints the result of each decided outcome as its status, and events list the outcome that leads', async () => {
  const contract = (id: string, bid: number) =>
    ({ id, label: `Over ${id}`, bids: [[bid, 10]], asks: [[bid + 0.02, 10]] }) as const;
  const lines = ['l1', 'l2', 'l3', 'l4', 'l5'].map((id, index) => contract(id, 0.6 - index / 10));
  await seed(service.sql, [
    { id: 'lines', title: 'Lines', category: 'world', kind: 'cumulative_ladder', contracts: lines },
    {
      id: 'field',
      title: 'Field',
      category: 'culture',
      kind: 'mutually_exclusive',
      contracts: [contract('f1', 0.7), contract('f2', 0.2)],
    },
  ]);
  for (const [id, resolution, yesWorth] of [
    ['l1', 'YES', null],
    ['l2', 'NO', null],
    ['l3', 'VOID', null],
    ['l4', 'SPLIT', 400_000],
    ['f2', 'YES', null],
  ] as const) {
    await service.sql`select * from decide_market(${`ctr_${id}`}, 'resolve', ${resolution}, ${yesWorth})`;
  }
  await service.context.board.refresh();
  const { stdout } = await inlay('events/show', ['evt_lines']);
  for (const line of [
    /ctr_l1 .* 100.0% .* resolved YES$/m,
    /ctr_l2 .* 0.0% .* resolved NO$/m,
    /ctr_l3 .* voided$/m,
    /ctr_l4 .* 40.0% .* resolved SPLIT 0.4$/m,
    /ctr_l5 .* 21.0% .* open$/m,
  ]) {
    expect(stdout).toMatch(line);
  }
  const csv = (await inlay('events/show', ['evt_lines', '--output', 'csv'])).stdout;
  expect(csv).toMatch(/^ctr_l4,.*,resolved,SPLIT$/m);
  expect(csv).toMatch(/^ctr_l5,.*,open,$/m);
  const listed = (await inlay('events/list', ['--sort', 'new'])).stdout;
  expect(listed).toMatch(/evt_lines .* Over l5 +21.0%/);
  expect(listed).toMatch(/evt_field .* Over f2 +YES/);
}, 60_000);

test('prices watch prints JSON lines off a terminal, for contracts and whole events', async () => {
  let moved = false;
  const { exitCode, stdout } = await inlay('prices/watch', ['ctr_a', 'evt_b', 'ctr_nope', '--count', '4'], () => {
    if (moved) {
      return;
    }
    moved = true;
    void moveBook(service.sql, { id: 'a', bids: [[0.7, 10]], asks: [[0.72, 10]] });
  });
  expect(exitCode).toBe(0);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBe(4);
  expect(
    lines
      .slice(0, 3)
      .map((line) => line.price?.contractId ?? line.contractId)
      .sort(),
  ).toEqual(['ctr_a', 'ctr_b', 'ctr_nope']);
  expect(lines[2]).toEqual({ event: 'unknown', contractId: 'ctr_nope' });
  expect(lines[3].price.executableYesCents).toBe(72);
}, 60_000);
