/** Key, operator, aggregator, scope and rate: contract chapter 34, contract 35.7. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { type Admission, createAdmission as admitBy } from '../../src/operators/admission.ts';
import type { CallerOptions } from '../../src/operators/callers.ts';
import { hashApiKey, issueKey, revokeKey, rotateKey } from '../../src/operators/keys.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { changeOperator, createOperator } from '../../src/operators/operators.ts';
import { forgetOldWindows, openRateCounters, type RateCounters } from '../../src/operators/rate-counters.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { inOneMinute } from '../support/one-minute.ts';
import { timePasses, until } from '../support/until.ts';

let database: TestDatabase;
let made = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});

const opened: RateCounters[] = [];
afterAll(async () => {
  await Promise.all(opened.map((counters) => counters.close()));
  await database.close();
});

function openCounters(sql: Sql = database.sql): RateCounters {
  const counters = openRateCounters(sql, createLog('silent'));
  opened.push(counters);
  return counters;
}

/** One API process, as far as admission goes. */
const createAdmission = (sql: Sql, options: CallerOptions = { rememberMs: 0 }) =>
  admitBy(sql, openCounters(sql), options);

const newOperator = (settings: Partial<Parameters<typeof createOperator>[1]> = {}): Promise<Operator> => {
  made += 1;
  return createOperator(database.sql, { slug: `op-${made}`, mode: 'sandbox', ...settings });
};

function outcomesOf(admissions: readonly Admission[]): Record<string, number> {
  return Object.fromEntries(
    Map.groupBy(admissions, ({ outcome }) => outcome)
      .entries()
      .map(([outcome, members]) => [outcome, members.length]),
  );
}

describe('keys', () => {
  // contract 34.5
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

  // contract 34.1, contract 35.2
  test('live keys begin sk_live_ and hold 600 a minute, sandbox keys 120', async () => {
    const live = await issueKey(database.sql, await newOperator({ mode: 'live' }));
    expect(live.apiKey).toMatch(/^sk_live_/);
    expect(live.rateLimit).toBe(600);
    expect((await issueKey(database.sql, await newOperator())).rateLimit).toBe(120);
  });

  // contract 34.1
  test('the mode is that of the operator, whatever the text of the key says', async () => {
    const sandbox = await newOperator();
    const { keyId } = await issueKey(database.sql, sandbox);
    const text = `sk_live_${'x'.repeat(40)}`;
    await database.sql`update api_keys set key_hash = decode(${hashApiKey(text)}, 'hex') where key_id = ${keyId}`;
    const admit = createAdmission(database.sql);
    const admission = await admit({ keyHash: hashApiKey(text), actingFor: null, scopes: [] });
    expect(admission).toMatchObject({
      outcome: 'admitted',
      operator: { operatorId: sandbox.operatorId, mode: 'sandbox' },
    });
  });

  // contract 34.3
  test('the key itself is nowhere in the database', async () => {
    const { apiKey } = await issueKey(database.sql, await newOperator());
    const rows = await database.sql`select k::text as text from api_keys k`;
    expect(rows.some((row) => String(row['text']).includes(apiKey))).toBe(false);
  });

  // contract 34.2
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
    await Promise.all(opened.map((counters) => counters.flush()));
    const [row] = await database.sql`select count from rate_counters where subject like ${`k:${keyId}:%`}`;
    expect(row?.['count']).toBe(1n);
  });

  // contract 39.7
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
  // contract 34.6
  test('a missing scope consumes nothing and shows the current budget', async () => {
    const admit = createAdmission(database.sql);
    const { apiKey } = await issueKey(database.sql, await newOperator(), { scopes: ['orders:read'], rateLimit: 10 });
    const keyHash = hashApiKey(apiKey);
    await inOneMinute(2, async () => {
      await admit({ keyHash, actingFor: null, scopes: ['orders:read'] });
      for (let again = 0; again < 3; again += 1) {
        const refused = await admit({ keyHash, actingFor: null, scopes: ['orders:read', 'orders:write'] });
        expect(refused).toMatchObject({ outcome: 'insufficient_scope', scopes: ['orders:read'] });
        expect(refused.rate).toMatchObject({ limit: 10, remaining: 9 });
      }
    });
  });

  // contract 34.5
  test('an empty list of scopes grants nothing', async () => {
    const admit = createAdmission(database.sql);
    const { apiKey } = await issueKey(database.sql, await newOperator(), { scopes: [] });
    const refused = await admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: ['markets:read'] });
    expect(refused.outcome).toBe('insufficient_scope');
  });

  // contract 34.4
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

  // contract 34.9
  test('a holder acts only for itself and for a direct child', async () => {
    const admit = createAdmission(database.sql);
    const holder = await newOperator();
    const child = await newOperator({ parent: holder.slug });
    const stranger = await newOperator();
    const { apiKey } = await issueKey(database.sql, holder, { rateLimit: 10 });
    const ask = (actingFor: string | null) =>
      admit({ keyHash: hashApiKey(apiKey), actingFor, scopes: ['markets:read'] });
    await inOneMinute(2, async () => {
      expect((await ask(holder.operatorId)).operator.operatorId).toBe(holder.operatorId);
      const forChild = await ask(child.operatorId);
      expect(forChild).toMatchObject({ outcome: 'admitted', holderId: holder.operatorId });
      expect(forChild.operator.operatorId).toBe(child.operatorId);
      // counted apart: the call for the holder left the child's budget alone
      expect(forChild.rate.remaining).toBe(9);
    });
    for (const other of [stranger.operatorId, 'op_none', child.slug]) {
      expect((await ask(other)).outcome).toBe('operator_not_permitted');
    }
    await changeOperator(database.sql, child.slug, { status: 'suspended' });
    expect((await ask(child.operatorId)).outcome).toBe('operator_suspended');
    await changeOperator(database.sql, stranger.slug, { status: 'suspended' });
    expect((await ask(stranger.operatorId)).outcome).toBe('operator_not_permitted');
  });
});

