/** The data of old events on another disk: a delivery that is replayed is the same bytes, and no event is raised twice. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { checkOldFacts } from '../../src/operations/check-old-facts.ts';
import { listFactMonths } from '../../src/operations/fact-months/fact-months.ts';
import { endOfOldMonths } from '../../src/operations/fact-months/fact-parts.ts';
import { moveEventData } from '../../src/operations/fact-months/move-event-data.ts';
import { AnotherRun } from '../../src/operations/fact-months/only-run.ts';
import { replayDeliveries } from '../../src/webhooks/delivery/replay-deliveries.ts';
import { untilPasses } from '../support/until.ts';
import { type MovingWorld, openMovingWorld } from './moving-world.ts';
import type { Sink } from './sinks.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const LATER = new Date(Date.now() + DAY_MS);
/** Of the running month, in which the events of this test are raised. */
const PARTITION = `old_event_data_${new Date().toISOString().slice(0, 7).replace('-', '')}`;
const DATA = '{"orderId":"ord_1","fillPrice":0.610000,"note":"ž  two spaces"}';

let moving: MovingWorld;
let world: World;
let owner: Sql;
let sink: Sink;
let cold: string;
let endpointId: string;

beforeAll(async () => {
  moving = await openMovingWorld();
  ({ world, owner, sink, cold, endpointId } = moving);
});
afterAll(() => moving.close());

const move = (before: Date, batchEvents?: number) =>
  moveEventData(owner, { tablespace: cold, before, ...(batchEvents === undefined ? {} : { batchEvents }) });

async function stored() {
  const [row] = await owner<[{ whole: number; given: number; kept: number }]>`
    select count(*) filter (where data is not null)::int as whole, count(*) filter (where data is null)::int as given,
      (select count(*)::int from old_event_data) as kept from outbox_events`;
  return row;
}

test('what is not old stays, and what is old gives its data away in batches', async () => {
  for (let number = 0; number < 7; number += 1) {
    await world.raise({ data: DATA, key: `order.filled:ord_1:${number}` });
  }
  await untilPasses(() => expect(sink.received).toHaveLength(7));
  expect(await move(new Date(Date.now() - DAY_MS))).toBe(0);
  expect(await stored()).toEqual({ whole: 7, given: 0, kept: 0 });
  expect(await move(LATER, 3)).toBe(7);
  expect(await stored()).toEqual({ whole: 0, given: 7, kept: 7 });
  expect(await move(LATER)).toBe(0);
  const [place] = await owner`
    select 1 from pg_class c join pg_tablespace t on t.oid = c.reltablespace where c.relname = ${PARTITION} and t.spcname = ${cold}`;
  expect(place).toBeDefined();
});

test('a delivery that is replayed carries the same bytes as before, under the same id', async () => {
  const [delivery] = await world.deliveries(endpointId);
  await replayDeliveries(world.admin.sql, [delivery?.deliveryId ?? '']);
  await untilPasses(() => expect(sink.received).toHaveLength(8));
  const again = sink.received.at(-1);
  expect(again?.body.toString()).toContain(DATA);
  // the time of the attempt is new in each of them
  const bodies = sink.received.map(({ body }) => body.replace(/"createdAt":"[^"]+"/, ''));
  expect(bodies.filter((body) => body === bodies.at(-1))).toHaveLength(2);
});

test('an event whose data was moved is not raised again', async () => {
  await expect(world.raise({ data: DATA, key: 'order.filled:ord_1:0' })).rejects.toThrow(/outbox_events_once/);
});

test('moved data refuses changes, and the service cannot add to it unnoticed', async () => {
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  try {
    for (const change of [
      `update old_event_data set data = '{}'`,
      'delete from old_event_data',
      'truncate old_event_data',
      `truncate ${PARTITION}`,
    ]) {
      await expect(client.query(change), change).rejects.toThrow();
    }
  } finally {
    await client.end();
  }
  await expect(world.admin.sql`update outbox_events set data = null`).rejects.toThrow(/permission denied/);
});

test('an operator that is on its way to another cell keeps its events as they are', async () => {
  await world.raise({ data: DATA });
  await owner`insert into operator_moves (operator_id, move_id, leader_id, peer, state)
    values (${world.operatorId}, 'mov_1', ${world.operatorId}, 'b', 'copying')`;
  expect(await move(LATER)).toBe(0);
  await owner`delete from operator_moves`;
  expect(await move(LATER)).toBe(1);
});

test('the list of months and doctor know where the data is', async () => {
  const [before] = await listFactMonths(world.admin.sql);
  expect(before?.eventBytes).toBeGreaterThan(8_192);
  expect(await checkOldFacts(world.admin.sql)).toEqual([
    { name: 'old facts', ok: true, detail: `readable in ${cold}` },
  ]);
});

test('old is what was raised before the last months that are kept', async () => {
  const now = new Date();
  const months = now.getUTCFullYear() * 12 + now.getUTCMonth();
  const end = await endOfOldMonths(owner, 12);
  expect([end.getUTCFullYear() * 12 + end.getUTCMonth(), end.getUTCDate(), end.getUTCHours()]).toEqual([
    months - 12,
    1,
    0,
  ]);
});

test('one run at a time', async () => {
  const other = connect(world.ownerUrl, { max: 1, applicationName: 'other', deadlineMs: 60_000 });
  await other`select pg_advisory_lock(7316001000000023)`;
  await expect(move(LATER)).rejects.toThrow(AnotherRun);
  await other.end({ timeout: 1 });
});
