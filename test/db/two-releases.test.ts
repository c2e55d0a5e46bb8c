/**
 * A roll-out: this release trades, a later one migrates the database under it, and both then serve orders of the same customers. The
 * later one adds a column and changes a function (expand first, contract a release later: docs/high-availability.md). A process of
 * this release that starts again meanwhile leaves the functions of the later one alone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { issueKey } from '../../src/operators/keys.ts';
import { createOperator } from '../../src/operators/operators.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readUndelivered } from '../support/events.ts';
import { askService, pickContract } from '../support/partner.ts';
import { isAlive } from '../support/process.ts';
import { openLaterRelease, type ReleaseProcess, startCurrent } from '../support/releases.ts';
import { timePasses, until } from '../support/until.ts';

const CUSTOMERS = 4;
const PAUSE_MS = 20;
const ENOUGH = 20;
const WITHIN_MS = 90_000;

const later = openLaterRelease('alter table orders add column note text;', 'trading/place_orders.sql');

describe('two releases', () => {
  let database: TestDatabase;
  let sql: Sql;
  let folder = '';
  let key = '';
  const started: ReleaseProcess[] = [];
  const environment = () => ({
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    INLAY_DATA_DIR: folder,
    INLAY_SECRET: 'a secret that only tests know',
    PORT: '0',
    LOG_LEVEL: 'error',
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'inlay-releases-'));
    database = await createTestDatabase();
    sql = connect(database.url, { max: 2, applicationName: 'inlay-test' });
  }, 90_000);

  afterAll(async () => {
    await Promise.all(started.map((one) => one.close()));
    await sql?.end({ timeout: 1 });
    await database?.close();
    later.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('this release and a later one trade side by side on the schema of the later one', async () => {
    const start = async (starting: Promise<ReleaseProcess>) => {
      const one = await starting;
      started.push(one);
      return one;
    };
    const former = await start(startCurrent('api', environment()));
    const formerWorker = await start(startCurrent('worker', environment()));
    const operator = await createOperator(sql, { slug: 'rolled', mode: 'sandbox', rateCeiling: 100_000 });
    await expectEvents(operator.operatorId);
    key = (await issueKey(sql, operator, { rateLimit: 6000 })).apiKey;
    const urls = [former.url];
    const marketId = await until(
      () => pickContract(former.url, key),
      (id) => id !== '',
      WITHIN_MS,
    );

    /** How many orders each address has acknowledged since it was last emptied. */
    const served = new Map<string, number>();
    const strange: string[] = [];
    let running = true;
    const customers = Array.from({ length: CUSTOMERS }, async (_, customer) => {
      for (let number = 0; running; number += 1) {
        await timePasses(PAUSE_MS);
        // as behind a load balancer: the quote of one release is spent at the other, and its order is read and repeated there
        const [first, second] = [urls[number % urls.length] ?? '', urls[(number + 1) % urls.length] ?? ''];
        const user = `customer-${customer}`;
        const wanted = { marketId, side: 'YES', action: 'buy', stake: 2 };
        const quote = await ask(first, 'POST', '/api/v1/quotes', user, wanted);
        const order = { quoteId: quote.body.quoteId, clientOrderId: `${customer}-${number}` };
        const answers =
          quote.status === 200 ? [quote, await ask(second, 'POST', '/api/v1/orders', user, order)] : [quote];
        const placed = answers[1];
        if (placed?.status === 201) {
          served.set(second, (served.get(second) ?? 0) + 1);
          answers.push(await ask(first, 'POST', '/api/v1/orders', user, order));
          answers.push(await ask(first, 'GET', `/api/v1/orders/${placed.body.orderId}`, user));
        }
        strange.push(
          ...answers
            .filter(({ status, body }) => status >= 300 && !/price_|quote_expired/.test(body.error ?? ''))
            .map(({ status, body }) => `${status} ${JSON.stringify(body).slice(0, 200)}`),
        );
      }
    });
    const enough = (address: string) =>
      until(
        () => served.get(address) ?? 0,
        (count) => count >= ENOUGH || strange.length > 0,
        WITHIN_MS,
      );
    try {
      await enough(former.url);
      expect(strange).toEqual([]);
      later.migrate(database.ownerUrl);
      expect(await migrate(database.ownerUrl)).toEqual({ applied: [], functions: false, spread: [] });
      expect(await sql`select name from schema_migrations order by run_on`).toEqual([
        { name: 'schema' },
        { name: '9001_later' },
      ]);
      served.clear();
      await enough(former.url);
      expect(strange).toEqual([]);
      const current = await start(later.startApi(environment()));
      await start(later.startWorker(environment()));
      urls.push(current.url);
      served.clear();
      await enough(former.url);
      await enough(current.url);
      await formerWorker.close();
      served.clear();
      await enough(former.url);
    } finally {
      running = false;
      await Promise.all(customers);
    }
    expect(strange).toEqual([]);
    expect(isAlive(former.process.pid ?? 0)).toBe(true);
    const report = await ask(urls.at(-1) ?? '', 'GET', '/api/v1/reconciliation');
    expect([report.status, report.body.ok]).toEqual([200, true]);
    await until(
      () => readUndelivered(sql),
      (undelivered) => undelivered.every(({ status }) => status !== null),
      WITHIN_MS,
    );
    const [raised] = await sql<{ events: number; twice: number }[]>`
      select count(distinct event_id)::int as events, (count(*) - count(distinct event_id))::int as twice from webhook_deliveries`;
    expect(raised).toEqual({ events: expect.any(Number), twice: 0 });
    expect(raised?.events).toBeGreaterThan(4 * ENOUGH);
  }, 500_000);

  /** An endpoint for all events, at an address that answers nothing: what counts here is that a delivery is queued. */
  async function expectEvents(operatorId: string): Promise<void> {
    const box = createSecretBox({ current: 'a secret that only tests know', previous: [] });
    const admin = { sql, box, policy: { allowLoopback: true } };
    await addEndpoint(admin, operatorId, 'http://127.0.0.1:9/nobody', []);
  }

  const ask = (url: string, method: string, path: string, user?: string, body?: object) =>
    askService(url, key, method, path, user, body);
});
