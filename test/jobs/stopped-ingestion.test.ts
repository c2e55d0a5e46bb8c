/** Backends of the database that stop answering the worker that leads ingestion: prices go on, and the log says what happened. */
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/core/time.ts';
import { connect } from '../../src/db/client.ts';
import { startIngest } from '../../src/jobs/ingest.ts';
import { event, levels, market, TestVenue } from '../markets/test-venue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFrozenProcesses } from '../support/frozen-processes.ts';
import { until } from '../support/until.ts';

const APPLICATION = 'test-stopped-ingestion';
const DEADLINE_MS = 2_000;
/** The deadline of a statement, a pause before the next try, and a loaded machine. */
const GOES_ON_WITHIN_MS = 12_000;

let database: TestDatabase;
const { pids: stopped, freeze, thaw } = createFrozenProcesses();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  thaw();
  await database.close();
});

/** Stops every backend that writes for the leader while it runs no statement, so that it holds no lock. */
async function freezeIdle(): Promise<void> {
  for (;;) {
    const idle = await database.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = ${APPLICATION} and state = 'idle'`;
    for (const { pid } of idle) {
      freeze(pid);
    }
    const caught = await database.sql`
      select from pg_stat_activity where pid = any (${[...stopped]}::integer[]) and state <> 'idle'`;
    if (idle.length > 0 && caught.length === 0) {
      return;
    }
    thaw();
  }
}

const bid = async () => {
  const [row] = await database.sql<
    { bid: bigint }[]
  >`select bid_prices[1] as bid from listings where listing_id = 'm1'`;
  return row?.bid;
};

test('backends of the leader that stop leave the prices live, and the log says so', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'debug' }, { write: (text: string) => void lines.push(JSON.parse(text)) });
  const sql = connect(database.url, { max: 2, applicationName: APPLICATION, deadlineMs: DEADLINE_MS });
  const venue = new TestVenue('paper', [event('e1', [market('m1', 'e1')])]);
  const setBid = (price: number) => venue.setBook('m1', levels([price, 10]), levels([0.9, 10]));
  setBid(0.3);
  const ingest = startIngest({ sql, databaseUrl: database.url, clock: systemClock, log }, () => [venue]);
  try {
    await until(bid, (now) => now === 300_000n, 20_000);
    const warned = () => lines.some(({ level, msg }) => level >= 40 && msg === 'ingestion could not write; will retry');
    // a write that opens a connection meets no stopped backend, so the next one has to find that one stopped as well
    for (let cents = 31; cents < 40 && !warned(); cents += 1) {
      await freezeIdle();
      setBid(cents / 100);
      await until(bid, (now) => now === BigInt(cents) * 10_000n, GOES_ON_WITHIN_MS);
    }
    expect(warned()).toBe(true);
    const pids = [...stopped];
    setBid(0.5);
    await until(bid, (now) => now === 500_000n, GOES_ON_WITHIN_MS);
    // what a stopped backend had received is older than what was written meanwhile
    thaw();
    await until(
      () => database.sql`select from pg_stat_activity where pid = any (${pids}::integer[]) and state <> 'idle'`,
      (running) => running.length === 0,
    );
    expect(await bid()).toBe(500_000n);
  } finally {
    thaw();
    await ingest.close();
    await sql.end({ timeout: 1 });
  }
});
