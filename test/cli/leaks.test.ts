/** What goes wrong is told without a secret, an argument list or a stack, for people and under --json. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { inlay } from '../support/process.ts';

// programs of their own take their time on a busy machine
vi.setConfig({ testTimeout: 120_000 });

const KEY = 'pk_test_that_nobody_may_ever_see';
const PASSWORD = 'hunter2-of-the-database';
const SECRET = 'whsec_of_an_endpoint';
const ANSWERS: Readonly<Record<string, string>> = { page: '<html>502</html>', shape: '{"x":1}', nothing: 'null' };

let stranger: Server;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-leaks-'));
  stranger = createServer((request, response) => {
    const [, kind = ''] = (request.url ?? '').split('/');
    if (kind === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"orders":[');
      setTimeout(() => response.destroy(), 20);
      return;
    }
    response.writeHead(kind === 'page' ? 502 : 200, { 'content-type': 'application/json' }).end(ANSWERS[kind]);
  });
  stranger.listen(0, '127.0.0.1');
  await once(stranger, 'listening');
});
afterAll(() => {
  stranger.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (kind: string) => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/${kind}`;
const database = { DATABASE_URL: `postgres://someone:${PASSWORD}@127.0.0.1:1/x` };

interface Case {
  readonly what: string;
  argv(): string[];
  readonly env?: Record<string, string>;
}
const CASES: readonly Case[] = [
  { what: 'a page of somebody else', argv: () => ['orders', 'list', '--api-url', at('page'), '--api-key', KEY] },
  { what: 'an answer of another shape', argv: () => ['orders', 'list', '--api-url', at('shape'), '--api-key', KEY] },
  { what: 'an answer that is nothing', argv: () => ['events', 'list', '--api-url', at('nothing'), '--api-key', KEY] },
  { what: 'an answer that breaks off', argv: () => ['positions', 'list', '--api-url', at('cut'), '--api-key', KEY] },
  { what: 'nobody there', argv: () => ['orders', 'list', '--api-url', 'http://127.0.0.1:1', '--api-key', KEY] },
  { what: 'a flag that is none', argv: () => ['orders', 'list', '--api-key', KEY, '--nosuch', SECRET] },
  { what: 'arguments that are missing', argv: () => ['quote', '--api-key', KEY] },
  { what: 'a signature that is none', argv: () => ['webhooks', 'verify', '--secret', SECRET, '--signature', 'x'] },
  { what: 'a database that is away', argv: () => ['operators', 'list'], env: database },
];

test.each(CASES)('$what', async ({ argv, env = {} }) => {
  for (const json of [[], ['--json']]) {
    const ran = await inlay([...argv(), ...json], { env: { ...env, XDG_CONFIG_HOME: folder, INLAY_DATA_DIR: folder } });
    expect(ran.code).toBeGreaterThan(0);
    const printed = `${ran.stdout}\n${ran.stderr}`;
    for (const secret of [KEY, PASSWORD, SECRET]) {
      expect(printed).not.toContain(secret);
    }
    expect(printed).not.toMatch(/^\s+at /m);
    expect(printed).not.toContain('node:internal');
    expect(printed).not.toContain(projectRoot);
    expect(printed).not.toMatch(/argv|UnparsedCommand/);
    if (json.length > 0) {
      expect(JSON.parse(ran.stdout)).toBeTypeOf('object');
    }
  }
});
