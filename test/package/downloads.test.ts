/**
 * `/docs/downloads`: every file is there, is what its page says, comes out of every build with the same bytes, and works for somebody who has
 * nothing else: an empty folder, Node or Python, and a key.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { type Download, makeDownloads } from '../../tools/downloads/downloads.ts';
import { type RunningService, startRunningService } from '../cli/running-service.ts';
import { buildSite } from '../docs/site-pages.ts';
import { freePort } from '../support/free-port.ts';
import { runProgram, startProgram } from '../support/process.ts';
import { hasPython } from '../support/python-operator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// packages are installed and programs of their own are run
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Of the packed command line, 2 MB. */
const LARGEST = 2_000_000;

let running: RunningService;
let page: string;
let downloads: readonly Download[];
beforeAll(async () => {
  await buildSite();
  running = await startRunningService();
  page = await (await fetch(`${running.service.url}/docs/downloads`)).text();
  downloads = await makeDownloads();
});
afterAll(() => running.close());

async function fetchFile(name: string): Promise<Buffer> {
  const response = await fetch(`${running.service.url}/docs/downloads/${name}`);
  expect([name, response.status]).toEqual([name, 200]);
  return Buffer.from(await response.arrayBuffer());
}

/** @returns an empty folder with this file, and the name of the file */
async function folderWith(beginning: string): Promise<{ folder: string; name: string }> {
  const folder = temporaryFolder('download');
  const name = downloads.find((one) => one.name.startsWith(beginning))?.name ?? '';
  writeFileSync(join(folder, name), await fetchFile(name));
  return { folder, name };
}

/** Node and the programs of the machine, and nothing of this project. */
const bare = (folder: string) => ({
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
  HOME: folder,
  INLAY_API_URL: running.service.url,
  INLAY_API_KEY: running.service.key,
});

/** @param source a file in the folder, or an address. */
async function install(folder: string, source: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const installed = await runProgram('npm', ['install', '--no-audit', '--no-fund', source], {
    cwd: folder,
    env: bare(folder),
  });
  expect([installed.code, installed.stdout], installed.stderr).toEqual([0, expect.stringContaining('added 1 package')]);
}

