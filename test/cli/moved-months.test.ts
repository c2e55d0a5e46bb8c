/** `ledger months move`: killed again and again while people trade, it loses nothing, and the next run goes on. */
import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { seedMarket } from '../support/market.ts';
import { startInlay } from '../support/process.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createTablespace, type TestTablespace } from '../support/tablespace.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let service: TestService;
let inlay: RunCommand;
let owner: pg.Client;
let contractId: string;
let cold: TestTablespace;
let environment: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  contractId = (await seedMarket(service.sql, 'moved')).contractId;
  await service.context.board.refresh();
  cold = await createTablespace(service.database.ownerUrl);
  environment = {
    DATABASE_URL: service.database.url,
    DATABASE_OWNER_URL: service.database.ownerUrl,
    INLAY_DATA_DIR: service.context.environment.dataDir,
    INLAY_SECRET: 'a secret that only tests know',
    NO_COLOR: '1',
  };
  inlay = await commandRunner(environment);
  owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await service?.close();
  await cold.remove();
});

const move = (...flags: string[]) =>
  inlay('ledger/months', 'move', '--to', cold.name, '--yes', '--as', 'ada', ...flags);
const places = async () => (await inlay('ledger/months', 'list', '--json')).json.months;

let orders = 0;
async function buy(): Promise<void> {
  orders += 1;
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const order = { quoteId: quoted.body.quoteId, clientOrderId: `order-${orders}` };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).status).toBe(201);
}

/** Seals what is there, and begins a month of the past. */
async function endMonth(month: number): Promise<void> {
  const { context } = service;
  await service.sql`select * from seal_ledger(1000)`;
  await sealFeeds(service.sql, loadLogSigner(context.environment, context.secrets));
  await owner.query('select open_fact_month($1)', [month]);
}

const feed = async () => (await service.request('GET', '/api/v1/reconciliation/feed?limit=500')).body.items;

test('without months or with another name nothing is moved', async () => {
  await buy();
  expect((await move('--json')).json).toEqual({ moved: [], waiting: [], events: 0 });
  const unknown = await inlay('ledger/months', 'move', '--to', 'nowhere', '--yes', '--json');
  expect(unknown).toMatchObject({ exitCode: 1, json: { error: 'unknown_tablespace' } });
});

test('killed at any moment, while people trade, the run is repeated until all is moved, and no fact is lost', async () => {
  for (const month of [2023 * 12 + 1, 2023 * 12 + 2, 2023 * 12 + 3]) {
    await endMonth(month);
    await buy();
    await buy();
  }
  const before = await feed();
  let trading = true;
  const trades = (async () => {
    while (trading) {
      await buy();
      await sleep(20);
    }
  })();
  const args = ['ledger', 'months', 'move', '--to', cold.name, '--keep-months', '1', '--yes', '--json'];
  let killed = 0;
  for (let delay = 150; ; delay += 40) {
    const { child, ended } = startInlay(args, { env: environment });
    const timer = setTimeout(() => child.kill('SIGKILL'), delay);
    const { code, stdout } = await ended;
    clearTimeout(timer);
    if (code === 0) {
      expect(JSON.parse(stdout).waiting).toEqual([]);
      break;
    }
    killed += 1;
    expect((await feed()).slice(0, before.length)).toEqual(before);
  }
  trading = false;
  await trades;
  expect(killed).toBeGreaterThan(3);
  expect((await places()).map(({ tablespaces }: { tablespaces: string[] }) => tablespaces)).toEqual([
    [cold.name],
    [cold.name],
    ['pg_default'],
    ['pg_default'],
  ]);
  const items = await feed();
  expect(items.slice(0, before.length)).toEqual(before);
  const { rows } = await owner.query(`select count(*)::int as count from orders`);
  expect(rows[0].count).toBe(orders);
  expect((await service.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true });
  expect((await owner.query(`select 1 from pg_namespace where nspname = 'moving_facts'`)).rows).toEqual([]);
});

test('doctor reads the months that were moved, and says so when their disk is gone', async () => {
  const oldFacts = async () => {
    const { stdout } = await startInlay(['doctor', '--json'], { env: environment }).ended;
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'old facts');
  };
  expect(await oldFacts()).toMatchObject({ ok: true, detail: `readable in ${cold.name}` });
  await owner.query('checkpoint');
  renameSync(cold.folder, `${cold.folder}-gone`);
  try {
    expect(await oldFacts()).toMatchObject({ ok: false, detail: expect.stringContaining(cold.name) });
    await buy();
  } finally {
    renameSync(`${cold.folder}-gone`, cold.folder);
  }
});
