/** The times of an operator's facts never go back, whatever the machine's clock does. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('a clock that steps back gives no fact an earlier time than the one before', async () => {
  const { operatorId } = service.operator;
  const credit = (user: string) => service.sql`
    select ensure_customer(${operatorId}, ${user})`;
  await credit('ana');
  // the clock stood ten minutes ahead when the last fact was recorded
  await service.sql`update operator_counters set recorded_at = clock_timestamp() + interval '10 minutes' where operator_id = ${operatorId}`;
  await credit('ben');
  await credit('cat');
  const items = await service.sql<{ position: bigint; ahead: boolean; rising: boolean }[]>`
    select position, occurred_at > now() + interval '9 minutes' as ahead,
      occurred_at >= coalesce(lag(occurred_at) over (order by position), occurred_at) as rising
    from feed_items where operator_id = ${operatorId} order by position`;
  expect(items.map(({ ahead, rising }) => [ahead, rising])).toEqual([
    [false, true],
    [true, true],
    [true, true],
  ]);
  const [found] = await service.sql`
    select feed_position_at(${operatorId}, clock_timestamp() + interval '5 minutes')::int as position`;
  expect(found).toEqual({ position: 1 });
});
