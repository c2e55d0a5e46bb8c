/** What changes while requests are admitted by leases of a budget counts from its commit (docs/access.md). */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { changeOperator } from '../../src/operators/change-operator.ts';
import { revokeKey, rotateKey } from '../../src/operators/issue-key.ts';
import {
  ask,
  database,
  type Key,
  LONGEST_LEASE_MS,
  leaseInThisFile,
  newKey,
  newOperator,
  SCOPES,
  startProcess,
  warm,
} from '../support/leasing.ts';

leaseInThisFile();

/** Makes requests without a pause until the change has been committed, and tells what those after it saw. */
async function changeUnderLoad(key: Key, change: () => Promise<unknown>, actingFor: string | null = null) {
  const process = startProcess();
  await warm(process, key, actingFor);
  let isOver = false;
  let leasedBefore = 0;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      await ask(process, key, actingFor);
      await sleep(1);
    }
  });
  await sleep(50);
  const since = performance.now();
  await change();
  const tookMs = performance.now() - since;
  leasedBefore = process.leased;
  const after = await ask(process, key, actingFor);
  isOver = true;
  await Promise.all(load);
  expect(leasedBefore).toBeGreaterThan(10);
  expect(tookMs).toBeLessThan(LONGEST_LEASE_MS + 1_500);
  return { after, tookMs };
}

const CHANGES: readonly [name: string, change: (key: Key) => Promise<unknown>, outcome: string][] = [
  ['a revoked key', (key) => revokeKey(database.sql, key.keyId), 'revoked_key'],
  ['a key that was replaced at once', (key) => rotateKey(database.sql, key.keyId, 0), 'revoked_key'],
  [
    'a suspended operator',
    (key) => changeOperator(database.sql, key.operator.slug, { status: 'suspended' }),
    'operator_suspended',
  ],
  [
    'a key that lost a scope',
    (key) => database.sql`update api_keys set scopes = '{orders:read}' where key_id = ${key.keyId}`,
    'insufficient_scope',
  ],
  [
    'a key that was bound to addresses',
    (key) => database.sql`update api_keys set allowed_addresses = '{10.0.0.0/8}' where key_id = ${key.keyId}`,
    'address_not_allowed',
  ],
];

for (const [name, change, outcome] of CHANGES) {
  test(`${name} is refused from the commit on, while requests arrive`, async () => {
    const key = await newKey();
    expect((await changeUnderLoad(key, () => change(key))).after.outcome).toBe(outcome);
  });
}

test('a setting of the operator, of a child and of the parent counts from the commit on', async () => {
  const key = await newKey();
  const { slug } = key.operator;
  const changed = await changeUnderLoad(key, () => changeOperator(database.sql, slug, { platformFeeBps: 321 }));
  expect(changed.after.operator.platformFeeBps).toBe(321);
  const child = await newOperator({ parent: slug });
  const suspended = await changeUnderLoad(
    key,
    () => changeOperator(database.sql, child.slug, { status: 'suspended' }),
    child.operatorId,
  );
  expect(suspended.after.outcome).toBe('operator_suspended');
  const own = await newKey({}, await newOperator({ parent: slug }));
  const limited = await changeUnderLoad(own, () => changeOperator(database.sql, slug, { rateCeiling: 1 }));
  expect(limited.after.outcome).toBe('rate_limited');
});

test('a statement that changes many operators waits for all of their leases at once', async () => {
  const process = startProcess();
  const keys = await Promise.all([newKey(), newKey(), newKey(), newKey()]);
  for (const key of keys) {
    await warm(process, key);
  }
  const ids = keys.map(({ operatorId }) => operatorId);
  const leased = database.sql<{ leased: number }[]>`
    select sum(leased)::integer as leased from rate_counters where subject in ${database.sql(ids.map((id) => `t:${id}`))}`;
  expect((await leased)[0]?.leased).toBeGreaterThan(0);
  let isOver = false;
  const load = keys.map(async (key) => {
    while (!isOver) {
      await ask(process, key);
      await sleep(1);
    }
  });
  const since = performance.now();
  await database.sql`update operators set platform_fee_bps = 77 where operator_id in ${database.sql(ids)}`;
  const tookMs = performance.now() - since;
  const after = await Promise.all(keys.map((key) => ask(process, key)));
  isOver = true;
  await Promise.all(load);
  expect(after.map(({ operator }) => operator.platformFeeBps)).toEqual([77, 77, 77, 77]);
  expect(tookMs).toBeLessThan(2 * LONGEST_LEASE_MS);
});

test('a change that waits is not overtaken by new leases, and one without leases does not wait', async () => {
  const process = startProcess();
  const [key, quiet] = [await newKey(), await newKey()];
  await warm(process, key);
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    await owner.query('begin');
    await owner.query('update api_keys set rate_limit = 17 where key_id = $1', [key.keyId]);
    const before = process.leased;
    for (let count = 0; count < 50; count += 1) {
      await ask(process, key);
      await sleep(2);
    }
    expect(process.leased).toBe(before);
    await owner.query('commit');
    expect((await ask(process, key)).rate.limit).toBe(17);
    const since = performance.now();
    await revokeKey(database.sql, quiet.keyId);
    expect(performance.now() - since).toBeLessThan(LONGEST_LEASE_MS - 100);
  } finally {
    await owner.end();
  }
});

test('a transaction with an older snapshot waits for as long as a lease lasts', async () => {
  const key = await newKey();
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  try {
    const change = async () => {
      await owner.query('begin isolation level repeatable read');
      await owner.query('select from api_keys');
      await sleep(LONGEST_LEASE_MS);
      await owner.query('update api_keys set revoked_at = now() where key_id = $1', [key.keyId]);
      await owner.query('commit');
    };
    expect((await changeUnderLoad(key, change)).after.outcome).toBe('revoked_key');
  } finally {
    await owner.end();
  }
});

test('a lease ends with the key, and with the minute', async () => {
  const process = startProcess();
  const key = await newKey({ expiresAt: new Date(Date.now() + 1_200) });
  await warm(process, key);
  const outcomes: string[] = [];
  const expired = async () => {
    const [row] = await database.sql<[{ expired: boolean }]>`
      select expires_at <= clock_timestamp() as expired from api_keys where key_id = ${key.keyId}`;
    return row.expired;
  };
  while (!(await expired())) {
    outcomes.push((await ask(process, key)).outcome);
    await sleep(1);
  }
  outcomes.push((await ask(process, key)).outcome);
  expect(new Set(outcomes)).toEqual(new Set(['admitted', 'expired_key']));
  expect(outcomes.at(-1)).toBe('expired_key');

  const other = await newKey();
  await ask(process, other);
  const version = async (moment: string, known: string | null) => {
    const group = [other.keyHash, null, SCOPES.join(' '), 1, known, null, null, 20, LONGEST_LEASE_MS, other.operatorId];
    const [row] = await database.sql<[{ answer: string }]>`
      select admit_requests(${JSON.stringify([group])}::text::jsonb, ${moment}::text::timestamptz) as answer`;
    return JSON.parse(row.answer)[1][0];
  };
  const [, , , known] = await version('2102-01-01T10:00:59.800Z', null);
  const [, before, granted, , , lease] = await version('2102-01-01T10:00:59.800Z', known);
  expect([before, granted]).toEqual([1, 1]);
  expect(lease[0]).toBe(20);
  expect(new Date(lease[1])).toEqual(new Date('2102-01-01T10:01:00Z'));
  expect(lease[2]).toBeLessThanOrEqual(200);
});
