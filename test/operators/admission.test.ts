/** Key, operator, aggregator, scope and rate in one batched call: specification "Authentication" and "Limits". */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { type Admission, createAdmission } from '../../src/operators/admission/admission.ts';
import { hashApiKey } from '../../src/operators/api-key.ts';
import { changeOperator } from '../../src/operators/change-operator.ts';
import { createOperator } from '../../src/operators/create-operator.ts';
import { issueKey, revokeKey, rotateKey } from '../../src/operators/issue-key.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { createMeter, forgetOldWindows } from '../../src/operators/rate-counters.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let made = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.close();
});

const newOperator = (settings: Partial<Parameters<typeof createOperator>[1]> = {}): Promise<Operator> => {
  made += 1;
  return createOperator(database.sql, { slug: `op-${made}`, mode: 'sandbox', ...settings });
};

/** Keeps a count that must not straddle a minute inside one. */
async function awaitRoomInMinute(seconds: number): Promise<void> {
  const [row] = await database.sql<[{ left: number }]>`
    select (60 - extract(second from clock_timestamp()))::float8 as left`;
  if (row.left < seconds) {
    await new Promise((resolve) => setTimeout(resolve, row.left * 1000 + 50));
  }
}

function outcomesOf(admissions: readonly Admission[]): Record<string, number> {
  return Object.fromEntries(
    Map.groupBy(admissions, ({ outcome }) => outcome)
      .entries()
      .map(([outcome, members]) => [outcome, members.length]),
  );
}

describe('keys', () => {
  test('a key is admitted with its operator, scopes and budget', async () => {
    const operator = await newOperator({ platformFeeBps: 250, maxOrderMinor: 500_000n });
    const { apiKey, keyId, prefix } = await issueKey(database.sql, operator, { rateLimit: 100 });
    expect(apiKey).toMatch(/^pk_test_[0-9A-Za-z]{40}$/);
    expect(prefix).toBe(apiKey.slice(0, 16));
    const admit = createAdmission(database.sql);
    const admission = await admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: ['markets:read'] });
    expect(admission).toMatchObject({ outcome: 'admitted', keyId, holderId: operator.operatorId });
    expect(admission.operator).toEqual(operator);
    expect(admission.operator.maxOrderMinor).toBe(500_000n);
    expect(admission.operator.createdAt).toBeInstanceOf(Date);
    expect(admission.scopes).toHaveLength(8);
    expect(admission.rate).toMatchObject({ limit: 100, remaining: 99 });
    expect(admission.rate.resetSeconds).toBeGreaterThanOrEqual(1);
    expect(admission.rate.resetSeconds).toBeLessThanOrEqual(60);
  });

  test('live keys begin sk_live_ and hold 600 a minute, sandbox keys 120', async () => {
    const live = await issueKey(database.sql, await newOperator({ mode: 'live' }));
    expect(live.apiKey).toMatch(/^sk_live_/);
    expect(live.rateLimit).toBe(600);
    expect((await issueKey(database.sql, await newOperator())).rateLimit).toBe(120);
  });

  test('the key itself is nowhere in the database', async () => {
    const { apiKey } = await issueKey(database.sql, await newOperator());
    const rows = await database.sql`select k::text as text from api_keys k`;
    expect(rows.some((row) => String(row['text']).includes(apiKey))).toBe(false);
  });

  test('an unknown and a revoked key are distinguished and count against nothing', async () => {
    const admit = createAdmission(database.sql);
    const { apiKey, keyId } = await issueKey(database.sql, await newOperator());
    const ask = () => admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: [] });
    expect((await ask()).outcome).toBe('admitted');
    await revokeKey(database.sql, keyId);
    expect((await ask()).outcome).toBe('revoked_key');
    expect((await admit({ keyHash: hashApiKey('pk_test_nobody'), actingFor: null, scopes: [] })).outcome).toBe(
      'invalid_key',
    );
    const [row] = await database.sql`select count from rate_counters where subject like ${`k:${keyId}:%`}`;
    expect(row?.['count']).toBe(1n);
  });

  test('a rotated key lives on for its grace, its successor has the same rights', async () => {
    const admit = createAdmission(database.sql);
    const first = await issueKey(database.sql, await newOperator(), {
      scopes: ['markets:read'],
      rateLimit: 7,
      label: 'site',
    });
    const second = await rotateKey(database.sql, first.keyId, 3600);
    expect(second).toMatchObject({ scopes: ['markets:read'], rateLimit: 7, label: 'site', previousKeyId: first.keyId });
    const ask = (key: string) => admit({ keyHash: hashApiKey(key), actingFor: null, scopes: ['markets:read'] });
    expect((await ask(first.apiKey)).outcome).toBe('admitted');
    expect((await ask(second.apiKey)).outcome).toBe('admitted');
    const third = await rotateKey(database.sql, second.keyId, 0);
    expect((await ask(second.apiKey)).outcome).toBe('revoked_key');
    expect((await ask(third.apiKey)).outcome).toBe('admitted');
    await expect(rotateKey(database.sql, second.keyId, 0)).rejects.toMatchObject({ code: 'revoked_key' });
  });
});

