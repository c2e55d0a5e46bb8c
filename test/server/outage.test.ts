/** PostgreSQL going away answers 503 and comes back without a restart; killed backends leave no dead pool. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSessions } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const LIMITS = '/api/v1/users/alice/limits';
const WITHIN_MS = 15_000;
let service: World;
let owner: pg.Client;

beforeAll(async () => {
  service = await openWorld();
  const maintenance = new URL(service.database.ownerUrl);
  maintenance.pathname = '/postgres';
  owner = new pg.Client({ connectionString: maintenance.href });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await service.close();
});

const databaseName = () => new URL(service.database.url).pathname.slice(1);

// contract 37.2
test('while the database takes no connection: 503 with Retry-After, health unhealthy; then back', async () => {
  expect((await service.request('GET', LIMITS)).status).toBe(200);
  await owner.query(`alter database ${databaseName()} allow_connections false`);
  await endSessions(service.database);
  try {
    const { status, body, headers } = await until(
      () => service.request('GET', LIMITS),
      (answer) => answer.status !== 200,
      WITHIN_MS,
    );
    expect(status).toBe(503);
    expect(body.error).toBe('service_unavailable');
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('ratelimit-limit')).toBeNull();
    const health = await service.request('GET', '/api/health', { key: null });
    expect(health.status).toBe(503);
    expect(health.body).toMatchObject({ status: 'unhealthy', database: 'down' });
    expect((await service.request('GET', '/openapi.json', { key: null })).status).toBe(200);
    expect((await service.request('GET', '/api/v1/nothing')).status).toBe(404);
  } finally {
    await owner.query(`alter database ${databaseName()} allow_connections true`);
  }
  await until(
    () => service.request('GET', LIMITS),
    ({ status }) => status === 200,
    WITHIN_MS,
  );
  expect((await service.request('GET', '/api/health', { key: null })).body.database).toBe('up');
});

test('a command that gets no connection says that the database cannot answer', async () => {
  const inlay = await service.commands({ DATABASE_ADMIN_URL: service.database.adminUrl, INLAY_API_KEY: '' });
  const lookup = async () => (await inlay('orders', 'lookup', 'inl_Best_00000000000000', '--json')).json;
  expect(await lookup()).toMatchObject({ error: 'unknown_order' });
  await owner.query(`alter database ${databaseName()} connection limit 0`);
  try {
    expect(await lookup()).toEqual({
      error: 'database_unavailable',
      message: expect.stringMatching(/^The database does not respond: too many connections/),
    });
  } finally {
    await owner.query(`alter database ${databaseName()} connection limit -1`);
  }
});

test('backends killed under load: only 200 and 503, and every request is answered', async () => {
  const statuses = new Map<number, number>();
  let running = true;
  const clients = Array.from({ length: 16 }, async () => {
    while (running) {
      const { status } = await service.request('GET', LIMITS);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  for (let round = 0; round < 5; round += 1) {
    await timePasses(150);
    await endSessions(service.database);
  }
  running = false;
  await Promise.all(clients);
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503 && status !== 429)).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(10);
  await until(
    () => service.request('GET', '/api/health', { key: null }),
    ({ status }) => status === 200,
    WITHIN_MS,
  );
});

test('a full disk is 503 with Retry-After, and health is degraded until it takes writes again', {
  tags: 'proof',
}, async () => {
  const own = new pg.Client({ connectionString: service.database.ownerUrl });
  await own.connect();
  // Citus takes them one by one
  for (const statement of [
    `create function disk_is_full() returns trigger language plpgsql as $$
    begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
    'create trigger full_for_quotes before insert on quotes for each row execute function disk_is_full()',
    'create trigger full_for_witnesses before insert or update on books_witnesses for each row execute function disk_is_full()',
  ]) {
    await own.query(statement);
  }
  try {
    const market = await service.openMarket('full');
    const quote = await service.request('POST', '/api/v1/quotes', {
      user: 'ana',
      body: { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 },
    });
    expect([quote.status, quote.body.error, quote.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    const health = await until(
      () => service.request('GET', '/api/health', { key: null }),
      ({ body }) => body.status === 'degraded',
      WITHIN_MS,
    );
    expect(health.status).toBe(200);
    expect(service.context.books.failing).toBe(true);
  } finally {
    await own.query('drop function disk_is_full() cascade');
    await own.end();
  }
  await until(
    async () => service.context.books.failing,
    (failing) => !failing,
    WITHIN_MS,
  );
});
