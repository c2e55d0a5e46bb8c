/** A fail-over under load: the primary is killed, its standby promoted, and the same processes trade on. Nothing acknowledged is lost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { describeLoss, inspectDatabase, inspectReplication } from '../../src/db/inspect.ts';
import { issueKey } from '../../src/operators/keys.ts';
import { createOperator } from '../../src/operators/operators.ts';
import { askService, pickContract } from '../support/partner.ts';
import { isAlive, type Program, startInlay } from '../support/process.ts';
import { type ReplicatedPair, startReplicatedPair } from '../support/replicated-pair.ts';
import { timePasses, until } from '../support/until.ts';

const CLIENTS = 6;
const BEFORE_MS = 1_000;
const AFTER_MS = 1_000;
const DOWN_MS = 1_000;
const PAUSE_MS = 25;
const WITHIN_MS = 40_000;

interface Acknowledged {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly at: number;
}

let pair: ReplicatedPair;
let api: Program;
let worker: Program;
let url = '';
let key = '';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlay-fail-over-'));
  pair = await startReplicatedPair(async (address) => {
    const sql = connect(address, { max: 1, applicationName: 'inlay-test' });
    const operator = await createOperator(sql, { slug: 'steady', mode: 'sandbox', rateCeiling: 100_000 });
    key = (await issueKey(sql, operator, { rateLimit: 6000 })).apiKey;
    await sql.end();
  });
  const env = {
    DATABASE_URL: pair.url,
    DATABASE_OWNER_URL: pair.ownerUrl,
    INLAY_DATA_DIR: folder,
    INLAY_SECRET: 'a secret that only tests know',
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  api = startInlay(['serve', '--json'], { env });
  worker = startInlay(['worker'], { env });
  await Promise.all([api.prints(/"url"/), worker.prints(/Working for paper/)]);
  ({ url } = JSON.parse(api.output().stdout) as { url: string });
}, 90_000);

afterAll(async () => {
  api?.child.kill('SIGINT');
  worker?.child.kill('SIGINT');
  await Promise.all([api?.ended, worker?.ended]);
  await pair?.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (method: string, path: string, user?: string, body?: object) =>
  askService(url, key, method, path, user, body);

test('the primary is killed and its standby promoted under load: no process restarts, orders go on, no acknowledged order is lost', async () => {
  const marketId = await until(
    () => pickContract(url, key),
    (id) => id !== '',
    WITHIN_MS,
  );
  const watcher = connect(pair.ownerUrl, { max: 1, applicationName: 'inlay-test' });
  const facts = await inspectDatabase(watcher);
  const [loss, standbys] = describeLoss(await inspectReplication(watcher), { ...facts, single: false });
  await watcher.end({ timeout: 1 });
  expect(loss).toMatchObject({
    ok: true,
    detail: expect.stringContaining('no acknowledged commit is lost: standby has'),
  });
  expect(loss?.detail).toContain('timeline 1; a crash empties');
  expect(standbys?.detail).toMatch(/^standbys standby \(sync, \d+ bytes behind/);

  const acknowledged: Acknowledged[] = [];
  const refusals = new Map<string, number>();
  let running = true;
  let number = 0;

  const trade = async (client: number) => {
    const user = `customer-${client}`;
    while (running) {
      await timePasses(PAUSE_MS);
      number += 1;
      const clientOrderId = `order-${number}`;
      const quote = await ask('POST', '/api/v1/quotes', user, { marketId, side: 'YES', action: 'buy', stake: 1 });
      if (quote.status !== 200) {
        note(quote);
        continue;
      }
      // a customer's integration repeats an order until it is answered, under the same key
      for (;;) {
        const { status, body } = await ask('POST', '/api/v1/orders', user, {
          quoteId: quote.body.quoteId,
          clientOrderId,
        });
        if (status === 201 || status === 200) {
          acknowledged.push({ orderId: body.orderId ?? '', clientOrderId, at: performance.now() });
          break;
        }
        note({ status, body });
        await timePasses(PAUSE_MS);
        if (status !== 503) {
          break;
        }
      }
    }
  };
  const note = ({ status, body }: { status: number; body: { error?: string } }) => {
    const name = `${status} ${body.error}`;
    refusals.set(name, (refusals.get(name) ?? 0) + 1);
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) => trade(client));
  await timePasses(BEFORE_MS);
  await until(() => expect(acknowledged.length).toBeGreaterThan(20), WITHIN_MS);
  const killedAt = performance.now();
  await pair.killPrimary();
  await timePasses(DOWN_MS);
  await pair.promoteStandby();
  const promotedAt = performance.now();
  await until(
    () => acknowledged.at(-1)?.at ?? 0,
    (at) => at > promotedAt,
    WITHIN_MS,
  );
  const backAt = acknowledged.find(({ at }) => at > promotedAt)?.at ?? 0;
  await timePasses(AFTER_MS);
  const since = (moment: number) => acknowledged.filter(({ at }) => at > moment).length;
  await until(() => expect(since(promotedAt)).toBeGreaterThan(20), WITHIN_MS);
  running = false;
  await Promise.all(clients);
  const before = acknowledged.filter(({ at }) => at < killedAt).length;
  process.stderr.write(
    `${before} orders before, ${since(promotedAt)} after; back ${Math.round(backAt - promotedAt)} ms after the promotion; ${JSON.stringify([...refusals])}\n`,
  );
  expect([...refusals.keys()].filter((name) => !/^503 |price_stale|price_moved|quote_expired/.test(name))).toEqual([]);
  expect([api, worker].map(({ child }) => isAlive(child.pid ?? 0))).toEqual([true, true]);

  const sql = connect(pair.ownerUrl, { max: 1, applicationName: 'inlay-test' });
  const kept = await sql<{ orderId: string; clientOrderId: string }[]>`select order_id, client_order_id from orders`;
  const byKey = new Map(kept.map((row) => [row.clientOrderId, row.orderId]));
  expect(byKey.size).toBe(kept.length);
  expect(acknowledged.filter(({ clientOrderId, orderId }) => byKey.get(clientOrderId) !== orderId)).toEqual([]);
  const [feed] = await sql<{ items: bigint; last: bigint }[]>`
    select sum(items) as items, max(sequence + items - 1) as last from journal`;
  expect(feed?.items).toBe(feed?.last);
  await sql.end();
  const report = await ask('GET', '/api/v1/reconciliation');
  expect([report.status, report.body.ok]).toEqual([200, true]);
}, 120_000);
