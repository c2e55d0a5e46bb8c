/** An operator moves between two cells while it trades: nothing is lost or doubled, and what the partner holds stays valid. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { askService } from '../support/partner.ts';
import type { TestCell } from '../support/two-cells.ts';
import { until } from '../support/until.ts';

const CUSTOMERS = ['ann', 'bob', 'cem'];

let cells: MovingCells;
let receiver: Server;
const received: string[] = [];

beforeAll(async () => {
  cells = await startMovingCells();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += String(text);
    });
    request.on('end', () => {
      received.push((JSON.parse(body) as { id: string }).id);
      response.end();
    });
  }).listen(0, '127.0.0.1');
}, 120_000);
afterAll(async () => {
  receiver.close();
  await cells.close();
});

/** Each cell keeps facts by months of its own. A month begins between the statements of the jobs, so it may need several tries. */
async function beginMonth({ database }: TestCell, month: number, suffix: string): Promise<void> {
  const owner = postgres(database.ownerUrl, { max: 1 });
  const begin = async () =>
    (await owner<{ begun: string | null }[]>`select open_fact_month(${month}) as begun`)[0]?.begun;
  const begun = await until(
    () => begin().catch(() => undefined),
    (name) => name !== undefined,
    60_000,
  );
  await owner.end();
  expect(begun).toBe(suffix);
}

