/** The arithmetic of `npm run capacity`, on costs and demands whose answers are known by hand. */
import { expect, test } from 'vitest';
import { planCapacity, readCosts, renderPlans, type UnitCosts } from '../../bench/capacity.ts';
import { firstFull, priceOfMillion } from '../../bench/capacity-limits.ts';

const COSTS: UnitCosts = {
  apiMicros: 100,
  databaseMicros: 300,
  quoteApiMicros: 50,
  quoteDatabaseMicros: 100,
  storedBytes: 5_000,
  loggedBytes: 8_000,
  oneOperator: 2_000,
};

test('15,000 orders of 600 µs with their quotes a second need 15 cores of the database, busy to 60 %', () => {
  const plan = planCapacity(COSTS, { operators: 100, orders: 15_000, quotesAnOrder: 3, average: 0.1 });
  expect(plan.databaseCores).toBeCloseTo(15);
  expect(plan.apiCores).toBeCloseTo((15_000 * 250e-6) / 0.6);
  expect(plan.storedADay).toBe(1_500 * 86_400 * 5_000);
  expect(plan.replicated).toBe(15_000 * 8_000 * 2);
});

test('by the law of Zipf the largest of a thousand operators has a seventh; six are too large for one counter', () => {
  const { largest, tooLarge } = planCapacity(COSTS, {
    operators: 1_000,
    orders: 100_000,
    quotesAnOrder: 3,
    average: 0.1,
  });
  expect(largest).toBeCloseTo(13_359, -1);
  expect(tooLarge).toBe(6);
});

test('what is full first: the counter of one large operator, the processors of many small ones', () => {
  const demand = { orders: 15_000, quotesAnOrder: 3, average: 0.1 };
  const one = planCapacity(COSTS, { ...demand, operators: 1 });
  expect(firstFull(one, COSTS.oneOperator)).toMatchObject({ resource: 'counter of the largest operator', used: 7.5 });
  const many = planCapacity({ ...COSTS, databaseMicros: 1_200 }, { ...demand, operators: 10_000 });
  expect(firstFull(many, 20_000)).toMatchObject({ resource: 'processors of the database', used: 37.5 / 64 });
  // 1,500 orders a second on average, 5 kB each
  expect(firstFull(many, 20_000).diskDays).toBeCloseTo(8e12 / (1_500 * 86_400 * 5_000), 3);
});

test('a million orders cost their processors, a year on disk, and the log that is sent', () => {
  expect(priceOfMillion(2, 5_000, 16_000)).toBeCloseTo(2 * 0.05 + 5 * 0.12 * 12 + 16 * 0.02, 6);
  expect(renderPlans(COSTS, [{ operators: 5, orders: 100, quotesAnOrder: 3, average: 0.1 }])).toContain(
    'dollars with a year on disk',
  );
});

test('a run that did not measure what is needed is refused', () => {
  const run = { started: 'now', rows: [{ key: 'orders-spread', measured: 1, costs: { apiMicros: 1 } }] };
  expect(() => readCosts(JSON.stringify(run))).toThrow('the run did not measure orders-spread');
});
