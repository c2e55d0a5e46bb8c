/** The first minute of a newcomer: the banner, what can be pasted after it, and what the terminal shows meanwhile. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { formatLogLine } from '../../src/core/log.ts';
import { findClusterPaths } from '../../src/db/embedded/cluster-paths.ts';
import { freePort } from '../support/free-port.ts';
import { type Program, runProgram, startProgram } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const ESCAPE = String.fromCharCode(27);
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');

let dataDir: string;
let started: Program;
let url: string;
let block: string;
let pasted: ReturnType<typeof runProgram>;

beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'inlay-first-')), 'data');
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const line = `exec "${process.execPath}" "${projectRoot}bin/start.js"`;
  // `script` makes a terminal of it; the runs of tests have none
  started = startProgram('script', ['-qefc', line, '/dev/null'], {
    env: { INLAY_DATA_DIR: dataDir, PORT: String(port), TERM: 'xterm-256color', SHELL: '/bin/bash' },
  });
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  block = /```sh\n(API=[\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const input = block.replaceAll('http://127.0.0.1:8080', url).replaceAll('.inlay/', `${dataDir}/`);
  pasted = runProgram('bash', ['-s'], { input, cwd: tmpdir() });
  await started.prints(/Ctrl-C stops everything/);
});
afterAll(async () => {
  started.child.kill('SIGTERM');
  await started.ended;
  rmSync(findClusterPaths(dataDir).location, { recursive: true, force: true });
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

const screen = () => started.output().stdout.replaceAll(COLOURS, '').replaceAll('\r', '');
const hasTerminal = existsSync('/usr/bin/script');

test.skipIf(!hasTerminal)(
  'the block of the README waits for prices when it is pasted before there are any',
  async () => {
    const { stdout, code } = await pasted;
    expect(code).toBe(0);
    // as the comments beside the commands say
    const answers = [...block.matchAll(/^echo .* # (.*)$/gm)].map(([, answer]) => answer);
    expect(answers).toEqual(['filled', '10.00']);
    expect(stdout.trim().split('\n')).toEqual(answers);
  },
);

test.skipIf(!hasTerminal)('the banner fits 80 columns, and its last command answers', async () => {
  const [, banner = ''] = /(Inlay is running[\s\S]*?)Ctrl-C stops/.exec(screen()) ?? [];
  const lines = banner.split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const request = lines.slice(lines.findIndex((line) => line.startsWith('  key='))).slice(0, 3);
  const { stdout } = await runProgram('bash', ['-s'], { input: request.join('\n') });
  expect(JSON.parse(stdout).data).toHaveLength(3);
});

// contract 41.2
test.skipIf(!hasTerminal)('the commands that the banner prints do what they say', async () => {
  const lines = screen()
    .split('\n')
    .filter((line) => /^ +\S+run\.js /.test(line));
  expect(lines.map((line) => /run\.js (\w+)/.exec(line)?.[1])).toEqual(['events', 'buy']);
  const [list, buy] = await Promise.all(
    lines.map((line, at) =>
      runProgram('bash', ['-c', `${line} ${at === 0 ? '--json' : '--yes --max-slippage 0.2 --json'}`], {
        cwd: projectRoot,
        // as whoever exported it for the start has it; the command line finds address and key there
        env: { ...process.env, INLAY_DATA_DIR: dataDir, INLAY_API_URL: undefined, INLAY_API_KEY: undefined },
      }),
    ),
  );
  expect(JSON.parse(list?.stdout ?? '').data).toHaveLength(5);
  expect(JSON.parse(buy?.stdout ?? ''), buy?.stderr).toMatchObject({ status: 'filled', stake: 10 });
});

test.skipIf(!hasTerminal)('a terminal shows one short coloured line a request and no JSON', async () => {
  await fetch(`${url}/api/health`);
  await started.prints(/\/api\/health/);
  const line =
    screen()
      .split('\n')
      .find((text) => text.includes('/api/health')) ?? '';
  expect(line).toMatch(/^\d\d:\d\d:\d\d {2}GET +\/api\/health +200 {2}\d+ ms$/);
  expect(screen()).not.toMatch(/^\{/m);
  expect(started.output().stdout).toContain(`${ESCAPE}[32m200`);
});

test('a record that is no request is a line with its level, its reason and its facts', () => {
  const record = {
    level: 40,
    time: '2026-01-02T03:04:05Z',
    venue: 'paper',
    err: { message: 'gone\u001b[2J' },
    msg: 'no answer',
  };
  expect(formatLogLine(JSON.stringify(record), (_, text) => text)).toMatch(
    /^\d\d:\d\d:\d\d {2}warn {3}no answer: gone \[2J {2}venue=paper$/,
  );
  expect(formatLogLine('not a record\n', (_, text) => text)).toBe('not a record');
});

test('npm is configured to be silent about the Node of the machine', async () => {
  const { stdout } = await runProgram('npm', ['config', 'get', 'loglevel'], { cwd: projectRoot });
  expect(stdout.trim()).toBe('error');
});
