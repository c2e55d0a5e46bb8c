/** The live views on a terminal of 80 columns, and their plain modes off it. A terminal is made by `script`; without it these tests are skipped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { removeRunningService, writeRunningService } from '../../src/cli/known-services.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { inlay, runProgram, startInlay, startProgram } from '../support/process.ts';
import { COLUMNS, hasTerminals, openTerminal, withoutControls } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { type RunningService, startRunningService } from './running-service.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let running: RunningService;
beforeAll(async () => {
  running = await startRunningService();
  await running.json('buy', running.market.contractId, 'yes', '--stake', '5', '--user', 'ana', '--yes');
});
afterAll(() => running.close());

/** Runs it in a terminal until it has drawn `pattern`, ends it by Ctrl-C, and gives what was drawn. */
async function drawn(argv: string, pattern: RegExp): Promise<string[]> {
  const line = `stty cols ${COLUMNS} rows 40; exec "${process.execPath}" "${projectRoot}bin/run.js" ${argv}`;
  const view = startProgram('script', ['-qefc', line, '/dev/null'], {
    env: { ...running.env, TERM: 'xterm-256color', SHELL: '/bin/bash' },
  });
  await view.prints(pattern);
  view.child.kill('SIGTERM');
  const { stdout } = await view.ended;
  return withoutControls(stdout).split(/\r?\n/);
}

const isWide = (line: string) => [...line].length > COLUMNS;

describe.skipIf(!hasTerminals)('on a terminal', () => {
  test('top redraws itself within 80 columns', async () => {
    const lines = await drawn('top', /q quit/);
    for (const part of ['requests', 'orders', 'feeds', 'deliveries', 'jobs', 'database']) {
      expect(
        lines.some((line) => line.includes(part)),
        part,
      ).toBe(true);
    }
    expect(lines.filter(isWide)).toEqual([]);
  });

  const opened = (argv: string) => openTerminal(argv, running.env);

  test('a key of top changes the view, and q ends it', async () => {
    const top = opened('top');
    await top.shows('[o overview]');
    await running.json('buy', running.market.contractId, 'yes', '--stake', '5', '--user', 'ana', '--yes');
    top.press('t');
    await top.shows('Enter opens it');
    // Enter is a carriage return
    top.press('\r');
    await top.shows('Esc closes it');
    for (const [key, title] of [
      ['s', 'Orders of unknown outcome'],
      ['t', 'Tenants by the time'],
      ['p', 'Age of prices by venue'],
      ['w', 'Webhook deliveries and objectives'],
    ] as const) {
      top.press(key);
      await top.shows(title);
    }
    top.press('q');
    expect(await top.ended).toEqual([0, null]);
  });

  test('top fills a terminal that becomes wider', async () => {
    const top = opened('top --interval 3600');
    await top.shows('q quit');
    const [tty = ''] = /\/dev\/pts\/\d+/.exec(top.text()) ?? [];
    await runProgram('stty', ['-F', tty, 'cols', '160', 'rows', '20']);
    // without another reading: the bars have moved the figure to the right
    await until(() => expect(top.text()).toMatch(/requests\/s.{100,}/), 60_000);
    top.press('q');
    expect(await top.ended).toEqual([0, null]);
  });

  test('q ends feed tail, which is no failure', async () => {
    const tail = opened('feed tail --follow');
    await tail.shows('q quits');
    tail.press('q');
    expect(await tail.ended).toEqual([0, null]);
  });

  test('feed tail --follow is a table within 80 columns', async () => {
    const lines = await drawn('feed tail --follow', /items\. q quits/);
    expect(lines.some((line) => /ledger\.posted/.test(line))).toBe(true);
    // the last column has room to say what happened
    expect(lines.some((line) => line.includes('buy YES filled'))).toBe(true);
    expect(lines.filter(isWide)).toEqual([]);
  });

  // contract 40.2
  test('prices watch is a table of names within 80 columns', async () => {
    const lines = await drawn(`prices watch ${running.market.contractId}`, /updates\. Ctrl-C/);
    expect(lines.some((line) => line.startsWith('Will cli happen?') && line.includes('57¢'))).toBe(true);
    expect(lines.filter(isWide)).toEqual([]);
  });

  // contract 38.7, contract 40.4
  test('buy asks before it buys, and a no leaves the wallet as it was', async () => {
    const line = `exec "${process.execPath}" "${projectRoot}bin/run.js" buy ${running.market.contractId} no --stake 5 --user asked`;
    const answered = async (answer: string) => {
      const shell = spawn('script', ['-qefc', line, '/dev/null'], {
        env: { ...process.env, ...running.env, TERM: 'xterm-256color', SHELL: '/bin/bash' },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const ended = once(shell, 'close');
      let shown = '';
      shell.stdout.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
      });
      await until(() => expect(shown).toContain('(y/N)'), 60_000);
      shell.stdin.write(answer);
      const [code] = (await ended) as [number];
      return { code, shown: withoutControls(shown) };
    };
    const no = await answered('n\r');
    expect(no.code).toBe(1);
    expect(no.shown).toContain('not_confirmed: Nothing was changed.');
    const yes = await answered('y\r');
    expect(yes.code).toBe(0);
    expect(yes.shown).toMatch(/status +filled/);
    const { json } = await running.json('orders', 'list', '--user', 'asked');
    expect(json.count).toBe(1);
  });
});

