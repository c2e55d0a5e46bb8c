/** Old weeks of the log of attempts on another disk: the same answers, and no attempt is lost on the way. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { moveAttempts } from '../../src/operations/fact-months/move-attempts.ts';
import { expireDeliveries } from '../../src/webhooks/delivery/maintenance.ts';
import { untilPasses } from '../support/until.ts';
import { type MovingWorld, openMovingWorld } from './moving-world.ts';
import type { Sink } from './sinks.ts';
import type { World } from './world.ts';

const WEEK = 'webhook_attempts_20250106';
const KEEP_DAYS = 3_650;

let moving: MovingWorld;
let world: World;
let owner: Sql;
let sink: Sink;
let cold: string;
let endpointId: string;

beforeAll(async () => {
  moving = await openMovingWorld();
  ({ world, owner, sink, cold, endpointId } = moving);
  for (let number = 0; number < 5; number += 1) {
    await world.raise({ data: '{"orderId":"ord_1"}', key: `order.filled:ord_1:${number}` });
  }
  await untilPasses(() => expect(sink.received).toHaveLength(5));
  await untilPasses(async () =>
    expect((await world.deliveries(endpointId)).filter(({ status }) => status === 'delivered')).toHaveLength(5),
  );
  // The deliveries and their attempts become old.
  await owner.unsafe(`create table ${WEEK} partition of webhook_attempts
    for values from ('2025-01-06 00:00Z') to ('2025-01-13 00:00Z')`);
  const back = `- (date_trunc('day', now()) - timestamptz '2025-01-08 00:00Z')`;
  await owner.unsafe(`update webhook_attempts set started_at = started_at ${back}`);
  await owner.unsafe(
    `update webhook_deliveries set created_at = created_at ${back}, finished_at = finished_at ${back}`,
  );
}, 60_000);
afterAll(() => moving.close());

const move = (tablespace = cold, before = new Date()) =>
  moveAttempts(owner, { tablespace, before, exchange: { tries: 5, pauseMs: 100 } });
const place = async () => {
  const [row] = await owner<{ place: string | null }[]>`
    select (select spcname::text from pg_tablespace where oid = reltablespace) as place from pg_class where relname = ${WEEK}`;
  return row?.place;
};
const lateAttempt = (attempt: number) => owner`
  insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms)
  select operator_id, delivery_id, ${attempt}, '2025-01-08 23:59Z', 1 from webhook_deliveries limit 1`;

test('a week that is not old, or is in use, stays; attempts that arrive during the copy are refused', async () => {
  expect(await move(cold, new Date('2025-01-12T00:00:00Z'))).toEqual({ moved: [], waiting: [] });
  const reader = new pg.Client({ connectionString: world.ownerUrl });
  await reader.connect();
  await reader.query(`begin; select count(*) from ${WEEK}`);
  const writer = connect(world.ownerUrl, { max: 1, applicationName: 'arriving', deadlineMs: 60_000 });
  const moving = move();
  await untilPasses(async () => {
    const [row] =
      await writer`select 1 from pg_trigger where tgrelid = ${WEEK}::regclass and tgname = 'moving_part_closed'`;
    expect(row).toBeDefined();
  });
  const arriving = writer`
    insert into webhook_attempts (operator_id, delivery_id, attempt, started_at, duration_ms)
    select operator_id, delivery_id, 7, '2025-01-08 23:59Z', 1 from webhook_deliveries limit 1`;
  await expect(arriving).rejects.toThrow(/webhook_attempts/);
  expect((await moving).waiting).toMatchObject([{ part: WEEK, reason: 'tables_in_use' }]);
  await reader.query('rollback');
  await reader.end();
  await writer.end({ timeout: 1 });
  expect(await place()).toBeNull();
});

test('a week that moves reads as before, with its deliveries, and is kept for as long as it was', async () => {
  const before = await world.deliveries(endpointId);
  expect(before.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1, 1, 1]);
  const { moved, waiting } = await move();
  expect(waiting).toEqual([]);
  expect(moved).toMatchObject([{ part: WEEK, rows: 5 }]);
  expect(await place()).toBe(cold);
  expect(await world.deliveries(endpointId)).toEqual(before);
  await expireDeliveries(world.admin.sql, KEEP_DAYS);
  expect(await world.deliveries(endpointId)).toEqual(before);
  expect(await move()).toEqual({ moved: [], waiting: [] });
});

test('attempts of an operator that arrives later go where the week is', async () => {
  await lateAttempt(2);
  const attempts = (await world.deliveries(endpointId)).map(({ attempts: all }) => all.length);
  expect(attempts.toSorted()).toEqual([1, 1, 1, 1, 2]);
});

test('a week on the other disk leaves with its time', async () => {
  await expireDeliveries(world.admin.sql, 90);
  expect(await place()).toBeUndefined();
  expect(await world.deliveries(endpointId)).toEqual([]);
});