test('what a key may do is remembered for half a second, and is read again while it is in use', async () => {
  let reads = 0;
  const admit = createAdmission(database.sql, { onRead: () => (reads += 1) });
  const operator = await newOperator({ platformFeeBps: 100 });
  const { apiKey, keyId } = await issueKey(database.sql, operator, { rateLimit: 6000 });
  const ask = () => admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: ['markets:read'] });
  const first = await ask();
  expect((await ask()).operator).toBe(first.operator);
  await changeOperator(database.sql, operator.slug, { platformFeeBps: 300 });
  await database.sql`update api_keys set scopes = '{orders:read}', rate_limit = 17 where key_id = ${keyId}`;
  const changedAt = performance.now();
  let asked = 0;
  let knownAfter = 0;
  let longestMs = 0;
  for (let [now, before] = [changedAt, changedAt]; asked <= 50 || now < changedAt + 1_500; before = now) {
    const { outcome } = await ask();
    asked += 1;
    if (outcome === 'insufficient_scope') {
      knownAfter ||= performance.now() - changedAt;
    } else {
      expect(knownAfter).toBe(0);
    }
    await timePasses(5);
    now = performance.now();
    longestMs = Math.max(longestMs, now - before);
  }
  // what is asked while the machine does something else cannot be answered meanwhile
  expect(knownAfter).toBeLessThan(500 + 2 * longestMs);
  expect(await ask()).toMatchObject({ outcome: 'insufficient_scope', scopes: ['orders:read'], rate: { limit: 17 } });
  expect((await ask()).operator.platformFeeBps).toBe(300);
  // twice in half a second, however many requests come
  expect(reads).toBeLessThan(4 + (performance.now() - changedAt) / 200);
});

