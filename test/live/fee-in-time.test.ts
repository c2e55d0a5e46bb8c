/** How soon the venue is asked again about what is not final: within 15 s in the first ten minutes, then every minute (contract 13.15). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

// contract 13.15
test('a fee that the venue knows is read within 15 s, however often it was asked before', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const { sql } = live;
  const tenant = await live.tenant();
  live.venue.script = (order, venue) => venue.fillWhole(order, null);
  const { orderId } = (await tenant.place('ana')).body;
  await tenant.confirm(orderId);
  await until(
    () => tenant.read(orderId),
    ({ status }) => status === 'partially_filled',
  );
  await sql`update transmissions set lookups = 20, next_lookup_at = now() where order_id = ${orderId}`;
  await until(
    () => sql`select from transmissions where order_id = ${orderId} and lookups > 20`,
    (asked) => asked.length === 1,
  );
  const [sent] = await live.sentOf(orderId);
  const known = live.venue.orders.get(sent?.ourId ?? '');
  const since = performance.now();
  live.venue.change(sent?.ourId ?? '', { fills: known?.fills.map((fill) => ({ ...fill, feeMicros: 10_000n })) ?? [] });
  await until(
    () => tenant.read(orderId),
    ({ status }) => status === 'filled',
    30_000,
  );
  expect(performance.now() - since).toBeLessThan(15_000);
});

// contract 13.15
test('for ten minutes every 15 s, then every minute, the answer included', async () => {
  const waits = async (sentSecondsAgo: number) => {
    const [row] = await live.sql<{ seconds: number }[]>`
      select extract(epoch from next_lookup_at(now(), now() - make_interval(secs => ${sentSecondsAgo - 30}), 50, false) - now())::float8 as seconds`;
    return row?.seconds;
  };
  expect([await waits(100), await waits(599), await waits(601), await waits(86_400)]).toEqual([12, 12, 55, 55]);
});
