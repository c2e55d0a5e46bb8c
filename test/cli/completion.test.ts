/** Completion as a person meets it: the script is read by the shell itself, and the shell says what it would offer. Shells that are not installed are skipped. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inlay, runProgram } from '../support/process.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const isThere = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-completion-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder });

/** What is typed, and what must be offered for its last word; all of it. */
const OFFERED: readonly (readonly [string, readonly string[]])[] = [
  ['inlay ev', ['events']],
  ['inlay or', ['order', 'orders']],
  ['inlay orders l', ['list', 'lookup']],
  ['inlay operators collateral ', ['deposit', 'withdraw']],
  ['inlay sandbox scenarios ', ['arm', 'disarm', 'list']],
  ['inlay orders list --s', ['--since', '--status']],
  ['inlay orders list --user bob --s', ['--since', '--status']],
  ['inlay quote ctr_1 yes --st', ['--stake']],
  ['inlay sandbox scenarios arm --fill-fraction 0.5 --cl', ['--client-order-id']],
  ['inlay events list --sort ', ['closing-soon', 'new', 'trending', 'volume']],
  ['inlay feed tail --type order.', ['order.filled', 'order.state_changed']],
  ['inlay orders list --output c', ['csv']],
];

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await inlay(['completion', shell], { env: env() });
  expect([code, stderr]).toEqual([0, '']);
  const path = join(folder, `inlay.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

const ASK = `
source "$1"
while IFS= read -r line; do
  COMP_WORDS=($line)
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=\${#line} COMPREPLY=()
  _inlay_complete
  echo "\${COMPREPLY[*]}"
done`;

test('bash offers topics, subcommands, flags behind arguments, and values', async () => {
  const asked = await runProgram('bash', ['--norc', '--noprofile', '-c', ASK, 'bash', await script('bash')], {
    input: `${OFFERED.map(([line]) => line).join('\n')}\ninlay events list --sort = n\ninlay sandbox run fix\n`,
    env: env(),
  });
  expect(asked.stderr).toBe('');
  const offered = asked.stdout.split('\n').map((words) => words.split(' ').filter(Boolean).sort());
  for (const [index, [line, words]] of OFFERED.entries()) {
    expect(offered[index], line).toEqual(words);
  }
  // a value behind "=", and nothing of ours where bash itself offers files
  expect(offered.slice(OFFERED.length, OFFERED.length + 2)).toEqual([['new'], []]);
});

test.skipIf(!isThere('fish'))('fish offers the same', async () => {
  const path = await script('fish');
  for (const [line, words] of OFFERED) {
    const command = `source ${path}; complete -C "${line}"`;
    const asked = await runProgram('fish', ['--no-config', '-c', command], { env: env() });
    expect(asked.stderr, line).toBe('');
    const offered = asked.stdout.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0] ?? '']));
    expect(offered.sort(), line).toEqual(words);
  }
});

test.skipIf(!isThere('zsh') || !isThere('script'))('zsh offers what autocomplete set up', async () => {
  const made = await inlay(['autocomplete', 'zsh'], { env: env() });
  expect(made.code).toBe(0);
  const setup = join(folder, 'inlay', 'autocomplete', 'zsh_setup');
  const shell = spawn('script', ['-qefc', 'stty cols 120; exec zsh -f -i', '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'dumb', SHELL: '/bin/zsh', ...env() },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const shows = (text: string) => vi.waitFor(() => expect(shown).toContain(text), { timeout: 60_000, interval: 50 });
  try {
    shell.stdin.write(`inlay() { : }; source ${setup}; echo re''ady\n`);
    await shows('ready');
    const lines = [
      ['inlay or', ['Order at a quoted price.', 'orders']],
      ['inlay sandbox scenarios ', ['Arm a partial fill', 'disarm']],
      ['inlay orders list --s', ['--since', '--status']],
      ['inlay events list --sort ', ['closing-soon', 'volume']],
    ] as const;
    for (const [line, words] of lines) {
      shown = '';
      // Ctrl-U empties the line before the next one
      shell.stdin.write(`\u0015${line}\t\t`);
      for (const word of words) {
        await shows(word);
      }
    }
  } finally {
    shell.kill('SIGKILL');
  }
});