describe('rate', () => {
  // contract 35.9
  test('one process serves exactly the limit of a key, and numbers what is left', async () => {
    const { apiKey } = await issueKey(database.sql, await newOperator(), { rateLimit: 777 });
    const admit = createAdmission(database.sql);
    const admissions = await inOneMinute(10, async () => {
      const all = await Promise.all(
        Array.from({ length: 1_500 }, () => admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: [] })),
      );
      expect(outcomesOf(all)).toEqual({ admitted: 777, rate_limited: 723 });
      return all;
    });
    const remaining = admissions.filter(({ outcome }) => outcome === 'admitted').map(({ rate }) => rate.remaining);
    expect(new Set(remaining).size).toBe(777);
    expect(Math.min(...remaining)).toBe(0);
  });

  // contract 35.3
  test('the ceiling of the holder is shared by its keys and children, exactly', async () => {
    const holder = await newOperator({ rateCeiling: 500 });
    const child = await newOperator({ parent: holder.slug, rateCeiling: 1 });
    const keys = await Promise.all([0, 1, 2].map(() => issueKey(database.sql, holder, { rateLimit: 6000 })));
    const admit = createAdmission(database.sql);
    const admissions = await inOneMinute(10, async () => {
      const all = await Promise.all(
        Array.from({ length: 1_200 }, (_, index) =>
          admit({
            keyHash: hashApiKey(keys[index % 3]?.apiKey ?? ''),
            actingFor: index % 2 === 0 ? child.operatorId : null,
            scopes: index % 5 === 0 ? ['markets:read'] : [],
          }),
        ),
      );
      expect(outcomesOf(all)).toEqual({ admitted: 500, rate_limited: 700 });
      return all;
    });
    // what the headers show is the key, which had room
    expect(admissions.find(({ outcome }) => outcome === 'rate_limited')?.rate.remaining).toBeGreaterThan(0);
  });

  // contract 35.9
  test('three processes admit beyond a limit what arrives within 100 ms, and never more than three limits', {
    tags: 'proof',
  }, async () => {
    const pools = [0, 1, 2].map((index) => connect(database.url, { max: 2, applicationName: `process-${index}` }));
    try {
      const processes = pools.map((pool) => createAdmission(pool));
      await inOneMinute(20, async () => {
        // each process adds what it counted within 100 ms, and learns with that what the others had added
        const { apiKey, keyId } = await issueKey(database.sql, await newOperator(), { rateLimit: 300 });
        const outcomes: Admission[] = [];
        const written = async () => {
          const [row] = await database.sql<{ sum: number }[]>`
            select coalesce(sum(count), 0)::int as sum from rate_counters where subject like ${`k:${keyId}:%`}`;
          return row?.sum;
        };
        for (let batch = 0; batch < 8; batch += 1) {
          for (let round = 0; round < 20; round += 1) {
            outcomes.push(
              ...(await Promise.all(
                processes.map((admit) => admit({ keyHash: hashApiKey(apiKey), actingFor: null, scopes: [] })),
              )),
            );
          }
          await until(async () => expect(await written()).toBe(outcomes.length));
        }
        const { admitted = 0 } = outcomesOf(outcomes);
        expect(admitted).toBeGreaterThanOrEqual(300);
        // 60 requests in a batch, of which a process may learn with its part of the batch after it
        expect(admitted).toBeLessThanOrEqual(300 + 2 * 60);
      });

      // all at once, before any process has heard of another
      await inOneMinute(10, async () => {
        const burst = await issueKey(database.sql, await newOperator(), { rateLimit: 100 });
        const all = await Promise.all(
          processes.flatMap((admit) =>
            Array.from({ length: 200 }, () =>
              admit({ keyHash: hashApiKey(burst.apiKey), actingFor: null, scopes: [] }),
            ),
          ),
        );
        expect(outcomesOf(all)['admitted'] ?? 0).toBeGreaterThanOrEqual(100);
        expect(outcomesOf(all)['admitted'] ?? 0).toBeLessThanOrEqual(300);
      });
    } finally {
      await Promise.all(opened.splice(-3).map((counters) => counters.close()));
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  test('counts that could not be written are kept, and written with the next ones', async () => {
    const closed = connect(database.url, { max: 1, applicationName: 'closed' });
    await closed.end();
    let sql: Sql = closed;
    const through = new Proxy(database.sql, {
      apply: (_, self, args) => Reflect.apply(sql as unknown as (...all: unknown[]) => unknown, self, args),
    });
    const counters = openCounters(through);
    counters.count({ subject: 'i:kept', limit: 10 });
    await expect(counters.flush()).rejects.toThrow();
    counters.count({ subject: 'i:kept', limit: 10 });
    expect(counters.look('i:kept', 10).remaining).toBe(8);
    sql = database.sql;
    await counters.flush();
    const [row] = await database.sql`select count from rate_counters where subject = 'i:kept'`;
    expect(row?.['count']).toBe(2n);
  });

  test('what the key refuses does not reach the ceiling of the tenant', async () => {
    const operator = await newOperator({ rateCeiling: 10 });
    const small = await issueKey(database.sql, operator, { rateLimit: 2 });
    const other = await issueKey(database.sql, operator, { rateLimit: 100 });
    const admit = createAdmission(database.sql);
    const many = (key: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () => admit({ keyHash: hashApiKey(key), actingFor: null, scopes: [] })),
      );
    await inOneMinute(5, async () => {
      expect(outcomesOf(await many(small.apiKey, 50))).toEqual({ admitted: 2, rate_limited: 48 });
      expect(outcomesOf(await many(other.apiKey, 50))).toEqual({ admitted: 8, rate_limited: 42 });
    });
  });

  // contract 35.1
  test('the window rolls with the minute of the clock of the database', () => {
    const counters = openCounters();
    const at = (moment: string) => {
      counters.setClock(new Date(moment));
      const { allowed, remaining, resetSeconds } = counters.count({ subject: 'i:rolls', limit: 2 });
      return { allowed, remaining, resetSeconds };
    };
    expect(at('2100-05-01T10:00:00.000Z')).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
    expect(at('2100-05-01T10:00:30.500Z')).toEqual({ allowed: true, remaining: 0, resetSeconds: 30 });
    expect(at('2100-05-01T10:00:59.500Z')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    expect(at('2100-05-01T10:01:00.000Z')).toEqual({ allowed: true, remaining: 1, resetSeconds: 60 });
  });

  test('keys that wait together are read with one statement, and stay apart', async () => {
    const sizes: number[] = [];
    const admit = createAdmission(database.sql, { rememberMs: 0, onRead: (callers) => sizes.push(callers) });
    const operators = await Promise.all(Array.from({ length: 20 }, () => newOperator()));
    const keys = await Promise.all(operators.map((operator) => issueKey(database.sql, operator, { rateLimit: 3 })));
    await inOneMinute(5, async () => {
      sizes.length = 0;
      const admissions = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const key = keys[index % 20];
          const admission = await admit({ keyHash: hashApiKey(key?.apiKey ?? ''), actingFor: null, scopes: [] });
          expect(admission.keyId).toBe(key?.keyId);
          return admission;
        }),
      );
      expect(outcomesOf(admissions)).toEqual({ admitted: 60, rate_limited: 40 });
    });
    expect(sizes.length).toBeLessThan(10);
    expect(Math.max(...sizes)).toBe(20);
  });

  test('requests without a key are metered by subject, and toward a tenant', async () => {
    const operator = await newOperator({ rateCeiling: 8 });
    const { count } = openCounters();
    const tenant = { operatorId: operator.operatorId, ceiling: operator.rateCeiling };
    const metered = await inOneMinute(5, async () => [
      ...Array.from({ length: 6 }, () => count({ subject: 'e:one', limit: 5, tenant })),
      ...Array.from({ length: 6 }, () => count({ subject: 'e:two', limit: 5, tenant })),
      ...Array.from({ length: 6 }, () => count({ subject: 'i:127.0.0.1', limit: 5 })),
    ]);
    expect(metered.slice(0, 12).filter(({ allowed }) => allowed)).toHaveLength(8);
    expect(metered.slice(12).filter(({ allowed }) => allowed)).toHaveLength(5);
    expect(metered[12]).toMatchObject({ limit: 5, remaining: 4 });
    expect(metered[17]).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('old windows are forgotten, the current one is not', async () => {
    const counters = openCounters();
    counters.count({ subject: 'i:now', limit: 5 });
    await counters.flush();
    await database.sql`insert into rate_counters values ('i:old', now() - interval '1 hour', 3)`;
    await forgetOldWindows(database.sql);
    const rows = await database.sql`select subject from rate_counters where subject in ('i:now', 'i:old')`;
    expect(rows.map((row) => row['subject'])).toEqual(['i:now']);
  });
});