describe('the page', () => {
  test('links to every file, and has its size and its sum', async () => {
    const linked = [...page.matchAll(/href="\/docs\/downloads\/([^"]+)"/g)].map(([, name]) => name);
    expect([...new Set(linked)].toSorted()).toEqual(
      ['SHA256SUMS.txt', ...downloads.map(({ name }) => name)].toSorted(),
    );
    const sums = (await fetchFile('SHA256SUMS.txt')).toString();
    expect(page).toContain(sums.trim());
    for (const { name, contents } of downloads) {
      const content = await fetchFile(name);
      expect(sums).toContain(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
      expect(page).toContain(`${Math.ceil(content.length / 1000)} KB`);
      expect(contents.filter((one) => !page.includes(`<code>${one}</code>`))).toEqual([]);
    }
  });

  test('has the files of this source: another build makes the same bytes', async () => {
    for (const { name, content } of downloads) {
      expect([name, content.equals(await fetchFile(name))]).toEqual([name, true]);
    }
  });
});

describe('the command line', () => {
  let folder: string;
  beforeAll(async () => {
    const { folder: own, name } = await folderWith('inlay-cli-');
    folder = own;
    await install(folder, `./${name}`);
  });
  const run = (...argv: string[]) =>
    runProgram(join(folder, 'node_modules', '.bin', 'inlay'), argv, { cwd: folder, env: bare(folder) });

  test('is one package below 2 MB, with nothing of the service', async () => {
    const cli = downloads.find(({ name }) => name.startsWith('inlay-cli-'));
    expect(cli?.content.length).toBeLessThan(LARGEST);
    const listed = await runProgram('tar', ['-xzOf', cli?.name ?? '', 'package/LICENSES.txt'], { cwd: folder });
    const packages = [...listed.stdout.matchAll(/^(\S+) \d+\.\d+\.\d+: /gm)].map(([, name]) => name);
    expect(packages).toContain('@oclif/core');
    expect(
      packages.filter((name) => /^(?:postgres|pg|fastify|pino|viem|undici|graphile-worker)$/.test(name ?? '')),
    ).toEqual([]);
  });

  test('says what it is and what it can', async () => {
    expect((await run('--version')).stdout).toMatch(/^inlay-cli\/\d+\.\d+\.\d+ \S+ node-v\d/);
    const { stdout, code } = await run('--help');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^TRADE\n {2}events +Browse events$/m)]);
    expect(stdout).not.toMatch(/^OPERATE$|^ {2}(?:up|worker|operators|keys) /m);
    expect((await run('help', 'events', 'list')).stdout).toContain('List events of the catalogue.');
    expect((await run('autocomplete', 'script', 'bash')).code).toBe(0);
  });

  test('every command has a module', async () => {
    const cli = downloads.find(({ name }) => name.startsWith('inlay-cli-'));
    const commands = (cli?.contents ?? []).map((words) => words.split(' ').slice(1));
    expect(commands.length).toBeGreaterThan(40);
    expect(cli?.contents).toEqual(expect.arrayContaining(['inlay api', 'inlay login', 'inlay logout']));
    const wrong: string[] = [];
    for (const words of commands) {
      const program = `import c from './node_modules/inlay-cli/dist/commands/${words.join('/')}.js';
if (typeof c.run !== 'function') process.exit(1);`;
      const { code, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', program], {
        cwd: folder,
        env: bare(folder),
      });
      wrong.push(...(code === 0 ? [] : [`${words.join(' ')}: ${stderr}`]));
    }
    expect(wrong).toEqual([]);
  });

  test('trades and reads the feed with a key alone', async () => {
    const events = await run('events', 'list', '--json');
    expect(JSON.parse(events.stdout).data.length).toBeGreaterThan(0);
    const { contractId } = running.market;
    const bought = await run('buy', contractId, 'yes', '--stake', '10', '--user', 'download-1', '--yes', '--json');
    expect([bought.code, JSON.parse(bought.stdout).status]).toEqual([0, 'filled']);
    const tail = () => run('feed', 'tail', '--user', 'download-1', '--state', 'feed.json');
    const items = (await tail()).stdout.trim().split('\n');
    expect(items.map((line) => JSON.parse(line).type)).toContain('order.filled');
    expect((await tail()).stdout).toBe('');
    const { stdout } = await run('positions', 'list', '--user', 'download-1', '--output', 'csv');
    expect(stdout).toContain(contractId);
  });

  test('says so where the database of the service would be needed', async () => {
    const { code, stderr } = await run('periods', 'statement', '--operator', 'demo');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^service_needed: /)]);
    for (const [argv, next] of [
      [['keys', 'issue', '--operator', 'demo'], 'No key can do this; ask the service operator.'],
      [['webhooks', 'add', '--help'], 'With a key: "inlay webhooks listen --forward-to URL".'],
      [['help', 'operators'], 'No key can do this; ask the service operator.'],
    ] as const) {
      const known = await run(...argv);
      expect([argv, known.code, known.stderr]).toEqual([argv, 1, expect.stringMatching(/^service_needed: /)]);
      expect(known.stderr).toContain(next);
    }
    expect((await run('nonsense', 'add')).stderr).toMatch(/^unknown_command: /);
  });

  test('its help has nothing that only the service operator can do', async () => {
    for (const argv of [
      ['orders', 'lookup'],
      ['webhooks', 'deliveries'],
      ['periods', 'statement'],
    ]) {
      const { stdout } = await run(...argv, '--help');
      expect(stdout).toContain('EXAMPLES');
      expect(stdout).not.toMatch(/--operator|database|service operator/i);
    }
  });

  test('runs the downloaded scenario files', async () => {
    const { folder: scenarios, name } = await folderWith('inlay-scenarios-');
    expect((await runProgram('tar', ['-xzf', name], { cwd: scenarios })).code).toBe(0);
    const file = join(scenarios, 'inlay-scenarios', 'simulated-buy.yaml');
    const { code, stdout, stderr } = await run('sandbox', 'run', file);
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining('ok 1')]);
    // the others need commands of the service: no step runs
    for (const other of ['operator/caps.yaml', 'live/refused.yaml', 'operator/deliveries.yaml']) {
      const path = join(scenarios, 'inlay-scenarios', other);
      const refused = await run('sandbox', 'run', path, '--allow-commands', '--json');
      expect([other, refused.code, JSON.parse(refused.stdout).error]).toEqual([other, 1, 'service_needed']);
    }
  });
});

