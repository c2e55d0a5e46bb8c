/** Two cells behind a real HAProxy: a request reaches the cell that its key, its embed token or its frame names. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderBalancerFiles } from '../../src/operations/cells/balancer-files.ts';
import { newApiKey } from '../../src/operators/api-key.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { type Haproxy, hasHaproxy, startHaproxy } from '../support/haproxy.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTwoCells, type TwoCells } from '../support/two-cells.ts';

let cells: TwoCells;
let inlay: RunCommand;
let proxy: Haproxy | undefined;
let eastern: Operator;
let western: Operator;

beforeAll(async () => {
  cells = await startTwoCells();
  eastern = await cells.east.service.createOperator({ slug: 'eastern', frameOrigins: ['https://eastern.example'] });
  western = await cells.west.service.createOperator({ slug: 'western', frameOrigins: ['https://western.example'] });
  inlay = await commandRunner({ INLAY_CELLS_FILE: cells.cellsFile, NO_COLOR: '1', LOG_LEVEL: 'silent' });
  if (hasHaproxy) {
    proxy = await startHaproxy();
  }
});
afterAll(async () => {
  delete process.env['INLAY_CELLS_FILE'];
  await proxy?.close();
  await cells.close();
});

const issue = async (cell: string, slug: string): Promise<string> =>
  (await inlay('keys', 'issue', '--operator', slug, '--cell', cell, '--json')).json.apiKey;

async function loadMap(): Promise<void> {
  const folder = join(cells.folder, 'haproxy');
  const { exitCode } = await inlay('cells', 'map', '--out', folder, '--bind', proxy?.bind ?? '*:8080');
  expect(exitCode).toBe(0);
  await proxy?.load(readFileSync(join(folder, 'inlay-cells.cfg'), 'utf8'));
}

const whoami = (url: string, key: string) =>
  fetch(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${key}` } });

test('cells list says what each cell holds, and that one does not answer', async () => {
  const { json } = await inlay('cells', 'list', '--json');
  expect(json.cells).toMatchObject([
    { name: 'east', reachable: true, operators: 3 },
    { name: 'west', reachable: true, operators: 3 },
  ]);
  const broken = join(cells.folder, 'broken.json');
  writeFileSync(join(cells.folder, 'gone.url'), 'postgres://nobody@127.0.0.1:1/nothing');
  process.env['INLAY_CELLS_FILE'] = broken;
  try {
    await inlay('cells', 'add', 'gone', '--server', '127.0.0.1:1', '--database-url-file', 'gone.url', '--json');
    expect((await inlay('cells', 'list', '--json')).json.cells).toMatchObject([{ name: 'gone', reachable: false }]);
    const map = await inlay('cells', 'map', '--json');
    expect([map.exitCode, map.json.error]).toEqual([1, 'cell_unreachable']);
  } finally {
    process.env['INLAY_CELLS_FILE'] = cells.cellsFile;
  }
});

test('cells add refuses a malformed name, a server without a port and a file that is not there', async () => {
  const add = async (name: string, server: string, file: string) =>
    (await inlay('cells', 'add', name, '--server', server, '--database-url-file', file, '--json')).exitCode;
  expect(await add('East', 'h:1', 'east.url')).toBe(2);
  expect(await add('north', 'h', 'east.url')).toBe(2);
  expect(await add('north', 'h:1', 'no-such.url')).toBe(2);
  expect((await inlay('cells', 'list', '--json')).json.count).toBe(2);
});

test('operators list shows the operators of all cells, and those of one with --cell', async () => {
  const { json } = await inlay('operators', 'list', '--json');
  const places = json.operators.map(({ slug, cell }: { slug: string; cell: string }) => [slug, cell]);
  expect(places).toContainEqual(['eastern', 'east']);
  expect(places).toContainEqual(['western', 'west']);
  expect((await inlay('operators', 'list', '--cell', 'west', '--json')).json.operators).not.toContainEqual(
    expect.objectContaining({ slug: 'eastern' }),
  );
  expect((await inlay('operators', 'list', '--cell', 'north', '--json')).exitCode).toBe(2);
});

test('a key of one cell is an unknown key in the other', async () => {
  const key = await issue('east', 'eastern');
  expect(key).toMatch(/^pk_test_east_/);
  expect((await whoami(cells.east.service.url, key)).status).toBe(200);
  const refused = await whoami(cells.west.service.url, key);
  expect([refused.status, await refused.json()]).toMatchObject([401, { error: 'invalid_key' }]);
});

test('the map names every cell, and each key that a cell holds under the name of another', () => {
  const files = renderBalancerFiles(
    [
      {
        name: 'a',
        servers: ['h:1'],
        operators: [
          { operatorId: 'op_1', slug: 'one', mode: 'sandbox', keyPrefixes: ['pk_test_a_11111111', 'pk_test_old00000'] },
        ],
      },
      {
        name: 'b',
        servers: ['h:2'],
        operators: [
          {
            operatorId: 'op_2',
            slug: 'two',
            mode: 'live',
            keyPrefixes: ['sk_live_a_22222222', 'sk_live_old00000', 'sk_live_b_33333333'],
          },
        ],
      },
    ],
    '/etc/haproxy/inlay',
    '*:443',
  );
  const lines = files['inlay-credentials.map'].trim().split('\n');
  expect(lines.map((line) => line.replace(/ies1\.a-[0-9a-f]{8}-/, 'ies1.a-TAG-'))).toEqual([
    'pk_test_a_ inlay_a',
    'sk_live_a_ inlay_a',
    'ies1.a- inlay_a',
    'pk_test_b_ inlay_b',
    'sk_live_b_ inlay_b',
    'ies1.b- inlay_b',
    'sk_live_a_22222222 inlay_b',
    'sk_live_old00000 inlay_b',
    'ies1.a-TAG- inlay_b',
  ]);
  expect(files['inlay-operators.map']).toBe('one inlay_a\ntwo inlay_b\n');
});

describe.skipIf(!hasHaproxy)('behind HAProxy', () => {
  test('keys, embed tokens and frames reach their own cell; what names none reaches the first', async () => {
    await loadMap();
    const url = proxy?.url ?? '';
    const keys = { east: await issue('east', 'eastern'), west: await issue('west', 'western') };
    const owners = { east: eastern, west: western };
    for (const cell of ['east', 'west'] as const) {
      const named = await whoami(url, keys[cell]);
      expect(await named.json()).toMatchObject({ operatorId: owners[cell].operatorId });
      const minted = await fetch(`${url}/api/v1/embed-sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[cell]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ externalUserId: 'player' }),
      });
      const { token } = (await minted.json()) as { token: string };
      const session = await fetch(`${url}/api/embed/session`, { headers: { authorization: `Embed ${token}` } });
      expect(await session.json()).toMatchObject({ operatorId: owners[cell].operatorId });
      const frame = await fetch(`${url}/embed/predictions?operator=${owners[cell].slug}`);
      expect(frame.headers.get('content-security-policy')).toContain(`https://${owners[cell].slug}.example`);
    }
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
    expect((await whoami(url, newApiKey('sandbox', 'north'))).status).toBe(401);
  });
});