test('a move under load loses and doubles nothing, and everything that the partner holds stays valid', async () => {
  const { operatorId, key } = await cells.openOperator('mover');
  await beginMonth(cells.east, 24_299, '202411');
  const port = (receiver.address() as AddressInfo).port;
  const hook = await cells.inlay(
    'webhooks',
    'add',
    '--operator',
    'mover',
    '--url',
    `http://127.0.0.1:${port}/`,
    '--cell',
    'east',
    '--json',
  );
  expect([hook.exitCode, hook.stdout]).toMatchObject([0, expect.anything()]);
  await cells.hold(cells.east);

  const acknowledged = new Map<string, string>();
  const times: number[] = [];
  let trading = true;
  const load = CUSTOMERS.map(async (user) => {
    for (let number = 1; trading; number += 1) {
      const id = `${user}-${number}`;
      const { status, body } = await cells.buy(key, user, id);
      if (status === 201 || status === 200) {
        acknowledged.set(id, body.orderId ?? '');
        times.push(performance.now());
      }
    }
  });
  await until(
    () => acknowledged.size,
    (size) => size > 12,
    120_000,
  );
  await beginMonth(cells.east, 24_300, '202412');
  await beginMonth(cells.west, 24_305, '202505');
  const session = await cells.call(key, '/api/v1/embed-sessions', undefined, { externalUserId: 'ann' });
  const before = await cells.call(key, '/api/v1/reconciliation/feed?limit=500');
  const itemsBefore = before.body.items ?? [];
  const checkpoint = await until(
    () => cells.call(key, '/api/v1/reconciliation/checkpoint'),
    ({ body }) => (body.size ?? 0) > 0,
  );

  const moved = await cells.inlay(
    'operators',
    'move',
    'mover',
    '--to',
    'west',
    '--max-pause',
    '600',
    '--yes',
    '--json',
  );
  expect([moved.json.moved, moved.json.logs], moved.stderr).toEqual([
    true,
    [{ operatorId, size: expect.any(Number), root: expect.stringMatching(/^[\w+/]{43}=$/) }],
  ]);
  await cells.hold(cells.west);
  await beginMonth(cells.west, 24_306, '202506');
  const then = acknowledged.size;
  await until(
    () => acknowledged.size,
    (size) => size > then + 12,
    120_000,
  );
  trading = false;
  await Promise.all(load);
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? time));
  process.stderr.write(
    `moved ${moved.json.rows} rows: paused ${moved.json.pausedMs} ms, longest gap between two orders ${Math.round(Math.max(...gaps))} ms\n`,
  );

  // no acknowledged order is missing, and none is anywhere else
  const here = await cells.west.database.sql<{ clientOrderId: string; orderId: string }[]>`
    select client_order_id, order_id from orders where operator_id = ${operatorId}`;
  const ids = new Map(here.map((order) => [order.clientOrderId, order.orderId]));
  expect([...acknowledged].filter(([id, orderId]) => ids.get(id) !== orderId)).toEqual([]);
  const behind = await cells.east.database.sql<{ orderId: string }[]>`
    select order_id from orders where operator_id = ${operatorId}`;
  expect(behind.filter(({ orderId }) => !here.some((order) => order.orderId === orderId))).toEqual([]);

  const months = await cells.west.database.sql<{ name: string }[]>`
    select distinct tableoid::regclass::text as name from feed_item_rows where operator_id = ${operatorId} order by 1`;
  expect(months.map(({ name }) => name)).toEqual(['feed_item_rows_202505', 'feed_item_rows_202506']);

  // the cursor, the embed token, the log of the feed and the idempotency keys from before
  const after = await cells.call(key, `/api/v1/reconciliation/feed?limit=500&cursor=${before.body.nextCursor}`);
  expect(after.status).toBe(200);
  const again = await cells.call(key, '/api/v1/reconciliation/feed?limit=500');
  expect(again.body.items?.slice(0, itemsBefore.length)).toEqual(itemsBefore);
  expect(after.body.items?.[0]?.sequence).toBe(itemsBefore.length + 1);
  expect((await cells.call(`Embed ${session.body.token}`, '/api/embed/session')).status).toBe(200);
  const [first] = [...acknowledged];
  const replay = await cells.call(key, '/api/v1/orders', first?.[0].split('-')[0], {
    quoteId: (
      await cells.west.database.sql<
        { quoteId: string }[]
      >`select quote_id from orders where order_id = ${first?.[1] ?? ''}`
    )[0]?.quoteId,
    clientOrderId: first?.[0],
  });
  expect([replay.status, replay.body.orderId, replay.body.idempotentReplay]).toEqual([200, first?.[1], true]);
  const size = (
    await until(
      () => cells.call(key, '/api/v1/reconciliation/checkpoint'),
      ({ body }) => (body.size ?? 0) > (checkpoint.body.size ?? 0),
    )
  ).body.size;
  const proof = await cells.call(key, `/api/v1/reconciliation/proof?from=${checkpoint.body.size}&size=${size}`);
  expect(proof.status).toBe(200);
  const [east, west] = await Promise.all(
    [cells.east, cells.west].map(async ({ database }) => {
      const [row] = await database.sql<{ digest: string; last: number }[]>`
        with edge as (select max(position) as last from feed_items where operator_id = ${operatorId})
        select md5(string_agg(feed_item_fact(i.position, i.type, i.item_id, i.occurred_at, i.external_user_id,
          i.position_id, i.order_id, i.money, i.detail), '' order by i.position)) as digest, max(i.position)::float8 as last
        from feed_items i, edge where i.operator_id = ${operatorId}
          and i.position <= least(edge.last, (select size from feed_log_heads where operator_id = ${operatorId}), ${itemsBefore.length})`;
      return row;
    }),
  );
  expect(west).toEqual(east);

  // the books, every webhook, and a position that was opened in the other cell
  await until(
    () => cells.west.database.sql<{ id: string; status: string }[]>`
      select event_id as id, status from webhook_deliveries where operator_id = ${operatorId}`,
    (deliveries) => deliveries.length >= here.length && deliveries.every(({ status }) => status === 'delivered'),
    120_000,
  );
  const events = await cells.west.database.sql<{ eventId: string }[]>`
    select event_id from webhook_events where operator_id = ${operatorId}`;
  expect(events.filter(({ eventId }) => !received.includes(eventId))).toEqual([]);
  expect(await cells.west.database.sql`select event_id from outbox_queue where operator_id = ${operatorId}`).toEqual(
    [],
  );
  const positions = await cells.call(key, '/api/v1/positions');
  const settled = await cells.call(key, '/api/v1/sandbox/resolutions', undefined, {
    positionId: positions.body.positions?.[0]?.positionId,
    resolution: 'WIN',
  });
  expect(settled.status).toBeLessThan(300);
  const books = await cells.inlay('reconciliation', 'run', '--operator', 'mover', '--cell', 'west', '--json');
  expect([books.json.ok, books.json.findings]).toEqual([true, []]);

  // the old cell refuses, whoever asks
  const refused = await askService(cells.east.service.url, key, 'GET', '/api/v1/whoami');
  expect([refused.status, refused.body.error]).toEqual([503, 'service_unavailable']);
  await expect(
    cells.east.database.sql`update customers set limits_note = 'late' where operator_id = ${operatorId}`,
  ).rejects.toMatchObject({ code: 'IN007' });
  const listed = await cells.inlay('operators', 'list', '--json');
  expect(listed.json.operators.filter(({ slug }: { slug: string }) => slug === 'mover')).toMatchObject([
    { cell: 'west' },
  ]);
  // rows that the operator left behind are not listed
  const hooks = await cells.inlay('webhooks', 'list', '--json');
  expect(hooks.json.endpoints.map(({ cell }: { cell: string }) => cell)).toEqual(['west']);
}, 480_000);