describe('scopes and operators', () => {
  test('a missing scope consumes nothing and shows the current budget', async () => {
    const admit = createAdmission(database.sql);
    const { apiKey } = await issueKey(database.sql, await newOperator(), { scopes: ['orders:read'], rateLimit: 10 });
    const keyHash = hashApiKey(apiKey);
    await awaitRoomInMinute(2);
    await admit({ keyHash, actingFor: null, scopes: ['orders:read'] });
    for (let again = 0; again < 3; again += 1) {
      const refused = await admit({ keyHash, actingFor: null, scopes: ['orders:read', 'orders:write'] });
      expect(refused).toMatchObject({ outcome: 'insufficient_scope', scopes: ['orders:read'] });
      expect(refused.rate).toMatchObject({ limit: 10, remaining: 9 });
    }
  });

  test('an empty list of scopes grants nothing', async () => {
    const admit = createAdmission(database.sql);
    const { apiKey } = await issueKey(database.sql, await newOperator(), { scopes: [] });
    const refused = await admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: ['markets:read'] });
    expect(refused.outcome).toBe('insufficient_scope');
  });

  test('a suspended operator is refused at once, and admitted again', async () => {
    const admit = createAdmission(database.sql);
    const operator = await newOperator();
    const { apiKey } = await issueKey(database.sql, operator);
    const ask = async () =>
      (await admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: ['markets:read'] })).outcome;
    expect(await ask()).toBe('admitted');
    await changeOperator(database.sql, operator.slug, { status: 'suspended' });
    expect(await ask()).toBe('operator_suspended');
    await changeOperator(database.sql, operator.slug, { status: 'active' });
    expect(await ask()).toBe('admitted');
  });

  test('a holder acts only for itself and for a direct child', async () => {
    const admit = createAdmission(database.sql);
    const holder = await newOperator();
    const child = await newOperator({ parent: holder.slug });
    const stranger = await newOperator();
    const { apiKey } = await issueKey(database.sql, holder, { rateLimit: 10 });
    const ask = (actingFor: string | null) =>
      admit({ keyHash: hashApiKey(apiKey), actingFor, scopes: ['markets:read'] });
    await awaitRoomInMinute(2);
    expect((await ask(holder.operatorId)).operator.operatorId).toBe(holder.operatorId);
    const forChild = await ask(child.operatorId);
    expect(forChild).toMatchObject({ outcome: 'admitted', holderId: holder.operatorId });
    expect(forChild.operator.operatorId).toBe(child.operatorId);
    // counted apart: the call for the holder left the child's budget alone
    expect(forChild.rate.remaining).toBe(9);
    for (const other of [stranger.operatorId, 'op_none', child.slug]) {
      expect((await ask(other)).outcome).toBe('operator_not_permitted');
    }
    await changeOperator(database.sql, child.slug, { status: 'suspended' });
    expect((await ask(child.operatorId)).outcome).toBe('operator_suspended');
    await changeOperator(database.sql, stranger.slug, { status: 'suspended' });
    expect((await ask(stranger.operatorId)).outcome).toBe('operator_not_permitted');
  });
});

