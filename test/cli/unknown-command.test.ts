/** What is typed wrong runs nothing: it is told with what was probably meant, and only a yes at a terminal runs that. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Config } from '@oclif/core';
import { describe, expect, test, vi } from 'vitest';
import { nearestCommand } from '../../src/cli/unknown-command.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { inlay } from '../support/process.ts';
import { commandRunner } from '../support/run-command.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

// nobody listens there: a command that is run says so
const env = { INLAY_API_URL: 'http://127.0.0.1:9', INLAY_API_KEY: 'x', XDG_CONFIG_HOME: '/nonexistent', TERM: 'xterm' };
const config = await Config.load(projectRoot);
const meant = (text: string) => {
  const found = nearestCommand(config, text.split(' '));
  return found === undefined ? undefined : [found.command.join(' '), found.typed];
};

test('the nearest command is found by letters, by its beginning and by its last word', () => {
  expect(meant('orders cancle ord_1')).toEqual(['orders cancel', 2]);
  expect(meant('order list')).toEqual(['orders list', 2]);
  expect(meant('ordrs list')).toEqual(['orders list', 2]);
  expect(meant('recon export')).toEqual(['reconciliation export', 2]);
  expect(meant('sandbox scenario arm')).toEqual(['sandbox scenarios arm', 3]);
  expect(meant('lookup inl_Best_x')).toEqual(['orders lookup', 1]);
  expect(meant('qoute ctr_1 yes')).toEqual(['quote', 1]);
  // several end so
  expect(meant('list')).toBeUndefined();
  expect(meant('nonsense')).toBeUndefined();
});

describe('off a terminal', () => {
  test('exit 2 with the suggestion, and nothing of the arguments', async () => {
    const typed = ['orders', 'cancle', 'ord_secret', '--yes'];
    const { code, stdout, stderr } = await inlay(typed, { env, input: 'y\n' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'unknown_command: There is no such command: orders cancle\nDid you mean "inlay orders cancel"? "inlay orders --help" lists the commands.\n',
    );
    const json = await inlay([...typed, '--json'], { env });
    expect([json.code, json.stderr, JSON.parse(json.stdout)]).toEqual([
      2,
      '',
      {
        error: 'unknown_command',
        message: 'There is no such command: orders cancle',
        suggestion: 'inlay orders cancel',
      },
    ]);
  });

  test('a known command refuses an argument that it does not take, and names it', async () => {
    const { code, stdout, stderr } = await inlay(['customers', 'suspend', 'player-9', '--yes'], { env });
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'invalid_usage: The command does not take the argument player-9\nAdd --help to see what the command takes.\n',
    ]);
  });

  test.each([
    [['events', 'list', '--limit', '0'], '--limit takes a whole number of at least 1, not "0".'],
    [['events', 'list', '--limit', '101'], '--limit takes a whole number of at most 100, not "101".'],
    [['events', 'list', '--limit', 'ten'], '--limit takes a whole number, not "ten".'],
    [['events', 'list', '--limit='], '--limit takes a whole number, not "".'],
    [['events', 'list', '--sort', 'price'], '--sort takes one of trending, volume, closing-soon, new, not "price".'],
    [
      ['events', 'list', '--closes-after', 'noon'],
      '--closes-after: "noon" is not a date or time; write 2026-11-27 or 2026-11-27T15:00:00Z.',
    ],
    [['events', 'list', '--limits', '3'], 'The command has no --limits.'],
    [['events', 'list', '--limit'], '--limit needs a value.'],
    [['events', 'list', '--all', '--page', '2'], '--all and --page exclude each other'],
  ])('%j is refused in our words, with what is allowed', async ([topic = '', command = '', ...argv], sentence) => {
    const run = await commandRunner(env);
    const { exitCode, stdout, stderr } = await run(topic, command, ...argv);
    expect([exitCode, stdout, stderr.split('\n')[0]]).toEqual([2, '', `invalid_usage: ${sentence}`]);
  });

  test('also where nothing is near, and where help is asked for', async () => {
    for (const typed of [['nonsense'], ['nonsense', '--help'], ['orders', 'nonsense']]) {
      const { code, stdout, stderr } = await inlay(typed, { env });
      expect([code, stdout], typed.join(' ')).toEqual([2, '']);
      expect(stderr).toMatch(/^unknown_command: There is no such command: [a-z ]+\n"inlay( orders)? --help" lists/);
    }
  });
});

/** Types these keys when it is asked. */
async function answered(keys: string): Promise<{ code: number | null; text: string }> {
  const line = `exec "${process.execPath}" "${projectRoot}bin/run.js" orders shwo ord_1`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/bash', ...env },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const wasAsked = text.includes('Did you mean');
    text += chunk;
    if (!wasAsked && text.includes('Did you mean')) {
      child.stdin.write(keys);
    }
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text };
}

describe.skipIf(!existsSync('/usr/bin/script'))('on a terminal', () => {
  test('Enter alone runs nothing', async () => {
    const { code, text } = await answered('\r');
    expect(text).toContain('No command was run.');
    expect([code, text.includes('service_unreachable')]).toEqual([2, false]);
  });

  test('a yes runs what was meant, with what was typed behind it', async () => {
    const { code, text } = await answered('y\r');
    expect([code, text.includes('http://127.0.0.1:9 does not answer.')]).toEqual([1, true]);
  });
});
