/** The commands of finance: exports whole or not at all, resumed to the byte; the feed with its state; comparisons; exit codes. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let run: RunCommand;
let owner: RunCommand;
let folder: string;

beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('cmd');
  for (let index = 0; index < 12; index += 1) {
    await world.buy(market, `user ${index % 3}`, index % 2 === 0 ? 'YES' : 'NO', 10 + index);
  }
  await world.resolve(await settled(), 'YES');
  const environment = {
    INLAY_API_URL: world.url,
    INLAY_API_KEY: world.key,
    XDG_CONFIG_HOME: '/nonexistent',
    NO_COLOR: '1',
  };
  run = await commandRunner(environment);
  owner = await world.commands({ ...environment });
});
afterAll(() => world.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-export-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

async function settled() {
  const market = await world.openMarket('cmd-settled');
  await world.buy(market, 'winner', 'YES', 25);
  return market;
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('reconciliation export', () => {
  // contract 25.2
  test('writes a complete file, with a trailer, and its checksum in a second file', async () => {
    const file = join(folder, 'ledger.csv');
    const done = await run('reconciliation', 'export', '--kind', 'ledger', '--out', file, '--json');
    expect(done.exitCode).toBe(0);
    expect(done.json).toMatchObject({ kind: 'ledger', format: 'csv', file, sha256: sha256(file), appendOnly: true });
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(done.json.rows + 1);
    expect(readFileSync(`${file}.sum`, 'utf8')).toContain(`${sha256(file)}  ledger.csv\n`);
    expect(done.stderr).toContain(`sha256 ${sha256(file)}`);
    expect(done.stderr).toMatch(/rows, \d+ bytes; debit [\d.]+, credit [\d.]+/);
    expect(readdirSync(folder).sort()).toEqual(['ledger.csv', 'ledger.csv.sum']);
  });

  // contract 25.1
  test.each(['feed', 'orders', 'settlements', 'positions', 'fees', 'revenue', 'statement'])(
    '%s in every format',
    async (kind) => {
      for (const format of ['csv', 'jsonl', 'json', 'xlsx']) {
        const file = join(folder, `${kind}.${format}`);
        const done = await run('reconciliation', 'export', '--kind', kind, '--format', format, '--out', file);
        expect([kind, format, done.exitCode, done.stderr]).toEqual([
          kind,
          format,
          0,
          expect.stringContaining(sha256(file)),
        ]);
      }
    },
  );

  // contract 25.6
  test.each(['orders', 'positions'])('%s start again with --resume', async (kind) => {
    const [whole, again] = [join(folder, 'whole.csv'), join(folder, 'again.csv')];
    expect((await run('reconciliation', 'export', '--kind', kind, '--out', whole)).exitCode).toBe(0);
    expect((await run('reconciliation', 'export', '--kind', kind, '--out', again, '--resume')).exitCode).toBe(0);
    expect(readFileSync(again)).toEqual(readFileSync(whole));
  });

  test('to a pipe where no file is named', async () => {
    const done = await run('reconciliation', 'export', '--kind', 'fees', '--format', 'jsonl');
    expect(
      done.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toContain('platform');
  });

  test.each(['csv', 'jsonl'])('an interrupted export is continued, to the byte: %s', async (format) => {
    const whole = join(folder, 'whole');
    const file = join(folder, 'broken');
    const first = await run(
      'reconciliation',
      'export',
      '--kind',
      'ledger',
      '--format',
      format,
      '--out',
      whole,
      '--json',
    );
    // broken off in the middle of a row, while trading went on
    const { from, to } = first.json;
    const order = { kind: 'ledger', format, bom: false, decimalComma: false };
    writeFileSync(`${file}.part`, readFileSync(whole));
    truncateSync(`${file}.part`, 1234);
    writeFileSync(`${file}.part.json`, JSON.stringify({ order, to }));
    await world.buy(await world.openMarket(`cmd-on-${format}`), 'later');
    const done = await run(
      'reconciliation',
      'export',
      '--kind',
      'ledger',
      '--format',
      format,
      '--out',
      file,
      '--resume',
      '--json',
    );
    expect([done.exitCode, done.json.from, done.json.to]).toEqual([0, from, to]);
    expect(readFileSync(file)).toEqual(readFileSync(whole));
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
    const other = join(folder, 'other');
    writeFileSync(`${other}.part.json`, JSON.stringify({ order, to }));
    writeFileSync(`${other}.part`, '');
    const refused = await run('reconciliation', 'export', '--kind', 'fees', '--out', other, '--resume');
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('other flags')]);
  });

  // contract 25.2
  test('a path that cannot be written, a full disk: is reported, and no file looks complete', async () => {
    const nowhere = await run('reconciliation', 'export', '--kind', 'ledger', '--out', join(folder, 'no', 'x.csv'));
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([1, expect.stringContaining('cannot be written')]);
    expect(readdirSync(folder)).toEqual([]);
    const refused = await run(
      'reconciliation',
      'export',
      '--kind',
      'ledger',
      '--from',
      'never',
      '--out',
      join(folder, 'x'),
    );
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('is not a date or time; write 2026-11-27'),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('feed tail', () => {
  const lines = (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  // contract 40.11
  test('JSON lines off a terminal; the state file neither misses nor repeats', async () => {
    const state = join(folder, 'feed.state');
    const first = await run('feed', 'tail', '--state', state);
    const items = lines(first.stdout);
    expect(items.map((item) => item.sequence)).toEqual(items.map((_, index) => index + 1));
    expect((await run('feed', 'tail', '--state', state)).stdout).toBe('');
    await world.buy(await world.openMarket('cmd-tail'), 'tailed');
    const more = lines((await run('feed', 'tail', '--state', state)).stdout);
    expect(more[0].sequence).toBe(items.length + 1);
    expect(lines((await run('feed', 'tail')).stdout)).toEqual([...items, ...more]);
    const both = await run('feed', 'tail', '--state', state, '--since', items[0].cursor);
    expect(both.exitCode).toBe(2);
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ sequence: more.at(-1)?.sequence });
    // nothing is handed on where the place could not be kept afterwards
    const nowhere = await run('feed', 'tail', '--state', join(folder, 'no', 'such', 'state'));
    expect(nowhere).toMatchObject({ exitCode: 1, stdout: '' });
    writeFileSync(state, 'not ours');
    expect((await run('feed', 'tail', '--state', state)).exitCode).toBe(2);
  });

  test('a state file of another --type or --user is wrong usage', async () => {
    const state = join(folder, 'typed.state');
    const settled = ['feed', 'tail', '--state', state, '--type', 'position.settled'] as const;
    expect((await run(...settled)).exitCode).toBe(0);
    expect((await run(...settled)).exitCode).toBe(0);
    for (const other of [[], ['--type', 'order.filled'], ['--type', 'position.settled', '--user', 'ana']]) {
      const refused = await run('feed', 'tail', '--state', state, ...other);
      expect([other, refused.exitCode, refused.stdout]).toEqual([other, 2, '']);
    }
  });

  test('types, customers and a place to begin; refusals with their exit codes', async () => {
    const settledItems = lines(
      (await run('feed', 'tail', '--type', 'position.settled', '--type', 'order.filled', '--user', 'winner')).stdout,
    );
    expect(settledItems.map((item) => item.type)).toEqual(['order.filled', 'position.settled']);
    const rest = lines((await run('feed', 'tail', '--since', settledItems[0].cursor)).stdout);
    expect(rest[0].sequence).toBe(settledItems[0].sequence + 1);
    expect((await run('feed', 'tail', '--type', 'nonsense')).exitCode).toBe(2);
    expect((await run('feed', 'tail', '--user', 'nobody')).exitCode).toBe(3);
    expect((await run('feed', 'tail', '--since', 'x')).stderr).toContain('invalid_cursor');
  });

  test('--last starts near the end', async () => {
    const all = (await run('feed', 'tail', '--json')).stdout.trim().split('\n');
    const last = (await run('feed', 'tail', '--last', '2', '--json')).stdout.trim().split('\n');
    expect(last).toEqual(all.slice(-2));
    const filtered = (await run('feed', 'tail', '--last', '1', '--type', 'order.filled', '--json')).stdout.trim();
    expect(filtered).toBe(
      all.findLast((line) => line.includes('"order.filled"') && line.includes('"type":"order.filled"')),
    );
  });
});

describe('reports and registers', () => {
  // contract 39.23, contract 40.12
  test('settlements list, reconciliation show, ledger verify and reconciliation run agree that all is well', async () => {
    const listed = await run('settlements', 'list', '--json');
    expect(listed.json).toMatchObject({ count: 1, settlements: [{ externalUserId: 'winner', outcome: 'won' }] });
    const shown = await run('reconciliation', 'show', '--json');
    expect([shown.exitCode, shown.json.ok, shown.json.findings]).toEqual([0, true, []]);
    expect((await run('reconciliation', 'show', '--from', 'never')).exitCode).toBe(2);
    const verified = await owner('ledger', 'verify', '--json');
    expect([verified.exitCode, verified.json.ok]).toEqual([0, true]);
    const ran = await owner('reconciliation', 'run', '--operator', 'demo', '--json');
    expect([ran.exitCode, ran.json.slug, ran.json.ok]).toEqual([0, 'demo', true]);
    expect((await owner('reconciliation', 'run', '--operator', 'nobody')).exitCode).toBe(3);
  });

  // contract 39.23
  test('damage ends with 5 and is named', async () => {
    await world.damage(
      `update wallets set available = available - 1 where operator_id = '${world.operator.operatorId}'`,
    );
    const all = await owner('reconciliation', 'run', '--json');
    expect([all.exitCode, all.json.ok]).toEqual([5, false]);
    const shown = await run('reconciliation', 'show');
    expect(shown.exitCode).toBe(5);
    expect(shown.stdout).toContain('account_balance');
    await world.damage(
      `update wallets set available = available + 1 where operator_id = '${world.operator.operatorId}'`,
    );
    expect((await owner('reconciliation', 'run', '--json')).json.ok).toBe(true);
  });

  // contract 25.8
  test('reconciliation compare: equal lists, a wrong amount, rows that either side lacks', async () => {
    const { body } = await world.request('GET', '/api/v1/orders?limit=200');
    const rows = (body.orders as { orderId: string; operatorMoney: { actualDebit: string } }[]).map(
      (order) => [order.orderId, order.operatorMoney.actualDebit.replace(/0$/, ''), 'my note'] as string[],
    );
    const file = join(folder, 'mine.csv');
    const compare = (list: string[][]) => {
      writeFileSync(file, `ref,debit,note\n${list.map((row) => row.join(',')).join('\n')}\n`);
      return run(
        'reconciliation',
        'compare',
        '--theirs',
        file,
        '--map',
        'ref=orderId',
        '--map',
        'debit=operatorMoney.actualDebit',
        '--json',
      );
    };
    const equal = await compare(rows);
    expect([equal.exitCode, equal.json.differing, equal.json.columns]).toEqual([0, 0, ['operatorMoney.actualDebit']]);
    const wrong = await compare([...rows.slice(2), ['ord_mine', '1.00', ''], [rows[0]?.[0] ?? '', '999.99', '']]);
    expect(wrong.exitCode).toBe(5);
    expect(wrong.json.differences.map((one: { problem: string }) => one.problem).sort()).toEqual([
      'differs',
      'missing_in_ours',
      'missing_in_theirs',
    ]);
    writeFileSync(file, 'a,b\n1,2\n');
    expect((await run('reconciliation', 'compare', '--theirs', file)).exitCode).toBe(2);
    expect((await run('reconciliation', 'compare', '--theirs', join(folder, 'none.csv'))).exitCode).toBe(3);
  });
});