test('what was read before is not used once it changed between calls', async () => {
  const admit = createAdmission(database.sql);
  const operator = await newOperator({ platformFeeBps: 100 });
  const { apiKey, keyId } = await issueKey(database.sql, operator);
  const ask = () => admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: ['markets:read'] });
  const first = await ask();
  // the same state is the same object, so what hangs on it can be kept by it
  expect((await ask()).operator).toBe(first.operator);
  await changeOperator(database.sql, operator.slug, { platformFeeBps: 300 });
  expect((await ask()).operator.platformFeeBps).toBe(300);
  await database.sql`update api_keys set scopes = '{orders:read}', rate_limit = 17 where key_id = ${keyId}`;
  expect(await ask()).toMatchObject({ outcome: 'insufficient_scope', scopes: ['orders:read'], rate: { limit: 17 } });
});

async function answersFor(groups: readonly (readonly unknown[])[], moment: string): Promise<unknown[][]> {
  const [row] = await database.sql<[{ answer: string }]>`
    select admit_requests(${JSON.stringify(groups)}::text::jsonb, ${moment}::text::timestamptz) as answer`;
  return JSON.parse(row.answer)[1];
}

/** The answer for a group, and the version of its key: alone, it takes the short way of `admit_known_key`. */
async function answerFor(
  group: readonly unknown[],
  moment: string,
  company: readonly (readonly unknown[])[] = [],
): Promise<unknown[]> {
  return (await answersFor([group, ...company], moment))[0] ?? [];
}

/** What was counted in each of two minutes, which must be the same. */
async function expectEqualCounts(one: string, two: string): Promise<void> {
  const counts = await database.sql<{ counts: string }[]>`
    select string_agg(subject || ' ' || count, ',' order by subject) as counts from rate_counters
    where window_start in (${one}, ${two}) group by window_start`;
  expect(counts).toHaveLength(2);
  expect(counts[0]).toEqual(counts[1]);
}

test('a group alone is answered as it is answered in company', async () => {
  const holder = await newOperator({ rateCeiling: 12 });
  const child = await newOperator({ parent: holder.slug });
  const key = await issueKey(database.sql, holder, { rateLimit: 10 });
  const keyHash = hashApiKey(key.apiKey);
  const nobody = [hashApiKey('pk_test_nobody'), null, '', 1, null];
  let minute = 0;
  const nextMinute = () => {
    minute += 1;
    return `2100-01-01T10:${String(minute).padStart(2, '0')}:00Z`;
  };
  const compare = async (acting: string | null, needed: string, sufficient: string | null, address: string | null) => {
    const group = (count: number, known: unknown) => [keyHash, acting, needed, count, known, address, sufficient];
    const [, , , known] = await answerFor(group(1, null), nextMinute());
    const [one, two] = [nextMinute(), nextMinute()];
    const answers: unknown[] = [];
    for (const count of [4, 5, 3, 2]) {
      const alone = await answerFor(group(count, known), one);
      expect(alone).toEqual(await answerFor(group(count, known), two, [nobody]));
      answers.push(alone);
    }
    if (answers.some((answer) => (answer as unknown[])[0] === 'admitted')) {
      await expectEqualCounts(one, two);
    }
    return answers.at(-1);
  };
  expect(await compare(null, 'markets:read', null, '127.0.0.1')).toEqual(['admitted', 12, 0, null, null, null]);
  expect(await compare(child.operatorId, '', null, null)).toEqual(['admitted', 12, 0, null, null, null]);
  await database.sql`update api_keys set rate_limit = 100 where key_id = ${key.keyId}`;
  expect(await compare(null, '', null, null)).toEqual(['admitted', 12, 0, null, null, null]);
  await database.sql`
    update api_keys set scopes = '{orders:read}', allowed_addresses = '{10.0.0.0/8}' where key_id = ${key.keyId}`;
  expect(await compare(null, 'orders:write', 'orders:read', '10.1.1.1')).toEqual(['admitted', 12, 0, null, null, null]);
  expect(await compare(null, 'orders:write', null, '10.1.1.1')).toEqual(['insufficient_scope', 0, 0, null, null, null]);
  expect(await compare(null, '', null, '11.1.1.1')).toEqual(['address_not_allowed', 0, 0, null, null, null]);
  await changeOperator(database.sql, child.slug, { status: 'suspended' });
  expect(await compare(child.operatorId, '', null, '10.1.1.1')).toEqual(['operator_suspended', 0, 0, null, null, null]);
  await revokeKey(database.sql, key.keyId);
  expect(await compare(null, '', null, '10.1.1.1')).toEqual(['revoked_key', 0, 0, null, null, null]);
});

