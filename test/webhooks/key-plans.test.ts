/** What a key reads of an order's history, of webhook events and of deliveries costs the same when the tables are large, also under the tenants' policies. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TENANT_ROLE } from '../../src/db/by-operator.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { readOrderHistory } from '../../src/reconciliation/order-history.ts';
import { pageDeliveries } from '../../src/webhooks/own-deliveries.ts';
import { readEvents } from '../../src/webhooks/read-events.ts';
import { openWorld, type World } from '../support/world.ts';

const ROWS = 40_000;
const ENDPOINT = 'whe_1';

let world: World;
let sql: Sql;
let operatorId: string;
let orderId: string;
beforeAll(async () => {
  world = await openWorld();
  ({ operatorId } = world.operator);
  ({ orderId } = await world.buy(await world.openMarket('plans'), 'ana'));
  const other = await world.createOperator({ slug: 'other' });
  for (const [operator, first] of [
    [operatorId, 1_000],
    [other.operatorId, 0],
  ] as const) {
    await world.damage(`
      insert into journal (operator_id, sequence, items, kind, status, digits, recorded_at, decided_at, order_id, action, quantity_micros)
      select '${operator}', ${first} + n, 1, (case n % 100 when 0 then 'order_ended' else 'order_filled' end)::journal_kind, 'filled',
        lpad((${first} + n)::text, 32, '0')::uuid, now(), now(), 'ord_' || n / 10, 'buy', 1 from generate_series(1, ${ROWS}) n;
      update operator_ledgers set sequence = ${first} + ${ROWS}, recorded_at = now() where operator_id = '${operator}';
      insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence, recorded_at, type, status, finished_at)
      select operator_id, 'dlv_' || replace(digits::text, '-', '') || '_1', 'whe_' || sequence % 5, 'evn_' || replace(digits::text, '-', ''),
        sequence, recorded_at, 'order.filled', 'delivered', now() from journal where operator_id = '${operator}' and sequence > ${first};
      insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms, http_status)
      select operator_id, delivery_id, 1, now(), 1, 200 from webhook_deliveries where operator_id = '${operator}'`);
  }
  await world.damage('analyze journal; analyze webhook_deliveries; analyze webhook_attempts');
  sql = connect(world.database.url, { max: 1, applicationName: 'inlay-test-tenant', role: TENANT_ROLE });
}, 60_000);
afterAll(async () => {
  await sql.end();
  await world.close();
});

async function blocks(): Promise<number> {
  await world.sql`select pg_stat_clear_snapshot()`;
  const [row] = await world.sql<{ blocks: number }[]>`
    select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as blocks
    from pg_statio_user_tables where relname ~ '^(journal|webhook_|orders|transmissions|venue_evidence)'`;
  return row?.blocks ?? 0;
}

async function blocksOf(read: () => Promise<unknown>): Promise<number> {
  // the first one plans
  await read();
  const flush = () => sql`select pg_stat_force_next_flush()`;
  await flush();
  const earlier = await blocks();
  await read();
  await flush();
  return (await blocks()) - earlier;
}

const ofEvent = `evn_${String(1_000 + ROWS - 1).padStart(32, '0')}`;

/** The most blocks of tables and indexes that one call may read. */
const READS: readonly (readonly [string, number, () => Promise<unknown>])[] = [
  [
    'the history of an order',
    200,
    () => readOrderHistory(sql, { operatorId, reference: orderId, externalUserId: undefined }),
  ],
  ['the first events', 300, () => readEvents(sql, operatorId, { limit: 20 })],
  ['the last events', 300, () => readEvents(sql, operatorId, { limit: 20, last: 20 })],
  ['events of a type', 300, () => readEvents(sql, operatorId, { limit: 20, types: ['order.completed'] })],
  ['events of an order', 300, () => readEvents(sql, operatorId, { limit: 20, orderId: 'ord_70' })],
  ['deliveries', 600, () => pageDeliveries(sql, operatorId, { limit: 20 })],
  ['deliveries to an endpoint', 800, () => pageDeliveries(sql, operatorId, { limit: 20, endpointId: ENDPOINT })],
  ['deliveries of an event', 200, () => pageDeliveries(sql, operatorId, { limit: 20, eventId: ofEvent })],
  ['deliveries of an order', 600, () => pageDeliveries(sql, operatorId, { limit: 20, orderId: 'ord_3000' })],
  // these look through as many as one page may read
  [
    'deliveries of a status that none has',
    8_000,
    () => pageDeliveries(sql, operatorId, { limit: 20, status: ['pending'] }),
  ],
];

test.each(READS)('%s: at most %i blocks', async (_, most, read) => {
  const read_ = await blocksOf(read);
  expect(read_).toBeGreaterThan(0);
  expect(read_).toBeLessThan(most);
});
