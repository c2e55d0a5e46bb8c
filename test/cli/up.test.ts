/** `up`: the whole service from an empty folder, one in a folder, gone without a trace however it ends, and its data there again. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findClusterPaths } from '../../src/db/embedded/cluster-paths.ts';
import { inlay, isAlive, type Program, processesWith, startInlay } from '../support/process.ts';
import { until } from '../support/until.ts';

interface Greeting {
  url: string;
  pid: number;
  created: { slug: string; mode: string }[];
  keyFile: string;
}

let dataDir = '';
let env: Record<string, string> = {};
let key = '';

beforeAll(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'inlay-up-')), 'data');
  env = { INLAY_DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', XDG_CONFIG_HOME: join(dataDir, '..', 'config') };
});
afterAll(() => {
  const { location } = findClusterPaths(dataDir);
  rmSync(location, { recursive: true, force: true });
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

/** A test that fails leaves none of them running. */
async function up(): Promise<{ program: Program; greeting: Greeting }> {
  const program = startInlay(['up', '--json'], { env });
  onTestFinished(async () => {
    program.child.kill('SIGTERM');
    await program.ended;
  });
  await program.prints(/\n\}\n/);
  return { program, greeting: JSON.parse(program.output().stdout) as Greeting };
}

/** The server names its folder; our own processes carry it in their environment. */
async function untilGone(folder: string): Promise<void> {
  const look = () => processesWith(findClusterPaths(folder).clusterDir, `INLAY_DATA_DIR=${folder}`);
  await until(() => expect(look()).toEqual([]), 15_000);
}

function get(url: string, apiKey = key): Promise<Response> {
  return fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
}

describe('inlay up', { timeout: 90_000 }, () => {
  // contract 39.2, contract 41.1, contract 41.2, contract 41.16
  test('makes everything on first start, names the file of the keys and writes none into a pipe, and ends with Ctrl-C', async () => {
    const { program, greeting } = await up();
    expect(greeting.created).toEqual([
      { slug: 'demo', mode: 'sandbox' },
      { slug: 'demo-live', mode: 'live' },
    ]);
    expect(greeting.keyFile).toBe(join(dataDir, 'demo-keys.json'));
    const kept = JSON.parse(readFileSync(greeting.keyFile, 'utf8')) as { apiKey: string }[];
    key = kept[0]?.apiKey ?? '';
    expect(key).toMatch(/^pk_test_/);
    expect(kept[1]?.apiKey).toMatch(/^sk_live_/);
    const { stdout, stderr } = program.output();
    expect(stdout + stderr).not.toMatch(/pk_test_|sk_live_/);
    expect(statSync(greeting.keyFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(stderr).toContain('Creating a database...\nStarting the exchange...\n');
    expect((await fetch(`${greeting.url}/api/health`)).status).toBe(200);
    expect((await get(`${greeting.url}/api/v1/events?limit=3`)).status).toBe(200);
    const running = JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8'));
    expect(running).toMatchObject({ url: greeting.url, apiKey: key });
    const profiles = await inlay(['profiles', 'list', '--json'], { env });
    expect(JSON.parse(profiles.stdout).profiles).toMatchObject([{ name: 'demo', current: true, apiUrl: greeting.url }]);
    expect((await inlay(['categories', '--json'], { env })).code).toBe(0);
    const byAddress = { ...env, XDG_CONFIG_HOME: join(dataDir, '..', 'nobody') };
    expect((await inlay(['categories', '--json'], { env: byAddress })).code).toBe(0);
    program.child.kill('SIGINT');
    expect((await program.ended).code).toBe(130);
    await untilGone(dataDir);
  });

  // contract 41.2
  test('starts a second time with the same data and shows no key again', async () => {
    const { program, greeting } = await up();
    expect(greeting.created).toEqual([]);
    expect((await get(`${greeting.url}/api/v1/categories`)).status).toBe(200);

    const second = await inlay(['up', '--json'], { env });
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toEqual({
      error: 'already_running',
      message: expect.stringContaining(`process ${greeting.pid}`),
    });
    const command = await inlay(['operators', 'list', '--json'], { env });
    expect(command.code).toBe(0);
    expect(command.stdout).toContain('demo-live');

    program.child.kill('SIGTERM');
    expect((await program.ended).code).toBe(0);
    await untilGone(dataDir);
  });

  // contract 41.3
  test('leaves nothing behind when it is killed, and starts again', async () => {
    const { program, greeting } = await up();
    const server = Number(
      readFileSync(join(findClusterPaths(dataDir).clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    process.kill(greeting.pid, 'SIGKILL');
    await program.ended;
    await untilGone(dataDir);
    expect(isAlive(server)).toBe(false);
    const again = await up();
    expect((await get(`${again.greeting.url}/api/v1/categories`)).status).toBe(200);
    again.program.child.kill('SIGTERM');
    await again.program.ended;
  });

  // contract 41.5
  test('names the variable when the port is taken, and leaves nothing running', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const ran = await inlay(['up'], { env: { ...env, PORT: String(port) } });
    const empty = join(dataDir, '..', 'never-made');
    const first = await inlay(['up'], { env: { ...env, INLAY_DATA_DIR: empty, PORT: String(port) } });
    taken.close();
    expect(first.stderr).toContain(`PORT: ${port} is taken on 127.0.0.1; set PORT to a free one\n`);
    expect([first.code, existsSync(empty)]).toEqual([2, false]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`PORT: ${port} is taken`);
    await untilGone(dataDir);
  });

  test('names a data folder that cannot be made, at once', async () => {
    const ran = await inlay(['up'], { env: { ...env, INLAY_DATA_DIR: '/proc/x' } });
    expect([ran.code, ran.stderr.split('\n')[0]]).toEqual([
      2,
      'invalid_environment: INLAY_DATA_DIR: /proc/x cannot be written; choose another folder, or change its rights',
    ]);
  });

  // contract 39.1
  test('a command makes no database of its own when nothing runs, and doctor finds nothing wrong', async () => {
    const empty = join(dataDir, '..', 'empty');
    for (const folder of [dataDir, empty]) {
      const ran = await inlay(['operators', 'list', '--json'], { env: { ...env, INLAY_DATA_DIR: folder } });
      expect(ran.code).toBe(1);
      expect(JSON.parse(ran.stdout)).toEqual({
        error: 'database_unavailable',
        message: `This command needs the database of the service: DATABASE_URL is not set, and no service runs in ${folder}.`,
      });
    }
    expect(existsSync(empty)).toBe(false);
    for (const command of ['serve', 'worker', 'migrate']) {
      const { code, stderr } = await inlay([command], { env });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('Start the service with "inlay up", or set DATABASE_URL.'),
      ]);
    }
    const ran = await inlay(['doctor', '--json'], { env });
    const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['database', 'api']);
    expect(ran.code).toBe(0);
    expect(processesWith(findClusterPaths(dataDir).clusterDir)).toEqual([]);
  });
});