test('keys that are known are counted together as they are with one that is not', async () => {
  const holder = await newOperator({ rateCeiling: 30 });
  const child = await newOperator({ parent: holder.slug });
  const other = await newOperator();
  const keys = [
    await issueKey(database.sql, holder, { rateLimit: 10 }),
    await issueKey(database.sql, holder, { rateLimit: 100 }),
    await issueKey(database.sql, child, { rateLimit: 100 }),
    await issueKey(database.sql, other, { rateLimit: 7 }),
  ];
  const group = (key: number, acting: string | null, count: number, known: unknown, scopes = 'markets:read') => {
    return [hashApiKey(keys[key]?.apiKey ?? ''), acting, scopes, count, known, '127.0.0.1', null];
  };
  const ask = (versions: readonly unknown[], counts: readonly number[]) => [
    group(3, null, counts[0] ?? 0, versions[0]),
    group(1, child.operatorId, counts[1] ?? 0, versions[1]),
    group(0, null, counts[2] ?? 0, versions[2]),
    group(2, null, counts[3] ?? 0, versions[3]),
  ];
  const learned = await answersFor(ask([null, null, null, null], [1, 1, 1, 1]), '2101-01-01T10:00:00Z');
  const versions = learned.map(([, , , version]) => version);
  const nobody = [hashApiKey('pk_test_nobody'), null, '', 1, null];
  const [one, two] = ['2101-01-01T10:01:00Z', '2101-01-01T10:02:00Z'];
  const granted: unknown[] = [];
  // the third passes the ceiling in the middle of the batch, the second and the third the limits of two keys
  for (const counts of [
    [2, 3, 4, 5],
    [6, 1, 8, 2],
    [1, 4, 3, 9],
    [1, 1, 1, 1],
  ]) {
    const together = await answersFor(ask(versions, counts), one);
    expect(together).toEqual((await answersFor([...ask(versions, counts), nobody], two)).slice(0, -1));
    granted.push(together.map(([, , amount]) => amount));
  }
  expect(granted).toEqual([
    [2, 3, 4, 5],
    [5, 1, 6, 2],
    [0, 4, 0, 5],
    [0, 0, 0, 0],
  ]);
  await expectEqualCounts(one, two);
  // two groups of one subject, which count one after the other
  const twice = [...ask(versions, [1, 1, 2, 3]), group(0, null, 9, versions[2], '')];
  const [three, four] = ['2101-01-01T10:03:00Z', '2101-01-01T10:04:00Z'];
  expect((await answersFor(twice, three)).at(-1)).toEqual(['admitted', 2, 8, null, null, null]);
  await answersFor([...twice, nobody], four);
  await expectEqualCounts(three, four);
  // what changed is noticed in company, too
  await revokeKey(database.sql, keys[1]?.keyId ?? '');
  const outcomes = (await answersFor(ask(versions, [1, 1, 1, 1]), '2101-01-01T10:05:00Z')).map(([outcome]) => outcome);
  expect(outcomes).toEqual(['admitted', 'revoked_key', 'admitted', 'admitted']);
});

