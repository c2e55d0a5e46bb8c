/** What is answered for again was replicated: with a synchronous standby that does not answer, a replay is 503 and no 200. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnServer, startOwnServer } from '../support/own-server.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let server: OwnServer;
let service: World;
let owner: pg.Client;
const probes: pg.Client[] = [];

beforeAll(async () => {
  server = await startOwnServer();
  owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  // tests turn it off for speed
  await owner.query('alter database inlay set synchronous_commit = on');
  service = await openWorld({ database: server });
}, 60_000);

afterAll(async () => {
  await awaitStandby('');
  await Promise.all(probes.map((probe) => probe.end()));
  await service.close();
  await owner.end();
  await server.close();
});

async function awaitStandby(name: string): Promise<void> {
  await owner.query(`alter system set synchronous_standby_names = '${name}'`);
  await owner.query('select pg_reload_conf()');
  await until(
    async () =>
      (await owner.query<{ now: string }>(`select current_setting('synchronous_standby_names') as now`)).rows[0],
    (row) => row?.now === name,
  );
  if (name !== '') {
    await untilCommitsWait();
  }
}

/** The checkpointer puts the setting into force a moment after it can be read: commits are tried until one waits. */
async function untilCommitsWait(): Promise<void> {
  const probe = new pg.Client({ connectionString: server.ownerUrl });
  await probe.connect();
  let ended = true;
  await until(
    async () => {
      if (ended) {
        ended = false;
        probe
          .query('create temporary table if not exists probe (n integer); drop table probe')
          .then(() => {
            ended = true;
          })
          .catch(() => {});
      }
      const { rows } = await owner.query("select 1 from pg_stat_activity where wait_event = 'SyncRep'");
      return rows.length;
    },
    (waiting) => waiting > 0,
  );
  probes.push(probe);
}

test('the replay of an order and of a cancellation waits for synchronous replication', async () => {
  const market = await service.openMarket('replicated');
  const user = 'ana';
  const quote = async () =>
    (
      await service.request('POST', '/api/v1/quotes', {
        user,
        body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
      })
    ).body.quoteId as string;
  const place = (quoteId: string, clientOrderId: string, extra: object = {}) =>
    service.request('POST', '/api/v1/orders', { user, body: { quoteId, clientOrderId, ...extra } });
  const filled = { quoteId: await quote(), key: 'filled' };
  expect((await place(filled.quoteId, filled.key)).status).toBe(201);
  const intent = await place(await quote(), 'intent', { executionIntent: 'record_intent' });
  expect(intent.status).toBe(201);
  const path = `/api/v1/orders/${intent.body.orderId}/cancel`;
  expect((await service.request('POST', path)).status).toBe(200);

  await awaitStandby('nobody');
  const replays = () => Promise.all([place(filled.quoteId, filled.key), service.request('POST', path)]);
  expect((await replays()).map(({ status, body }) => [status, body.error])).toEqual([
    [503, 'service_unavailable'],
    [503, 'service_unavailable'],
  ]);
  // reads that acknowledge nothing go on
  const read = await service.request('GET', `/api/v1/orders/${intent.body.orderId}`);
  expect([read.status, read.text]).toEqual([200, expect.anything()]);

  await awaitStandby('');
  const [order, cancelled] = await replays();
  expect([order.status, order.body.idempotentReplay]).toEqual([200, true]);
  expect([cancelled.status, cancelled.body.idempotentReplay]).toEqual([200, true]);
}, 90_000);
