/** `ledger months list|begin`: facts go into the running month once a person began it, and both parts are listed. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seedMarket } from '../support/market.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/service.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let service: TestService;
let inlay: RunCommand;
let contractId: string;
beforeAll(async () => {
  service = await startTestService();
  contractId = (await seedMarket(service.sql, 'months')).contractId;
  await service.context.board.refresh();
  inlay = await commandRunner({
    DATABASE_URL: service.database.url,
    DATABASE_OWNER_URL: service.database.ownerUrl,
    INLAY_DATA_DIR: service.context.environment.dataDir,
    INLAY_SECRET: 'a secret that only tests know',
    NO_COLOR: '1',
  });
});
afterAll(() => service?.close());

const begin = () => inlay('ledger/months', 'begin', '--yes', '--as', 'ada', '--json');
const list = async () => (await inlay('ledger/months', 'list', '--json')).json.months;

async function buy(clientOrderId: string): Promise<void> {
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user: 'ana',
    body: { marketId: contractId, side: 'YES', action: 'buy', stake: 10 },
  });
  const order = { quoteId: quoted.body.quoteId, clientOrderId };
  expect((await service.request('POST', '/api/v1/orders', { user: 'ana', body: order })).status).toBe(201);
}

test('a month begins when the tables are free, once, and takes what is recorded from then on', async () => {
  await buy('before');
  expect(await list()).toMatchObject([{ month: null }]);

  const holder = new pg.Client({ connectionString: service.database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select count(*) from feed_items');
  expect(await begin()).toMatchObject({ exitCode: 1, json: { error: 'tables_in_use' } });
  await holder.end();

  expect((await begin()).json).toEqual({ begun: true });
  expect((await begin()).json).toEqual({ begun: false });
  const [before, month] = await list();
  expect(before).toMatchObject({ month: null });
  expect(month.month).toBe(new Date().toISOString().slice(0, 7));

  await buy('after');
  const [later, grown] = await list();
  expect(later).toEqual(before);
  expect(grown.feedBytes).toBeGreaterThan(month.feedBytes);
  expect(grown.ledgerBytes).toBeGreaterThan(month.ledgerBytes);
  const { body } = await service.request('GET', '/api/v1/reconciliation/feed');
  expect(body.items.map((item: { sequence: number }) => item.sequence)).toEqual(
    body.items.map((_: unknown, at: number) => at + 1),
  );
});