describe('rate', () => {
  test('ten processes serve exactly the limit of a key', async () => {
    const { apiKey } = await issueKey(database.sql, await newOperator(), { rateLimit: 777 });
    const pools = Array.from({ length: 10 }, (_, index) =>
      connect(database.url, { max: 2, applicationName: `process-${index}` }),
    );
    try {
      await awaitRoomInMinute(10);
      const admissions = await Promise.all(
        pools.flatMap((pool) => {
          const admit = createAdmission(pool);
          return Array.from({ length: 150 }, () => admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: [] }));
        }),
      );
      expect(outcomesOf(admissions)).toEqual({ admitted: 777, rate_limited: 723 });
      const remaining = admissions.filter(({ outcome }) => outcome === 'admitted').map(({ rate }) => rate.remaining);
      expect(new Set(remaining).size).toBe(777);
      expect(Math.min(...remaining)).toBe(0);
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  test('the ceiling of the holder is shared by its keys and children, exactly, across processes', async () => {
    const holder = await newOperator({ rateCeiling: 500 });
    const child = await newOperator({ parent: holder.slug, rateCeiling: 1 });
    const keys = await Promise.all([0, 1, 2].map(() => issueKey(database.sql, holder, { rateLimit: 6000 })));
    const pools = [0, 1, 2, 3].map((index) => connect(database.url, { max: 2, applicationName: `process-${index}` }));
    try {
      await awaitRoomInMinute(10);
      const admissions = await Promise.all(
        pools.flatMap((pool) => {
          const admit = createAdmission(pool);
          return Array.from({ length: 300 }, (_, index) =>
            admit({
              keyHash: hashApiKey(keys[index % 3]?.apiKey ?? ''),
              actingFor: index % 2 === 0 ? child.operatorId : null,
              scopes: index % 5 === 0 ? ['markets:read'] : [],
            }),
          );
        }),
      );
      expect(outcomesOf(admissions)).toEqual({ admitted: 500, rate_limited: 700 });
      // what the headers show is the key, which had room
      expect(admissions.find(({ outcome }) => outcome === 'rate_limited')?.rate.remaining).toBeGreaterThan(0);
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  test('what the key refuses does not reach the ceiling of the tenant', async () => {
    const operator = await newOperator({ rateCeiling: 10 });
    const small = await issueKey(database.sql, operator, { rateLimit: 2 });
    const other = await issueKey(database.sql, operator, { rateLimit: 100 });
    const admit = createAdmission(database.sql);
    await awaitRoomInMinute(5);
    const many = (key: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () => admit({ keyHash: hashApiKey(key), actingFor: null, scopes: [] })),
      );
    expect(outcomesOf(await many(small.apiKey, 50))).toEqual({ admitted: 2, rate_limited: 48 });
    expect(outcomesOf(await many(other.apiKey, 50))).toEqual({ admitted: 8, rate_limited: 42 });
  });

  test('the window rolls with the minute of the wall clock', async () => {
    const operator = await newOperator();
    const { apiKey } = await issueKey(database.sql, operator, { rateLimit: 5 });
    const group = JSON.stringify([[hashApiKey(apiKey), null, '', 4, null]]);
    const at = async (moment: string) => {
      const [row] = await database.sql<[{ answer: string }]>`
        select admit_requests(${group}::text::jsonb, ${moment}::text::timestamptz) as answer`;
      const [resetSeconds, [[, countedBefore, granted]]] = JSON.parse(row.answer);
      return { granted, countedBefore, resetSeconds };
    };
    expect(await at('2026-05-01T10:00:00.000Z')).toEqual({ granted: 4, countedBefore: 0, resetSeconds: 60 });
    expect(await at('2026-05-01T10:00:59.990Z')).toEqual({ granted: 1, countedBefore: 4, resetSeconds: 1 });
    expect(await at('2026-05-01T10:00:30.500Z')).toEqual({ granted: 0, countedBefore: 8, resetSeconds: 30 });
    expect(await at('2026-05-01T10:01:00.000Z')).toEqual({ granted: 4, countedBefore: 0, resetSeconds: 60 });
  });

  test('requests that wait share a call, and many keys in one call stay apart', async () => {
    const sizes: number[] = [];
    const admit = createAdmission(database.sql, { onBatch: (size) => sizes.push(size) });
    const operators = await Promise.all(Array.from({ length: 20 }, () => newOperator()));
    const keys = await Promise.all(operators.map((operator) => issueKey(database.sql, operator, { rateLimit: 3 })));
    await awaitRoomInMinute(5);
    const admissions = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const key = keys[index % 20];
        const admission = await admit({ keyHash: hashApiKey(key?.apiKey ?? ''), actingFor: null, scopes: [] });
        expect(admission.keyId).toBe(key?.keyId);
        return admission;
      }),
    );
    expect(outcomesOf(admissions)).toEqual({ admitted: 60, rate_limited: 40 });
    expect(sizes.length).toBeLessThan(10);
  });

  test('requests without a key are metered by subject, and toward a tenant', async () => {
    const operator = await newOperator({ rateCeiling: 8 });
    const meter = createMeter(database.sql);
    await awaitRoomInMinute(5);
    const tenant = { operatorId: operator.operatorId, ceiling: operator.rateCeiling };
    const metered = await Promise.all([
      ...Array.from({ length: 6 }, () => meter({ subject: 'e:one', limit: 5, tenant })),
      ...Array.from({ length: 6 }, () => meter({ subject: 'e:two', limit: 5, tenant })),
      ...Array.from({ length: 6 }, () => meter({ subject: 'i:127.0.0.1', limit: 5 })),
    ]);
    expect(metered.slice(0, 12).filter(({ allowed }) => allowed)).toHaveLength(8);
    expect(metered.slice(12).filter(({ allowed }) => allowed)).toHaveLength(5);
    expect(metered[12]).toMatchObject({ limit: 5, remaining: 4 });
    expect(metered[17]).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('old windows are forgotten, the current one is not', async () => {
    const meter = createMeter(database.sql);
    await meter({ subject: 'i:now', limit: 5 });
    await database.sql`insert into rate_counters values ('i:old', now() - interval '1 hour', 3)`;
    await forgetOldWindows(database.sql);
    const rows = await database.sql`select subject from rate_counters where subject in ('i:now', 'i:old')`;
    expect(rows.map((row) => row['subject'])).toEqual(['i:now']);
  });
});

const strangerKey = () => hashApiKey(`pk_test_${randomBytes(20).toString('hex')}`);

test('security 21: unknown keys that wait together are one statement, and no known caller waits in it', async () => {
  const { apiKey } = await issueKey(database.sql, await newOperator(), { rateLimit: 6000 });
  const sizes: number[] = [];
  const admit = createAdmission(database.sql, { onBatch: (size) => sizes.push(size) });
  const good = { keyHash: hashApiKey(apiKey), actingFor: null, scopes: [] };
  expect((await admit(good)).outcome).toBe('admitted');
  const strangers = Array.from({ length: 3_000 }, (_, index) =>
    admit({ ...good, keyHash: strangerKey(), address: `203.0.113.${index % 200}` }),
  );
  const [admitted, ...refused] = await Promise.all([admit(good), ...strangers]);
  expect(admitted.outcome).toBe('admitted');
  expect(outcomesOf(refused)).toEqual({ invalid_key: 3_000 });
  expect(sizes.toSorted((one, other) => one - other)).toEqual([1, 1, 3_000]);
});

test('security 21: above 6,000 a minute from one address no unknown or revoked key is asked about; others are', async () => {
  const operator = await newOperator();
  const [kept, ended] = [
    await issueKey(database.sql, operator, { rateLimit: 6000 }),
    await issueKey(database.sql, operator, { rateLimit: 6000 }),
  ];
  let asked = 0;
  const admit = createAdmission(database.sql, {
    onBatch: (size) => {
      asked += size;
    },
  });
  const by = (keyHash: string, address: string) => admit({ keyHash, actingFor: null, scopes: [], address });
  await awaitRoomInMinute(20);
  expect((await by(hashApiKey(kept.apiKey), '198.51.100.7')).outcome).toBe('admitted');
  expect((await by(hashApiKey(ended.apiKey), '198.51.100.7')).outcome).toBe('admitted');
  await revokeKey(database.sql, ended.keyId);
  expect((await by(hashApiKey(ended.apiKey), '198.51.100.7')).outcome).toBe('revoked_key');
  asked = 0;
  const refused = await Promise.all(Array.from({ length: 6_500 }, () => by(strangerKey(), '198.51.100.7')));
  expect(outcomesOf(refused)).toEqual({ invalid_key: 6_500 });
  expect(asked).toBe(6_000);
  // always refused, and without a question
  expect((await by(hashApiKey(ended.apiKey), '198.51.100.7')).outcome).toBe('invalid_key');
  expect(asked).toBe(6_000);
  // a key that this process knows goes on, and so does every other address
  expect((await by(hashApiKey(kept.apiKey), '198.51.100.7')).outcome).toBe('admitted');
  expect((await by(strangerKey(), '198.51.100.8')).outcome).toBe('invalid_key');
  expect((await by(hashApiKey(ended.apiKey), '198.51.100.8')).outcome).toBe('revoked_key');
  expect(asked).toBe(6_003);
}, 60_000);
