/** Leases: one holder, who stops before another can begin, whatever the database or its clock does. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquireLease, type Lease } from '../../src/db/lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';

let database: TestDatabase;
const stop = new AbortController();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  stop.abort();
  await database.close();
});

async function acquire(name: string, durationMs = 8_000): Promise<Lease> {
  const lease = await acquireLease({
    url: database.url,
    applicationName: 'test-lease',
    name,
    signal: stop.signal,
    durationMs,
  });
  if (lease === null) {
    throw new Error('stopped');
  }
  return lease;
}

/** Holds a row lock on the lease, so that nobody can renew or take it. */
async function freeze(name: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from leases where name = $1 for update', [name]);
  return () => client.end();
}

test('one process holds a lease; resigning passes it on under the next epoch', async () => {
  const first = await acquire('handed over');
  let second: Lease | undefined;
  const waiting = acquire('handed over').then((lease) => {
    second = lease;
    return lease;
  });
  await timePasses(1_200);
  expect(second).toBeUndefined();
  expect(first.isHeld()).toBe(true);
  await first.resign();
  expect(first.isHeld()).toBe(false);
  expect(await first.ended).toBe('resigned');
  const next = await waiting;
  expect(next.fence.epoch).toBe(first.fence.epoch + 1n);
  expect(next.fence.holder).not.toBe(first.fence.holder);
  await next.resign();
});

test('a holder that cannot renew stops by its own clock before another process can take the lease', {
  tags: 'proof',
}, async () => {
  const durationMs = 3_000;
  const first = await acquire('unrenewed', durationMs);
  const lostAt = first.ended.then((how) => ({ how, at: performance.now() }));
  const waiting = acquire('unrenewed', durationMs).then((lease) => ({ lease, at: performance.now() }));
  const thaw = await freeze('unrenewed');
  const lost = await lostAt;
  expect(lost.how).toBe('lost');
  expect(first.isHeld()).toBe(false);
  await thaw();
  const taken = await waiting;
  expect(taken.at).toBeGreaterThan(lost.at);
  expect(taken.lease.isHeld()).toBe(true);
  await taken.lease.resign();
});

test('a lease that expired, or that another process took, is neither renewed nor written under', async () => {
  const { sql } = database;
  const take = async (holder: string) =>
    (
      await sql<{ epoch: bigint | null }[]>`
      select taken_epoch as epoch from take_lease('fenced', ${holder}, 60000, null)`
    )[0]?.epoch;
  const renew = async (epoch: bigint, holder: string) =>
    (await sql<{ renewed: boolean }[]>`select renew_lease('fenced', ${epoch}, ${holder}, 60000) as renewed`)[0]
      ?.renewed;
  const write = (epoch: bigint | null, holder: string) => sql`select assert_lease('fenced', ${epoch}, ${holder})`;
  const expire = () => sql`update leases set expires_at = clock_timestamp() where name = 'fenced'`;

  expect(await take('first')).toBe(1n);
  expect(await take('second')).toBeNull();
  expect(await renew(1n, 'first')).toBe(true);
  expect(await renew(1n, 'second')).toBe(false);
  expect(await renew(2n, 'first')).toBe(false);
  await expire();
  expect(await renew(1n, 'first')).toBe(false);
  expect(await take('second')).toBe(2n);
  expect(await renew(1n, 'first')).toBe(false);

  await write(2n, 'second');
  await write(null, 'by hand');
  for (const [epoch, holder] of [
    [1n, 'first'],
    [2n, 'first'],
    [1n, 'second'],
  ] as const) {
    await expect(write(epoch, holder)).rejects.toMatchObject({ code: 'IN050' });
  }
});

test('a holder survives the end of the connection that its heartbeat used', { tags: 'proof' }, async () => {
  const lease = await acquire('reconnected', 4_000);
  const renewed = async () => {
    const [row] = await database.sql<{ expiresAt: Date }[]>`
      select expires_at from leases where name = 'reconnected'`;
    return row?.expiresAt.getTime() ?? 0;
  };
  const taken = await renewed();
  await until(async () => expect(await renewed()).toBeGreaterThan(taken));
  await database.sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name = 'test-lease'`;
  const ended = await renewed();
  // longer than it would hold without another heartbeat
  await until(async () => expect(await renewed()).toBeGreaterThan(ended + 4_000));
  expect(lease.isHeld()).toBe(true);
  await lease.resign();
});

test('a lease whose holder is gone is taken even if the clock of the database went back', async () => {
  await database.sql`
    insert into leases (name, holder, epoch, taken_at, expires_at)
    values ('clock', 'a process that is gone', 7, now(), now() + interval '1 hour')`;
  const before = performance.now();
  const lease = await acquire('clock', 1_000);
  expect(performance.now() - before).toBeGreaterThan(1_000);
  expect(lease.fence.epoch).toBe(8n);
  await lease.resign();
});