const strangerKey = () => hashApiKey(`pk_test_${randomBytes(20).toString('hex')}`);

// contract 35.10
test('unknown keys that wait together are one statement, and no known caller waits in it', async () => {
  const { apiKey } = await issueKey(database.sql, await newOperator(), { rateLimit: 6000 });
  const sizes: number[] = [];
  const admit = createAdmission(database.sql, { rememberMs: 0, onRead: (callers) => sizes.push(callers) });
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

// contract 35.10
test('above 6,000 a minute from one address no unknown or revoked key is asked about; others are', async () => {
  const operator = await newOperator();
  const [kept, ended] = [
    await issueKey(database.sql, operator, { rateLimit: 6000 }),
    await issueKey(database.sql, operator, { rateLimit: 6000 }),
  ];
  let asked = 0;
  const admit = createAdmission(database.sql, {
    rememberMs: 0,
    onRead: (callers) => {
      asked += callers;
    },
  });
  const by = (keyHash: string, address: string) => admit({ keyHash, actingFor: null, scopes: [], address });
  expect((await by(hashApiKey(ended.apiKey), '198.51.100.7')).outcome).toBe('admitted');
  await revokeKey(database.sql, ended.keyId);
  await inOneMinute(20, async () => {
    expect((await by(hashApiKey(kept.apiKey), '198.51.100.7')).outcome).toBe('admitted');
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
  });
});

// contract 34.9
test('a key that names operators of others costs the database no more than its budget', async () => {
  const holder = await newOperator();
  const child = await newOperator({ parent: holder.slug });
  const { apiKey } = await issueKey(database.sql, holder, { rateLimit: 20 });
  const keyHash = hashApiKey(apiKey);
  await inOneMinute(10, async () => {
    let reads = 0;
    const admit = createAdmission(database.sql, { onRead: (callers) => (reads += callers) });
    for (let guess = 0; guess < 60; guess += 1) {
      const { outcome } = await admit({ keyHash, actingFor: `op_guess${guess}`, scopes: [] });
      expect([guess, outcome]).toEqual([guess, guess < 20 ? 'operator_not_permitted' : 'rate_limited']);
    }
    expect(reads).toBe(20);
    // what it may do is not touched: the key itself, and a child once it is known
    expect((await admit({ keyHash, actingFor: null, scopes: [] })).outcome).toBe('admitted');
  });
  const other = createAdmission(database.sql);
  expect((await other({ keyHash, actingFor: child.operatorId, scopes: [] })).outcome).toBe('admitted');
});

test('made-up operators push nothing out of what a process remembers', async () => {
  const known = hashApiKey((await issueKey(database.sql, await newOperator())).apiKey);
  const own = await newOperator();
  const { apiKey } = await issueKey(database.sql, own, { rateLimit: 6000 });
  let reads = 0;
  const admit = createAdmission(database.sql, { rememberMs: 60_000, onRead: (callers) => (reads += callers) });
  await admit({ keyHash: known, actingFor: null, scopes: [] });
  await Promise.all(
    Array.from({ length: 5_500 }, (_, guess) =>
      admit({ keyHash: hashApiKey(apiKey), actingFor: `${own.operatorId} ${guess}`, scopes: [] }),
    ),
  );
  reads = 0;
  await admit({ keyHash: known, actingFor: null, scopes: [] });
  expect(reads).toBe(0);
});
