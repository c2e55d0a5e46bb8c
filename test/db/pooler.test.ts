/** The service behind pgbouncer in transaction mode: what needs a session uses the direct address, and the rest shares few sessions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/core/environment.ts';
import { startWorker } from '../../src/jobs/run.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { seedMarket, setBook, type TestMarket } from '../support/market.ts';
import { hasPgbouncer, type Pooler, startPgbouncer } from '../support/pgbouncer.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const SERVER_CONNECTIONS = 3;
const ORDERS = 60;

test('a direct address belongs to an address of the database, and is the default of the owner', () => {
  expect(() => readEnvironment({ DATABASE_DIRECT_URL: 'postgres://a/b' })).toThrow(
    'DATABASE_DIRECT_URL: set DATABASE_URL too',
  );
  const both = readEnvironment({ DATABASE_URL: 'postgres://pooler/b', DATABASE_DIRECT_URL: 'postgres://a,b/b' });
  expect([both.databaseUrl, both.databaseDirectUrl]).toEqual(['postgres://pooler/b', 'postgres://a,b/b']);
});

describe.skipIf(!hasPgbouncer)('behind pgbouncer', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  let service: World;
  let worker: { close(): Promise<void> };
  let market: TestMarket;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgbouncer(database.url, SERVER_CONNECTIONS);
    // Debian's pgbouncer (1.18) does not keep prepared statements
    const pooled = `${pooler.url}?prepare=false`;
    service = await openWorld({
      database: { ...database, url: pooled },
      environment: { DATABASE_URL: pooled, DATABASE_DIRECT_URL: database.url, INLAY_VENUES: '' },
    });
    worker = await startWorker(service.context.environment, pooled);
    market = await seedMarket(database.sql, 'pooled');
    await service.context.board.refresh();
  }, 60_000);

  afterAll(async () => {
    await worker?.close();
    await service?.close();
    await pooler?.close();
    await database?.close();
  });

  test('orders trade over three shared sessions; pages, COPY, LISTEN and jobs have sessions of their own', async () => {
    const place = async (number: number) => {
      const user = `customer-${number}`;
      const quote = await service.request('POST', '/api/v1/quotes', {
        user,
        body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 5 },
      });
      return service.request('POST', '/api/v1/orders', {
        user,
        body: { quoteId: quote.body.quoteId, clientOrderId: `pooled-${number}` },
      });
    };
    const placed = await Promise.all(Array.from({ length: ORDERS }, (_, number) => place(number)));
    expect(new Set(placed.map(({ status }) => status))).toEqual(new Set([201]));

    const page = await service.request('GET', '/api/v1/orders?limit=200');
    expect(page.body.orders).toHaveLength(ORDERS);
    const copied = await service.request('GET', '/api/v1/reconciliation/export?kind=orders&format=jsonl');
    expect(copied.text.trim().split('\n')).toHaveLength(ORDERS);

    await setBook(database.sql, market, { bids: [['0.30', '10']], asks: [['0.33', '10']] });
    await until(
      () => service.request('GET', `/api/v1/events/${market.eventId}`),
      ({ body }) => body.data.outcomes[0].executableYesCents === 33,
    );
    await until(
      () => database.sql<{ left: bigint }[]>`select count(*) as left from waiting_events()`,
      ([row]) => row?.left === 0n,
    );
    const sessions = await database.sql<{ name: string; count: bigint }[]>`
      select application_name as name, count(*) as count from pg_stat_activity
      where datname = current_database() and application_name in ('inlay-api', 'inlay-worker') group by 1`;
    const shared = sessions.reduce((sum, { count }) => sum + Number(count), 0);
    expect(shared).toBeGreaterThan(0);
    expect(shared).toBeLessThanOrEqual(SERVER_CONNECTIONS);
  }, 60_000);
});
