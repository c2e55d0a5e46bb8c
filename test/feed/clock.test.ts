/** The times of an operator's facts never go back, whatever the machine's clock does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readItems } from '../support/items.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

test('a clock that steps back gives no fact an earlier time than the one before', async () => {
  const { operatorId } = service.operator;
  const credit = (user: string) => service.sql`
    select ensure_customer(${operatorId}, ${user})`;
  await credit('ana');
  // the clock stood ten minutes ahead when the last fact was recorded
  await service.sql`update operator_ledgers set recorded_at = now() + interval '10 minutes' where operator_id = ${operatorId}`;
  await credit('ben');
  await credit('cat');
  const times = (await readItems(service.sql, operatorId)).map(({ occurredAt }) => Date.parse(occurredAt));
  const ahead = Date.now() + 9 * 60_000;
  expect(times.map((time) => time > ahead)).toEqual([false, true, true]);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const [found] = await service.sql`
    select feed_position_at(${operatorId}, clock_timestamp() + interval '5 minutes')::int as position`;
  expect(found).toEqual({ position: 1 });
});