describe('off a terminal', () => {
  test('top prints one reading, or as many documents as were asked for', async () => {
    const once = await running.run(['top']);
    expect(once).toMatchObject({ code: 0, stderr: '' });
    expect(once.stdout).toBe(withoutControls(once.stdout));
    expect(once.stdout.split('\n').filter(isWide)).toEqual([]);
    const { json } = await running.json('top');
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        'at',
        'requests',
        'orders',
        'feeds',
        'board',
        'deliveries',
        'jobs',
        'due',
        'tenants',
        'prices',
        'pool',
      ]),
    );
    expect(json.orders.lastMinute).toBeGreaterThan(0);
    expect(json.requests.perSecond).toBeTypeOf('number');
    // several readings are one document a line
    const two = await inlay(['top', '--json', '--count', '2', '--interval', '1'], { env: running.env });
    expect(
      two.stdout
        .trim()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line))[0]),
    ).toEqual(['at', 'at']);
  });

  test('top that gets no reading says who locks the table; of several it goes on with the next', async () => {
    const owner = new pg.Client({ connectionString: running.service.database.ownerUrl });
    await owner.connect();
    const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid');
    const held = `it waits for pid ${rows[0]?.pid}, ${owner.user}, since `;
    await owner.query('begin; lock table journal in access exclusive mode');
    const one = await running.json('top');
    expect([one.code, one.json]).toEqual([
      1,
      { error: 'database_unavailable', message: expect.stringContaining(`The database has given no reading: ${held}`) },
    ]);
    const several = startInlay(['top', '--json', '--count', '2', '--interval', '1'], { env: running.env });
    await several.prints(new RegExp(held));
    await owner.query('rollback');
    await owner.end();
    const { code, stdout } = await several.ended;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 2]);
  });

  test('top finds the API where doctor does, at the address that up wrote into the data folder', async () => {
    const dataDir = running.service.context.environment.dataDir;
    writeRunningService(dataDir, { url: running.service.url, apiKey: null });
    const found = await running.run(['top', '--json'], { env: { INLAY_API_URL: undefined, PORT: '9' } });
    removeRunningService(dataDir);
    expect(found.json.requests).toMatchObject({ perSecond: expect.any(Number) });
  });

  test('top says it where the API is away', async () => {
    const away = await running.run(['top', '--json'], { env: { INLAY_API_URL: 'http://127.0.0.1:9' } });
    expect([away.code, away.json.requests]).toEqual([0, null]);
  });
});