test('the typed client is one package, and its types compile without looking away', async () => {
  const { folder, name } = await folderWith('inlay-client-');
  // as the page says it
  await install(folder, `${running.service.url}/docs/downloads/${name}`);
  const program = `import { ApiError, createClient, followFeed, type Order, verifyWebhook } from 'inlay/client';

const client = createClient({ baseUrl: process.env['INLAY_API_URL'] ?? '', apiKey: process.env['INLAY_API_KEY'] });
const { slug } = await client.get('/api/v1/whoami');
const order: Order | null = await client.get('/api/v1/orders/{id}', { path: { id: 'ord_x' } }).catch((error: unknown) => {
  if (error instanceof ApiError && error.code === 'unknown_order') {
    return null;
  }
  throw error;
});
const { sequence } = await followFeed(client, { from: { cursor: null, sequence: 0 }, apply: () => {}, verify: {} });
console.log(slug, order, typeof sequence, typeof verifyWebhook);
`;
  writeFileSync(join(folder, 'program.mts'), program);
  const ran = await runProgram(process.execPath, ['program.mts'], { cwd: folder, env: bare(folder) });
  expect([ran.stdout, ran.stderr]).toEqual(['demo null number function\n', '']);
  const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const types = ['--types', 'node', '--typeRoots', join(projectRoot, 'node_modules', '@types')];
  for (const module of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const flags = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', ...module, ...types];
    const compiled = await runProgram(process.execPath, [compiler, ...flags, 'program.mts'], { cwd: folder });
    expect([module, compiled.stdout]).toEqual([module, '']);
  }
});

test.skipIf(!hasPython)('inlay.py is a client on its own', async () => {
  const { folder } = await folderWith('inlay.py');
  const program = `import os
from inlay import Service
service = Service(os.environ["INLAY_API_URL"], os.environ["INLAY_API_KEY"])
wanted = {"marketId": os.environ["CONTRACT"], "side": "YES", "action": "buy", "stake": 10}
quote = service.post("/quotes", wanted, user="download-2")
order = service.post("/orders", {"quoteId": quote["quoteId"], "clientOrderId": "1"}, user="download-2")
print(order["status"], [one["orderId"] == order["orderId"] for one in service.items("/orders", externalUserId="download-2")])
`;
  const ran = await runProgram('python3', ['-B', '-c', program], {
    cwd: folder,
    env: { ...bare(folder), CONTRACT: running.market.contractId },
  });
  expect([ran.stdout, ran.stderr]).toEqual(['filled [True]\n', '']);
});

test.skipIf(!hasPython)('the operator in Python starts from its archive', async () => {
  const { folder, name } = await folderWith('inlay-operator-python-');
  expect((await runProgram('tar', ['-xzf', name], { cwd: folder })).code).toBe(0);
  const port = await freePort();
  const operator = startProgram('python3', ['-B', 'serve.py', `${port}`, 'books.sqlite'], {
    cwd: join(folder, 'inlay-operator-python'),
    env: { ...bare(folder), WEBHOOK_SECRET: 'whsec_test' },
  });
  await operator.prints(/^listening on/m);
  const balance = await fetch(`http://127.0.0.1:${port}/balances/nobody`);
  expect(await balance.json()).toEqual({ available: '10000.00', held: '0.00' });
  operator.child.kill();
  await operator.ended;
});
