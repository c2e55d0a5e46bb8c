/** The command line starts however it is called, and keeps its conventions where nobody is at a terminal. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { inlay, runProgram } from '../support/process.ts';

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[`);
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string };
const script = join(projectRoot, 'bin', 'run.js');
let folder = '';
let env: Record<string, string> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-cli-'));
  env = { XDG_CONFIG_HOME: folder, HOME: folder, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('bin/run.js', () => {
  test('works through a link, from another folder', async () => {
    mkdirSync(join(folder, 'bin'));
    const link = join(folder, 'bin', 'inlay');
    symlinkSync(script, link);
    const linked = await runProgram(link, ['--version'], { cwd: folder });
    expect(linked).toMatchObject({ code: 0, stderr: '' });
    expect(linked.stdout).toMatch(
      new RegExp(`^inlay/${version.replaceAll('.', '\\.')} \\S+ node-v\\d+\\.\\d+\\.\\d+\\n$`),
    );
    const listed = await runProgram(link, ['profiles', 'list', '--json'], { cwd: folder, env });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toEqual({ profiles: [] });
  });

  test('starts again under the bundled Node when the machine has an old one', async () => {
    const old = await runProgram('/usr/bin/env', [
      '-i',
      '/bin/sh',
      '-c',
      'PATH=/usr/local/bin:/usr/bin command -v node',
    ]);
    const node = old.stdout.trim();
    if (node === '') {
      return;
    }
    const ran = await runProgram(node, [script, 'profiles', 'use', 'nowhere', '--json'], { env });
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toEqual({ error: 'profile_not_found', message: 'There is no profile "nowhere".' });
  });

  test('shows help with examples', async () => {
    const help = await inlay(['profiles', 'use', '--help'], { env });
    expect(help).toMatchObject({ code: 0 });
    expect(help.stdout).toContain('EXAMPLES');
    expect(help.stdout).toContain('inlay profiles use staging');
  });
});

describe('an error', () => {
  test('is a code, a sentence and a next step on stderr, and its exit code', async () => {
    const unknown = await inlay(['no', 'such', 'thing'], { env });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('unknown_command: There is no such command: no such thing');
    expect(unknown.stderr).toContain('--help');
    const missing = await inlay(['profiles', 'use', 'nowhere'], { env });
    expect(missing).toMatchObject({ code: 3, stdout: '' });
    const flag = await inlay(['profiles', 'list', '--nope'], { env });
    expect(flag).toMatchObject({ code: 2, stdout: '' });
    const unreachable = await inlay(['categories', '--api-url', 'http://127.0.0.1:9', '--api-key', 'k'], { env });
    expect(unreachable).toMatchObject({ code: 1, stdout: '' });
    expect(unreachable.stderr).toContain('service_unreachable');
    expect(unreachable.stderr).toContain('inlay up');
  });

  test('names a URL that is none and a profile file that cannot be read', async () => {
    const noUrl = await inlay(['categories', '--api-url', 'ftp://x', '--api-key', 'k'], { env });
    expect(noUrl).toMatchObject({ code: 2, stdout: '' });
    expect(noUrl.stderr).toBe(
      'invalid_usage: ftp://x is not the URL of a service.\nWrite it as https://api.example.\n',
    );
    const broken = join(folder, 'broken');
    mkdirSync(join(broken, 'inlay'), { recursive: true });
    writeFileSync(join(broken, 'inlay', 'profiles.json'), '{ "profiles": ');
    const unread = await inlay(['categories'], { env: { ...env, XDG_CONFIG_HOME: broken } });
    expect(unread).toMatchObject({ code: 2, stdout: '' });
    expect(unread.stderr).toContain(`${join(broken, 'inlay', 'profiles.json')} cannot be read: it is not JSON\n`);
  });

  test('is one JSON document on stdout under --json, without arguments or folders in it', async () => {
    const secret = 'sk_live_not_to_be_printed';
    const ran = await inlay(['profiles', 'list', '--json', '--api-key', secret], { env });
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toEqual({ error: 'invalid_usage', message: expect.any(String) });
    expect(ran.stdout + ran.stderr).not.toContain(folder);
    expect(ran.stdout).not.toContain(homedir());
    const unknown = await inlay(['no', 'such', '--json'], { env });
    expect(JSON.parse(unknown.stdout)).toMatchObject({ error: 'unknown_command' });
  });

  // contract 41.5
  test('names the environment variable that is wrong', async () => {
    const ran = await inlay(['migrate'], { env: { ...env, PORT: 'eighty' } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^invalid_environment: PORT: not a whole number\n/);
    const wrong = [
      [{ PORT: '70000' }, 'PORT: not 65535 or less'],
      [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: not one of trace, debug, info, warn, error, fatal, silent'],
      [{ INLAY_API_URL: 'localhost:18340' }, 'INLAY_API_URL: not an address such as http://127.0.0.1:8080'],
    ] as const;
    for (const [variables, message] of wrong) {
      const { stderr } = await inlay(['migrate'], { env: { ...env, ...variables } });
      expect(stderr.split('\n')[0]).toBe(`invalid_environment: ${message}`);
    }
  });

  test('says which arguments are missing', async () => {
    const { stderr } = await inlay(['quote', '--stake', '5', '--user', 'u'], { env });
    expect(stderr.split('\n')[0]).toBe(
      'invalid_usage: Missing: contract (Contract id); side (Side of the contract: yes or no)',
    );
  });

  test('is none when the reader of a pipe has seen enough', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [
        `profile-${index}`,
        { apiUrl: 'http://x', apiKey: 'pk_test_abcdefghij' },
      ]),
    );
    mkdirSync(join(folder, 'many', 'inlay'), { recursive: true });
    writeFileSync(
      join(folder, 'many', 'inlay', 'profiles.json'),
      JSON.stringify({ current: 'profile-0', profiles: many }),
    );
    const piped = await runProgram(
      'bash',
      ['-c', '"$0" "$1" profiles list --output csv | head -n 2; echo $PIPESTATUS', process.execPath, script],
      { env: { ...env, XDG_CONFIG_HOME: join(folder, 'many') } },
    );
    expect(piped.stderr).toBe('');
    expect(piped.stdout.trim().split('\n')).toEqual([
      'name,current,apiUrl,key',
      expect.stringContaining('profile-0'),
      '0',
    ]);
  });
});

describe('profiles', () => {
  // contract 40.1
  test('keep a key where only its owner reads, and never show it whole', async () => {
    const key = 'pk_test_0123456789abcdefghijklmnop';
    const login = await inlay(
      ['login', '--no-check', '--profile', 'staging', '--api-url', 'https://api.example/', '--json'],
      {
        env,
        input: `${key}\n`,
      },
    );
    expect(login.code).toBe(0);
    expect(JSON.parse(login.stdout)).toEqual({
      profile: 'staging',
      apiUrl: 'https://api.example',
      key: 'pk_test_01234567...',
    });
    const file = join(folder, 'inlay', 'profiles.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const list = await inlay(['profiles', 'list'], { env });
    expect(list.stdout).toContain('staging');
    expect(list.stdout).not.toContain(key);
    expect(list.stdout).not.toMatch(ANSI);
    const coloured = await inlay(['profiles', 'list'], { env: { ...env, FORCE_COLOR: '1' } });
    expect(coloured.stdout).toMatch(ANSI);
    const plain = await inlay(['profiles', 'list'], { env: { ...env, NO_COLOR: '1' } });
    expect(plain.stdout).not.toMatch(ANSI);
  });

  // contract 38.7
  test('ask before they remove a key, and require --yes if there is no terminal', async () => {
    const asked = await inlay(['profiles', 'remove', 'staging'], { env });
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('--yes');
    const removed = await inlay(['profiles', 'remove', 'staging', '--yes', '--json'], { env });
    expect(removed.code).toBe(0);
    expect(JSON.parse(removed.stdout)).toEqual({ removed: 'staging' });
  });

  // contract 40.1
  test('logout removes the profile in use, or the one that is named, and says what is left', async () => {
    const login = (name: string) =>
      inlay(['login', '--no-check', '--profile', name, '--api-url', 'https://api.example'], {
        env,
        input: 'pk_test_1\n',
      });
    const logout = (...argv: string[]) => inlay(['logout', ...argv], { env });
    for (const name of ['first', 'second', 'third']) {
      await login(name);
    }
    expect(await logout()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Remove the key of profile "first"?'),
    });
    expect(await logout('second', '--yes')).toMatchObject({
      code: 0,
      stdout: 'Profile "second" was removed.\n',
      stderr: '',
    });
    expect(await logout('--yes')).toMatchObject({
      stdout: 'Profile "first" was removed.\n',
      stderr: '"inlay profiles use NAME" chooses another: third.\n',
    });
    expect(await logout('--yes')).toMatchObject({ code: 3, stderr: expect.stringContaining('no profile "first"') });
    expect(await logout('third', '--profile', 'second', '--yes')).toMatchObject({ code: 2 });
    expect(await logout('--profile', 'third', '--yes', '--json')).toMatchObject({ code: 0 });
    expect(JSON.parse((await inlay(['profiles', 'list', '--json'], { env })).stdout)).toEqual({ profiles: [] });
  });

  // contract 40.1
  test('refuse an empty key', async () => {
    expect(await inlay(['login', '--no-check'], { env, input: '\n' })).toMatchObject({ code: 2 });
  });
});
