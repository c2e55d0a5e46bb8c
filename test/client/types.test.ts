/** The committed types of the client are those that the OpenAPI document of this source generates, and the compiler takes them as a partner's does. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { generateTypes } from '../../tools/client-types/generate-types.ts';
import { readDocuments } from '../../tools/client-types/read-document.ts';
import { writeClientPackage } from '../support/client-package.ts';
import { openWorld, type World } from '../support/world.ts';

// compilers take their time on a busy machine
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const run = promisify(execFile);
const committed = readFileSync(join(projectRoot, 'src/client/api-types.ts'), 'utf8');

let service: World;
beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

test('the committed types are what the served document generates', { tags: 'proof' }, async () => {
  const { body } = await service.request('GET', '/openapi.json', { key: null });
  expect(await generateTypes(body), 'run "npm run client"').toBe(committed);
  // the one that `npm run client` reads, without a service
  expect(JSON.parse(JSON.stringify((await readDocuments()).partners))).toEqual(body);
});

const PARTNER = `
import { ApiError, createClient, type ErrorCode, isErrorCode, type Order, type WebhookEvent, followFeed, verifyWebhook } from 'inlay/client';

const client = createClient({ baseUrl: process.argv[2] ?? '', apiKey: process.argv[3] ?? '' });
const { data } = await client.get('/api/v1/categories');
const count: number = data.length;
const page = await client.get('/api/v1/orders', { query: { limit: 1 } });
const orders: readonly Order[] = page.orders;
const state = await followFeed(client, { from: { cursor: null, sequence: 0 }, apply: (facts) => void facts.length });
const told = (event: WebhookEvent) => (event.type === 'position.settled' ? event.data.settlementId : event.dedupeKey);
const none = await client.get('/api/v1/orders/{id}', { path: { id: 'x' } }).catch((error: unknown) => error);
const code = none instanceof ApiError ? none.code : 'none';
const known: ErrorCode | null = isErrorCode(code) ? code : null;
if (known === 'quote_expired') throw none;
// @ts-expect-error a code that is misspelt
if (known === 'quote_expird') throw none;
console.log(JSON.stringify([count, orders.length, state.sequence, code, typeof verifyWebhook, typeof told]));
`;

test('a partner imports the built package: types under their own compiler, then the calls', {
  tags: 'proof',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-partner-'));
  try {
    // only what is published, and nothing of ours beside it to lean on
    await writeClientPackage(join(folder, 'node_modules', 'inlay'));
    mkdirSync(join(folder, 'node_modules', '@types'));
    symlinkSync(join(projectRoot, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
    symlinkSync(join(projectRoot, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'partner.ts'), PARTNER);
    const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node', '--preserveSymlinks'];
    for (const compiler of ['node_modules/typescript/bin/tsc', 'tools/client-types/node_modules/typescript/bin/tsc']) {
      const compiled = await run(process.execPath, [join(projectRoot, compiler), ...flags, 'partner.ts'], {
        cwd: folder,
      }).catch((error: { stdout?: string }) => error);
      expect(compiled.stdout, compiler).toBe('');
    }
    const argv = [join(folder, 'partner.js'), service.url, service.key];
    const { stdout } = await run(process.execPath, argv, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([0, 0, 0, 'unknown_order', 'function', 'function']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
