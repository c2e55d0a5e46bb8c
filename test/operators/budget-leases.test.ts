/**
 * Leases of a budget: requests are admitted without the database, the limits hold to the request across processes, and what changed
 * counts from its commit (docs/access.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMeter } from '../../src/operators/rate-counters.ts';
import {
  ask,
  awaitRoomInMinute,
  counted,
  database,
  type Key,
  LONGEST_LEASE_MS,
  leaseInThisFile,
  newKey,
  newOperator,
  type Process,
  SCOPES,
  startListening,
  startProcess,
  warm,
} from '../support/leasing.ts';
import { until } from '../support/until.ts';

leaseInThisFile();

test('requests of a busy caller are admitted without a call, and are numbered as before', async () => {
  const process = startProcess();
  const key = await newKey();
  await awaitRoomInMinute(10);
  const made = await warm(process, key);
  const calls = process.calls;
  const remaining: number[] = [];
  for (let more = 0; more < 8; more += 1) {
    const { outcome, rate, operator, countedIn } = await ask(process, key);
    expect({ outcome, operator, limit: rate.limit }).toEqual({
      outcome: 'admitted',
      operator: key.operator,
      limit: 6_000,
    });
    expect(rate.resetSeconds).toBeGreaterThanOrEqual(1);
    expect(rate.resetSeconds).toBeLessThanOrEqual(60);
    expect(countedIn % 60).toBe(0);
    remaining.push(rate.remaining);
  }
  expect(remaining).toEqual(Array.from({ length: 8 }, (_, index) => 6_000 - made - index - 1));
  expect(process.calls - calls).toBeLessThan(2);
});

test('a caller with few requests has no lease, and holds no connection for one', async () => {
  const process = startProcess();
  const key = await newKey();
  for (let count = 0; count < 6; count += 1) {
    await ask(process, key);
    await sleep(LONGEST_LEASE_MS / 2);
  }
  expect(process).toMatchObject({ leased: 0, calls: 6 });
  const rows = await database.sql`
    select from pg_stat_activity where application_name = 'inlay-budgets' and datname = current_database()`;
  expect(rows).toHaveLength(0);
});

test('what a lease did not use is not counted any more when it ends', async () => {
  const process = startProcess();
  const key = await newKey();
  await awaitRoomInMinute(10);
  const made = await warm(process, key);
  const subject = `k:${key.keyId}:${key.operatorId}`;
  expect((await counted(subject)).count).toBeGreaterThan(made);
  expect((await counted(`t:${key.operatorId}`)).leased).toBeGreaterThan(0);
  await sleep(LONGEST_LEASE_MS + 300);
  expect(await counted(subject)).toEqual({ count: made, leased: 0 });
  expect(await counted(`t:${key.operatorId}`)).toEqual({ count: made, leased: 0 });
  const { rate } = await ask(process, key);
  expect(rate.remaining).toBe(6_000 - made - 1);
});

test('the limit of a key is reached at its last request, with a lease', async () => {
  const process = await startListening();
  const key = await newKey({ rateLimit: 300 });
  await awaitRoomInMinute(10);
  await warm(process, key);
  const outcomes: string[] = [];
  const seen = new Set<number>();
  while (outcomes.length < 400) {
    const some = await Promise.all(Array.from({ length: 5 }, () => ask(process, key)));
    for (const { outcome, rate } of some) {
      outcomes.push(outcome);
      if (outcome === 'admitted') {
        expect(seen.has(rate.remaining)).toBe(false);
        seen.add(rate.remaining);
      } else {
        expect(rate.remaining).toBe(0);
      }
    }
  }
  expect(process.leased).toBeGreaterThan(100);
  const { count } = await counted(`t:${key.operatorId}`);
  expect(count).toBe(300);
  expect(outcomes.indexOf('rate_limited')).toBe(outcomes.filter((outcome) => outcome === 'admitted').length);
  expect(Math.min(...seen)).toBe(0);
});

test('processes that share a caller count it request by request', async () => {
  const [one, two] = [startProcess(), startProcess()];
  const key = await newKey();
  await awaitRoomInMinute(15);
  let made = await warm(one, key);
  for (let round = 0; round < 40; round += 1) {
    const process = round % 2 === 0 ? two : one;
    const { outcome, rate } = await ask(process, key);
    made += 1;
    expect({ outcome, remaining: rate.remaining }).toEqual({ outcome: 'admitted', remaining: 6_000 - made });
  }
  // both asked the database from then on
  const before = one.leased + two.leased;
  await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? one : two, key)));
  expect(one.leased + two.leased).toBe(before);
});

test.each([0, 1, 2, 3])(
  'three processes with many callers at once pass no limit and miss none, round %i',
  async (round) => {
    const ceiling = 2_500 + 300 * round;
    const holder = await newOperator({ rateCeiling: ceiling });
    const child = await newOperator({ parent: holder.slug });
    const [alone, small, large] = [
      await newKey({ rateLimit: 1_000 }, holder),
      await newKey({ rateLimit: 400 - 90 * round }, holder),
      await newKey({ rateLimit: 4_000 }, holder),
    ];
    const processes = [startProcess(), startProcess(), startProcess()];
    await awaitRoomInMinute(8);
    const numbers = new Map<string, number[]>();
    const load = async (process: Process, key: Key, actingFor: string | null, count: number) => {
      const name = `${key.keyId} ${actingFor}`;
      for (let made = 0; made < count; made += 1) {
        const { outcome, rate } = await ask(process, key, actingFor);
        if (outcome === 'admitted') {
          numbers.set(name, [...(numbers.get(name) ?? []), rate.remaining]);
        }
      }
    };
    await Promise.all(
      processes.flatMap((process, index) => [
        load(process, alone, null, index === round % 3 ? 1_500 : 0),
        load(process, small, null, 500),
        load(process, large, null, 700),
        load(process, large, child.operatorId, index === 1 ? 900 : 0),
      ]),
    );
    const admitted = (key: Key, actingFor: string | null = null) =>
      numbers.get(`${key.keyId} ${actingFor}`)?.length ?? 0;
    expect(admitted(alone) + admitted(small) + admitted(large) + admitted(large, child.operatorId)).toBe(ceiling);
    expect(admitted(alone)).toBeLessThanOrEqual(1_000);
    expect(admitted(small)).toBeLessThanOrEqual(400 - 90 * round);
    for (const list of numbers.values()) {
      expect(new Set(list).size).toBe(list.length);
    }
    expect(processes.reduce((sum, { leased }) => sum + leased, 0)).toBeGreaterThan(300);
  },
  60_000,
);

test('the last requests of a ceiling are not lost to a lease of another process, nor to embed sessions', async () => {
  const holder = await newOperator({ rateCeiling: 120 });
  const [busy, other] = [await newKey({}, holder), await newKey({}, holder)];
  const [one, two] = [await startListening(), startProcess()];
  await awaitRoomInMinute(10);
  const made = await warm(one, busy);
  const meter = createMeter(two.sql);
  const outcomes: boolean[] = [];
  for (let count = 0; count < 120; count += 1) {
    const session = { subject: 'e:session', limit: 300, tenant: { operatorId: holder.operatorId, ceiling: 120 } };
    outcomes.push(count % 2 === 0 ? (await ask(two, other)).outcome === 'admitted' : (await meter(session)).allowed);
  }
  expect(outcomes.filter(Boolean)).toHaveLength(120 - made);
  expect(outcomes.lastIndexOf(true)).toBe(120 - made - 1);
});

test('a process that is gone costs its callers what it had leased, and no request waits longer than its lease', async () => {
  const holder = await newOperator({ rateCeiling: 200 });
  const key = await newKey({}, holder);
  const gone = await startListening();
  await awaitRoomInMinute(20);
  const made = await warm(gone, key);
  // it can give nothing back from here on, and then it hears nothing either
  await gone.sql.end({ timeout: 0 });
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'inlay-budgets' and datname = current_database()`;
  const { leased } = await counted(`t:${holder.operatorId}`);
  expect(leased).toBeGreaterThan(0);
  const process = startProcess();
  const since = performance.now();
  const { rate } = await ask(process, key);
  expect(performance.now() - since).toBeLessThan(LONGEST_LEASE_MS + 1_500);
  expect(rate.remaining).toBeLessThan(6_000 - made);
  let admitted = made + 1;
  const started = performance.now();
  for (let count = 0; count < 250; count += 1) {
    admitted += (await ask(process, key)).outcome === 'admitted' ? 1 : 0;
  }
  expect(performance.now() - started).toBeLessThan(8_000);
  expect(admitted).toBeLessThanOrEqual(200);
  expect(admitted).toBeGreaterThanOrEqual(200 - leased);
});

test('a process whose connection for notifications is lost gives its leases back', async () => {
  const process = startProcess();
  const key = await newKey();
  await warm(process, key);
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'inlay-budgets' and datname = current_database()`;
  await until(async () => ((await counted(`t:${key.operatorId}`)).leased === 0 ? true : undefined));
  // and has new ones once it listens again
  await warm(process, key);
});

test('a lease is given back once: a repetition, a late one and a foreign one change nothing', async () => {
  const key = await newKey();
  const process = startProcess();
  await awaitRoomInMinute(5);
  const made = await warm(process, key);
  const [row] = await database.sql<[{ subject: string; minute: number; end: string; leased: number }]>`
    select subject, extract(epoch from window_start)::integer as minute, to_json(leased_until)#>>'{}' as end, leased
    from rate_counters where subject = ${`k:${key.keyId}:${key.operatorId}`} order by window_start desc limit 1`;
  const giveBack = (end: string) => {
    const lease = [row.subject, `t:${key.operatorId}`, row.minute, end, row.leased, 1];
    return database.sql`select return_budgets(${JSON.stringify([lease])}::text::jsonb)`;
  };
  const before = await counted(row.subject);
  await giveBack('2102-01-01T00:00:00Z');
  expect(await counted(row.subject)).toEqual(before);
  await giveBack(row.end);
  await giveBack(row.end);
  expect(await counted(row.subject)).toEqual({ count: before.count - 1, leased: 0 });
  await process.leases.close();
  expect((await counted(row.subject)).count).toBeGreaterThanOrEqual(made);
});

test('a request that is not counted after all goes back to the lease', async () => {
  const process = startProcess();
  const key = await newKey();
  await awaitRoomInMinute(5);
  const made = await warm(process, key);
  const taken = await ask(process, key);
  expect(taken.rate.remaining).toBe(6_000 - made - 1);
  await process.admit.giveBack({ ...key, holderId: key.operatorId, countedIn: taken.countedIn });
  expect((await ask(process, key)).rate.remaining).toBe(taken.rate.remaining);
  await sleep(LONGEST_LEASE_MS + 300);
  expect((await counted(`k:${key.keyId}:${key.operatorId}`)).count).toBe(made + 1);
});

test('a request for another scope of a busy caller is judged by itself, and counted with the others', async () => {
  const process = startProcess();
  const key = await newKey({ scopes: SCOPES });
  await awaitRoomInMinute(5);
  let made = await warm(process, key);
  const refused = await process.admit({ keyHash: key.keyHash, actingFor: null, scopes: ['orders:write'] });
  expect(refused).toMatchObject({ outcome: 'insufficient_scope', rate: { remaining: 6_000 - made } });
  const other = await startProcess().admit({ keyHash: key.keyHash, actingFor: null, scopes: ['orders:write'] });
  expect(other).toMatchObject({ outcome: 'insufficient_scope', rate: { remaining: 6_000 - made } });
  for (let more = 0; more < 30; more += 1) {
    const { rate } = await process.admit({
      keyHash: key.keyHash,
      actingFor: null,
      scopes: more % 2 === 0 ? [] : SCOPES,
    });
    made += 1;
    expect(rate.remaining).toBe(6_000 - made);
  }
});
