/** Who leads ingestion, and what happens when a leader fails, freezes or meets a database in recovery. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { connect } from '../../src/db/client.ts';
import { startIngest } from '../../src/jobs/ingest.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { event, levels, market, TestVenue } from '../markets/test-venue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startProgram } from '../support/process.ts';
import { startStandby } from '../support/standby.ts';
import { timePasses, until } from '../support/until.ts';

const log = createLog('silent');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const context = () => ({ sql: database.sql, databaseUrl: database.url, clock: systemClock, log });

/** A venue with one market, whose best bid is `bid`. */
function venueWith(listingId: string, bid: number): TestVenue {
  const venue = new TestVenue('paper', [event(`event-${listingId}`, [market(listingId, `event-${listingId}`)])]);
  venue.setBook(listingId, levels([bid, 10]), levels([0.9, 10]));
  return venue;
}

async function bidOf(listingId: string): Promise<number | undefined> {
  const [row] = await database.sql<{ bid: bigint | null }[]>`
    select bid_prices[1] as bid from listings where listing_id = ${listingId}`;
  return row?.bid === null || row?.bid === undefined ? undefined : Number(row.bid) / 1e6;
}

async function lease(): Promise<{ epoch: bigint; holder: string } | undefined> {
  const [row] = await database.sql<{ epoch: bigint; holder: string }[]>`
    select epoch, holder from leases where name = 'ingestion' and expires_at > clock_timestamp()`;
  return row;
}

async function asOwner(statement: string): Promise<void> {
  const owner = connect(database.ownerUrl, { max: 1, applicationName: 'test-owner' });
  await owner.unsafe(statement);
  await owner.end();
}

test('a leader whose start fails closes what it opened, resigns, and follows once it can', async () => {
  const venue = venueWith('start', 0.3);
  let closed = 0;
  venue.close = async () => {
    closed += 1;
  };
  await asOwner('alter function retire_venues(text[], bigint, text) rename to retire_venues_elsewhere');
  const ingest = startIngest(context(), () => [venue]);
  try {
    await until(
      async () => closed,
      (count) => count > 0,
    );
    expect(await bidOf('start')).toBeUndefined();
    await asOwner('alter function retire_venues_elsewhere(text[], bigint, text) rename to retire_venues');
    await until(
      () => bidOf('start'),
      (bid) => bid === 0.3,
      20_000,
    );
  } finally {
    await ingest.close();
  }
}, 40_000);

test('a leader that was superseded while it followed gives up, and another follows', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const venue = venueWith('superseded', 0.3);
  const ingest = startIngest(context(), () => [venue]);
  try {
    await until(
      () => bidOf('superseded'),
      (bid) => bid === 0.3,
      20_000,
    );
    const before = await lease();
    await database.sql`update leases set epoch = epoch + 1, holder = 'another' where name = 'ingestion'`;
    venue.setBook('superseded', levels([0.4, 10]), levels([0.9, 10]));
    await until(lease, (now) => now !== undefined && now.epoch > (before?.epoch ?? 0n) + 1n, 30_000);
    await until(
      () => bidOf('superseded'),
      (bid) => bid === 0.4,
      20_000,
    );
  } finally {
    await ingest.close();
  }
});

test('writes of ingestion carry the epoch and are refused once another process leads', async () => {
  const [row] = await database.sql<{ epoch: bigint }[]>`
    select taken_epoch as epoch from take_lease('ingestion', 'the older', 60000, null)`;
  const venue = venueWith('fenced', 0.3);
  const older = openBoardWrites({ ...context(), fence: { epoch: row?.epoch ?? 0n, holder: 'the older' } });
  const following = await followVenue({ ...context(), venue, rank: 0, writes: older });
  await until(
    () => bidOf('fenced'),
    (bid) => bid === 0.3,
  );
  // the same epoch under another holder is what a fail-over that lost a commit makes
  await database.sql`update leases set holder = 'the newer', expires_at = now() where name = 'ingestion'`;
  venue.setBook('fenced', levels([0.35, 10]), levels([0.9, 10]));
  await older.superseded;
  expect(await bidOf('fenced')).toBe(0.3);
  await expect(older.withdrawUnlisted('paper', 0, [])).rejects.toMatchObject({ code: 'IN050' });
  await following.close();
  await older.close();
});

test('a frozen leader is replaced, and what it writes when it wakes is refused', {
  timeout: 90_000,
  tags: 'proof',
}, async () => {
  const leader = startProgram(process.execPath, [new URL('ingest-child.ts', import.meta.url).pathname, database.url]);
  const ended = leader.ended.catch(() => undefined);
  await until(
    () => bidOf('m1'),
    (bid) => bid !== undefined,
    30_000,
  );
  const first = await lease();
  const venue = venueWith('m1', 0.5);
  const ingest = startIngest(context(), () => [venue]);
  try {
    leader.child.kill('SIGSTOP');
    await until(
      () => bidOf('m1'),
      (bid) => bid === 0.5,
      30_000,
    );
    const second = await lease();
    expect(second?.epoch).toBeGreaterThan(first?.epoch ?? 0n);
    leader.child.kill('SIGCONT');
    for (const end = Date.now() + 4_000; Date.now() < end; ) {
      expect(await bidOf('m1')).toBe(0.5);
      await timePasses(50);
    }
    expect((await lease())?.holder).toBe(second?.holder);
  } finally {
    leader.child.kill('SIGKILL');
    await ended;
    await ingest.close();
  }
});

test('no leader while the database is in recovery; ingestion begins when it is promoted', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const standby = await startStandby();
  const sql = connect(standby.url, { max: 4, applicationName: 'test-standby' });
  const venue = venueWith('standby', 0.3);
  let opened = 0;
  const ingest = startIngest({ ...context(), sql, databaseUrl: standby.url }, () => {
    opened += 1;
    return [venue];
  });
  try {
    await timePasses(3_000);
    expect(opened).toBe(0);
    await standby.promote();
    const written = async () => (await sql`select from listings where listing_id = 'standby'`).length;
    await until(written, (count) => count === 1, 30_000);
  } finally {
    await ingest.close();
    await sql.end({ timeout: 1 });
    await standby.close();
  }
});
