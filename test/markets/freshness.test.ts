/** How old a price is: by the earlier of the venue's time and its receipt, on the database's clock, whoever's clock is wrong. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { type Clock, systemClock } from '../../src/core/time.ts';
import { type Board, openBoard } from '../../src/markets/board/board.ts';
import { contractIdOf } from '../../src/markets/event.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { classifyFreshness } from '../../src/trading/quotes/routing.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';

const log = createLog('silent');
const AHEAD_MS = 600_000;
const ahead: Clock = { now: () => new Date(Date.now() + AHEAD_MS) };
const behind: Clock = { now: () => new Date(Date.now() - AHEAD_MS) };
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

interface Followed {
  readonly venue: TestVenue;
  /** Seconds since the last confirmation, as a board with `clock` sees it. */
  age(): number;
  level(): string | undefined;
  board: Board;
  /** The venue falls silent: neither heartbeats nor the end of the connection. */
  silence(): Promise<void>;
  close(): Promise<void>;
}

/** Follows a venue of that name whose heartbeats carry `venueClock`. */
async function follow(name: string, clocks: { venue?: Clock; leader?: Clock; api?: Clock }): Promise<Followed> {
  const { venue: venueClock = systemClock, leader = systemClock, api = systemClock } = clocks;
  const venue = new TestVenue(name, [event('e1', [market('m1', 'e1')])]);
  venue.setBook('m1', levels([0.4, 10]), levels([0.5, 10]));
  const { watch } = venue;
  venue.watch = (handlers) => watch.call(venue, { ...handlers, confirmed: () => handlers.confirmed(venueClock.now()) });
  const parts = { sql: database.sql, listener: database.listener, log };
  const writes = openBoardWrites({ ...parts, clock: leader, fence: null });
  const following = await followVenue({ venue, rank: 0, writes, clock: leader, log });
  const board = await openBoard({ ...parts, clock: api });
  const contract = () => board.contracts.get(contractIdOf(name, 'm1', null));
  await until(
    async () => contract()?.books.length,
    (count) => count === 1,
  );
  const age = () => board.ageSeconds(contract() as never, name, api.now());
  return {
    venue,
    board,
    age,
    level() {
      const found = contract();
      const book = found?.books[0];
      if (found === undefined || book === undefined) {
        return undefined;
      }
      const judged = classifyFreshness(board, found, book, 0n, api.now());
      return 'freshness' in judged ? judged.freshness.level : judged.refusal.code;
    },
    silence: () => following.close(),
    async close() {
      await following.close();
      await writes.settled();
      await writes.close();
      await board.close();
    },
  };
}

test('a venue whose clock is ahead confirms nothing in the future', { tags: 'proof' }, async () => {
  const followed = await follow('venue-ahead', { venue: ahead });
  await until(
    async () => followed.age(),
    (age) => age < 1,
  );
  await followed.silence();
  await timePasses(2_000);
  expect(followed.age()).toBeGreaterThan(1.5);
  await followed.close();
});

test('a worker whose clock is ahead confirms nothing in the future, and one behind keeps prices live', {
  tags: 'proof',
}, async () => {
  for (const leader of [ahead, behind]) {
    const followed = await follow(leader === ahead ? 'leader-ahead' : 'leader-behind', { leader });
    await until(
      async () => followed.level(),
      (level) => level === 'live',
    );
    await timePasses(1_000);
    expect(followed.age()).toBeLessThan(60);
    await followed.silence();
    await timePasses(2_000);
    expect(followed.age()).toBeGreaterThan(1.5);
    await followed.close();
  }
});

test('an API process whose clock is behind does not call an old price live', { tags: 'proof' }, async () => {
  const followed = await follow('api-behind', { api: behind });
  await followed.silence();
  await followed.board.refresh();
  const before = followed.age();
  await timePasses(2_000);
  expect(before).toBeGreaterThan(0);
  expect(followed.age()).toBeGreaterThan(before + 1.5);
  await followed.close();
});

test('a book that the venue calls old by a clock that is ahead is confirmed when it was received', {
  tags: 'proof',
}, async () => {
  const followed = await follow('book-ahead', {});
  followed.venue.handlers?.books([
    {
      listingId: 'm1',
      bids: levels([0.41, 10]),
      asks: levels([0.5, 10]),
      sequence: 99n,
      observedAt: new Date(),
      feed: 'websocket',
      asOf: ahead.now(),
    },
  ]);
  await timePasses(2_000);
  await followed.board.refresh();
  expect(followed.age()).toBeGreaterThan(1.5);
  await followed.close();
});

test('a price whose feed is down is not live, however short ago it was confirmed', async () => {
  const followed = await follow('down', {});
  await until(
    async () => followed.level(),
    (level) => level === 'live',
  );
  followed.venue.disconnect();
  await until(
    async () => followed.level(),
    (level) => level === 'recent',
  );
  expect(followed.age()).toBeLessThan(5);
  followed.venue.connect();
  await until(
    async () => followed.level(),
    (level) => level === 'live',
  );
  await followed.close();
});
