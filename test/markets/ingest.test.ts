/** Ingestion from a venue to several boards over a real PostgreSQL. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { connect, type Sql } from '../../src/db/client.ts';
import { type Board, openBoard } from '../../src/markets/board/board.ts';
import { readBoardRows } from '../../src/markets/board/board-rows.ts';
import { BoardState } from '../../src/markets/board/board-state.ts';
import { contractIdOf, eventIdOf } from '../../src/markets/event.ts';
import { type BoardWrites, openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { type Following, followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { readEventCourse, thinPrices } from '../../src/markets/prices/price-history.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';

const log = createLog('silent');
const clock = systemClock;
let database: TestDatabase;
let owner: Sql;
let venue: TestVenue;
let writes: BoardWrites;
let following: Following;
let boards: Board[];

function idOf(listingId: string): string {
  return contractIdOf('paper', listingId, null);
}

const parts = () => ({ ...database, databaseUrl: database.url, clock, log });

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, { max: 1, applicationName: 'test-owner' });
  // results are append-only, but not from one test to the next
  await owner`set session_replication_role = replica`;
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

beforeEach(async () => {
  venue = new TestVenue('paper', [
    event('e1', [market('m1', 'e1')]),
    event('e2', [market('m2', 'e2'), market('m3', 'e2'), market('m4', 'e2')]),
  ]);
  for (const [index, listingId] of ['m1', 'm2', 'm3', 'm4'].entries()) {
    venue.setBook(listingId, levels([0.4 + index / 100, 100]), levels([0.45 + index / 100, 50], [0.5, 200]));
  }
  writes = openBoardWrites({ sql: database.sql, log, clock, fence: null });
  following = await followVenue({ venue, rank: 0, writes, clock, log });
  boards = await Promise.all([openBoard(parts()), openBoard(parts())]);
  await until(() => expect(boards[0]?.contracts.get(idOf('m4'))?.books).toHaveLength(1));
});

afterEach(async () => {
  await following.close();
  await writes.close();
  await Promise.all(boards.map((board) => board.close()));
  const tables = ['listings', 'contract_resolutions', 'price_history', 'contracts', 'event_course', 'events'];
  for (const table of [...tables, 'routing_groups']) {
    await owner`delete from ${owner(table)}`;
  }
});

test('the course of a coin and of a match is kept: each reported price, and each change of the score', async () => {
  const eventId = eventIdOf('paper', 'e1', null);
  const at = (second: number) => new Date(Date.UTC(2026, 10, 27, 12, 0, second));
  const unix = (second: number) => at(second).getTime() / 1000;
  const course = (since = new Date(0)) => readEventCourse(database.sql, eventId, since);
  for (const [second, price] of [
    [2, 104_250.1],
    [4, 104_251],
  ] as const) {
    venue.handlers?.changes([{ type: 'coin', eventId: 'e1', price, at: at(second) }]);
    await writes.settled();
  }
  expect((await course()).coin).toEqual([
    [unix(2), 104_250.1],
    [unix(4), 104_251],
  ]);
  expect((await course(at(2))).coin).toEqual([[unix(4), 104_251]]);

  for (const [second, homeScore] of [
    [10, 0],
    [20, 0],
    [30, 1],
  ] as const) {
    const liveMatch = { homeScore, awayScore: 0, period: '1H', clock: `${second}'`, observedAt: at(second) };
    venue.handlers?.changes([{ type: 'match', eventId: 'e1', liveMatch }]);
    await writes.settled();
  }
  expect((await course()).scores).toEqual([
    [unix(10), 0, 0],
    [unix(30), 1, 0],
  ]);
  await thinPrices(database.sql, new Date(at(3).getTime() + 86_400_000));
  expect((await course()).coin).toEqual([[unix(4), 104_251]]);
  expect((await course()).scores).toHaveLength(2);
});

test('what a stream says was traded reaches every board, and stays when a later book says nothing of it', async () => {
  const [board] = boards;
  const book = venue.books.get('m1');
  if (board === undefined || book === undefined) {
    throw new Error('no board or no book');
  }
  expect(board.contracts.get(idOf('m1'))?.books[0]?.traded).toBeNull();
  const traded = { quantityMicros: 25_500_000n, priceMicros: 410_000n };
  venue.handlers?.books([{ ...book, sequence: book.sequence + 1n, traded }]);
  await until(() => expect(board.contracts.get(idOf('m1'))?.books[0]?.traded).toEqual(traded));
  venue.setBook('m1', levels([0.39, 7]), levels([0.46, 5]));
  await until(() => expect(board.contracts.get(idOf('m1'))?.books[0]?.bids[0]?.priceMicros).toBe(390_000n));
  expect(board.contracts.get(idOf('m1'))?.books[0]?.traded).toEqual(traded);
  await expectBoardsEqualDatabase();
});

/** A board made afresh from the database, to compare the live ones with. */
async function freshState(): Promise<BoardState> {
  const state = new BoardState();
  state.replace(await readBoardRows(database.sql, null, new Date()));
  return state;
}

async function expectBoardsEqualDatabase(): Promise<void> {
  await writes.settled();
  for (const board of boards) {
    await board.refresh();
    const fresh = await freshState();
    // heartbeats go on meanwhile; catalogue and books do not
    expect([...board.contracts.keys()].sort()).toEqual([...fresh.contracts.keys()].sort());
    for (const [contractId, contract] of fresh.contracts) {
      expect(board.contracts.get(contractId)).toEqual(contract);
    }
    for (const [eventId, item] of fresh.events) {
      expect(board.events.get(eventId)).toEqual(item);
    }
  }
}

describe('ingestion', () => {
  // contract 4.7
  test('brings the catalogue to every board, without the name of the venue', async () => {
    await expectBoardsEqualDatabase();
    const board = boards[1] as Board;
    const item = board.eventBySlug('will-e2-happen');
    expect(item).toMatchObject({
      eventId: eventIdOf('paper', 'e2', null),
      title: 'Will e2 happen?',
      kind: 'mutually_exclusive',
      status: 'open',
      volumeMicros: 9_000_000n,
    });
    expect(item?.contracts.map(({ label }) => label)).toEqual(['Label m2', 'Label m3', 'Label m4']);
    expect(item?.translations.es?.title).toBe('¿Pasará e2?');
    const contract = board.contracts.get(idOf('m1'));
    expect(contract?.books[0]).toMatchObject({
      bids: levels([0.4, 100]),
      asks: levels([0.45, 50], [0.5, 200]),
      feed: 'websocket',
      fee: { model: 'of_cost', bps: 100, known: true },
      minimumMinor: 100n,
      quantityStepMicros: 10_000n,
      tickMicros: 10_000n,
    });
    expect(contract?.contractId).toMatch(/^ctr_[0-9a-z]{26}$/);
  });

  test('keeps boards equal to the database through a storm of books', async () => {
    const changed = new Set<string>();
    const stop = boards[0]?.onChange((change) => {
      for (const contractId of change.contracts) {
        changed.add(contractId);
      }
    });
    for (let round = 0; round < 300; round += 1) {
      const listingId = `m${1 + (round % 4)}`;
      const price = 0.05 + ((round * 37) % 90) / 100;
      venue.setBook(listingId, levels([price, 1 + round]), levels([price + 0.02, 2 + round]));
      if (round % 20 === 0) {
        await timePasses(3);
      }
    }
    await expectBoardsEqualDatabase();
    stop?.();
    expect(changed).toEqual(new Set(['m1', 'm2', 'm3', 'm4'].map(idOf)));
    const last = venue.books.get('m4');
    expect(boards[0]?.contracts.get(idOf('m4'))?.books[0]?.bids).toEqual(last?.bids);
    const [row] = await database.sql<{ n: number }[]>`
      select count(*)::int as n from contracts c where c.book_revision <>
        (select max(l.book_revision) from listings l where l.contract_id = c.contract_id)`;
    expect(row?.n).toBe(0);
  });

  test('loses nothing when database backends are killed in the middle of it', async () => {
    let killing = true;
    const killer = (async () => {
      while (killing) {
        await database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`.catch(() => {});
        await timePasses(40);
      }
    })();
    for (let round = 0; round < 200; round += 1) {
      const price = 0.05 + ((round * 31) % 90) / 100;
      venue.setBook(`m${1 + (round % 4)}`, levels([price, 1 + round]), levels([price + 0.02, 2 + round]));
      await timePasses(4);
    }
    killing = false;
    await killer;
    await until(() => expectBoardsEqualDatabase(), 10_000);
    expect(boards[1]?.contracts.get(idOf('m4'))?.books[0]?.bids).toEqual(venue.books.get('m4')?.bids);
    // and the boards are told again, not only when they ask
    venue.setBook('m1', levels([0.77, 7]), levels([0.78, 7]));
    await until(() => expect(boards[1]?.contracts.get(idOf('m1'))?.books[0]?.bids).toEqual(levels([0.77, 7])));
  });

  test('says once that it cannot write while the database is away, and that it writes again', {
    tags: 'proof',
  }, async () => {
    const lines: { level: number; job: string; msg: string; alsoTimes?: number; err?: unknown }[] = [];
    const kept = pino({}, { write: (text: string) => void lines.push(JSON.parse(text)) });
    const own = openBoardWrites({ sql: database.sql, log: kept, clock, fence: null });
    const report = (connected: boolean) =>
      own.feed({ venue: 'paper', connected, session: null, confirmedAt: null, lastSyncAt: null });
    const maintenance = new URL(database.ownerUrl);
    const name = maintenance.pathname.slice(1);
    maintenance.pathname = '/postgres';
    const server = connect(maintenance.href, { max: 1, applicationName: 'test-server' });
    const allow = (word: string) => server.unsafe(`alter database ${name} allow_connections ${word}`);
    report(true);
    await own.settled();
    await allow('false');
    // the owner keeps its session, and with it what it has set
    await server`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and usename <> current_user`;
    report(false);
    // it tries again after 0.05, 0.1, 0.2, 0.4, 0.8 and 1.6 s
    await until(() => own.stalledMs() > 4_000, Boolean);
    await allow('true');
    await own.settled();
    await own.close();
    await server.end();
    expect(lines.map(({ level, job, msg, err }) => [level, job, msg, err])).toEqual([
      [40, 'ingestion', 'ingestion could not write; will retry', undefined],
      [30, 'ingestion', 'the job succeeds again', undefined],
    ]);
    expect(lines[1]?.alsoTimes).toBeGreaterThan(2);
  });

  test('leaves the book revision, and with it quotes, alone when a book is repeated', async () => {
    const before = boards[0]?.contracts.get(idOf('m1'))?.bookRevision;
    expect(before).toBeGreaterThan(0n);
    venue.disconnect();
    venue.connect();
    await expectBoardsEqualDatabase();
    expect(boards[0]?.contracts.get(idOf('m1'))?.bookRevision).toBe(before);
    venue.setBook('m1', levels([0.41, 100]), levels([0.45, 50]));
    await expectBoardsEqualDatabase();
    expect(boards[0]?.contracts.get(idOf('m1'))?.bookRevision).toBeGreaterThan(before ?? 0n);
  });

  test('ignores a late book within a connection and takes any from a new one', async () => {
    const old = venue.books.get('m1');
    if (old === undefined) {
      throw new Error('no book');
    }
    venue.setBook('m1', levels([0.2, 1]), levels([0.3, 1]));
    venue.handlers?.books([old]);
    await expectBoardsEqualDatabase();
    expect(boards[0]?.contracts.get(idOf('m1'))?.books[0]?.bids).toEqual(levels([0.2, 1]));
    venue.disconnect();
    venue.books.set('m1', { ...old, sequence: 1n });
    venue.connect();
    await expectBoardsEqualDatabase();
    expect(boards[0]?.contracts.get(idOf('m1'))?.books[0]?.bids).toEqual(old.bids);
  });

  // contract 9.10
  test('confirms unchanged books while the connection lives and lets them age when it is lost', async () => {
    const board = boards[0] as Board;
    const contract = board.contracts.get(idOf('m1'));
    if (contract === undefined) {
      throw new Error('no contract');
    }
    const age = () => board.ageSeconds(contract, 'paper', new Date());
    const [changed, since] = [age(), performance.now()];
    const sinceChange = () => changed + (performance.now() - since) / 1_000;
    await timePasses(1_200);
    await until(() => expect(age()).toBeLessThan(sinceChange() - 0.5));
    venue.disconnect();
    await until(() => expect(board.feeds.get('paper')?.connected).toBe(false));
    // from the last heartbeat on, not from the last change of the book
    expect(age()).toBeLessThan(sinceChange() - 0.5);
    const left = age();
    await timePasses(1_000);
    expect(age()).toBeGreaterThan(left + 0.9);
    venue.connect();
    await until(() => expect(age()).toBeLessThan(left));
    expect(board.ageSeconds(contract, 'elsewhere', new Date())).toBe(Number.POSITIVE_INFINITY);
  });

  test('shows a new contract within a second, its book with it', async () => {
    const fresh = market('five', 'e5', { fiveMinute: true, closesAt: new Date(Date.now() + 300_000) });
    venue.setBook('five', levels([0.5, 10]), levels([0.52, 10]));
    venue.list(event('e5', [fresh], { title: 'Bitcoin up?', category: 'crypto', categories: ['crypto'] }));
    await until(() => expect(boards[1]?.contracts.get(idOf('five'))?.books).toHaveLength(1), 1_000);
    expect(boards[1]?.eventBySlug('bitcoin-up')?.fiveMinute).toBe(true);
  });

  test('keeps a contract that was listed while a catalogue without it was on its way', async () => {
    venue.whileReading = () => {
      venue.whileReading = undefined;
      venue.list(event('e6', [market('m6', 'e6')]));
    };
    venue.disconnect();
    venue.connect();
    await until(() => expect(boards[0]?.contracts.get(idOf('m6'))?.status).toBe('open'));
    await writes.settled();
    await timePasses(100);
    expect(boards[0]?.contracts.get(idOf('m6'))?.status).toBe('open');
  });

  // contract 16.12
  test('pauses what the venue lists no more and opens it when it is listed again', async () => {
    const gone = venue.events.get('e1');
    venue.events.delete('e1');
    venue.disconnect();
    venue.connect();
    await until(() => expect(boards[0]?.contracts.get(idOf('m1'))?.status).toBe('paused'));
    if (gone !== undefined) {
      venue.events.set('e1', gone);
    }
    venue.disconnect();
    venue.connect();
    await until(() => expect(boards[0]?.contracts.get(idOf('m1'))?.status).toBe('open'));
  });

  // contract 6.4
  test('closes a contract when its time comes', async () => {
    venue.change(market('m1', 'e1', { closesAt: new Date(Date.now() + 400) }));
    await until(() => expect(boards[0]?.contracts.get(idOf('m1'))?.status).toBe('closed'), 3_000);
    expect(boards[0]?.contracts.get(idOf('m1'))?.tradingClosed).toBe(true);
  });

  test('records results, their change and their withdrawal, each once', async () => {
    const resolvedAt = new Date();
    const say = (outcome: 'YES' | 'NO' | 'SPLIT' | null) =>
      venue.change(
        market('m1', 'e1', {
          status: outcome === null ? 'closed' : 'resolved',
          resolution:
            outcome === null ? null : { outcome, yesWorthMicros: outcome === 'SPLIT' ? 400_000n : null, resolvedAt },
        }),
      );
    for (const outcome of ['YES', 'YES', 'NO', null, 'SPLIT'] as const) {
      say(outcome);
      await writes.settled();
    }
    await expectBoardsEqualDatabase();
    expect(boards[0]?.contracts.get(idOf('m1'))).toMatchObject({
      status: 'resolved',
      resolution: 'SPLIT',
      splitYesMicros: 400_000n,
      resolvedAt,
    });
    const history = await database.sql`
      select version, resolution, source, applied from contract_resolutions where contract_id = ${idOf('m1')}
      order by version`;
    expect(history.map((row) => [row['version'], row['resolution']])).toEqual([
      [1, 'YES'],
      [2, 'NO'],
      [3, null],
      [4, 'SPLIT'],
    ]);
  });

  test('a row that the database refuses holds up nothing else', async () => {
    venue.handlers?.changes([{ type: 'market', market: market('m1', 'e1', { volumeMicros: -1n }) }]);
    venue.setBook('m2', levels([0.11, 1]), levels([0.12, 1]));
    await until(() => expect(boards[0]?.contracts.get(idOf('m2'))?.books[0]?.bids).toEqual(levels([0.11, 1])));
    expect(boards[0]?.contracts.get(idOf('m1'))?.volumeMicros).toBe(5_000_000n);
  });
});

describe('several venues', () => {
  test('holds grouped listings as one contract, the first venue describing it', async () => {
    const second = new TestVenue('paper-2', [
      event('x2', [market('y2', 'x2', { groupKey: 'g1', label: 'Other words' })]),
    ]);
    second.setBook('y2', levels([0.3, 5]), levels([0.35, 5]));
    venue.list(event('e7', [market('m7', 'e7', { groupKey: 'g1' })], { groupKey: 'ge' }));
    venue.setBook('m7', levels([0.31, 5]), levels([0.36, 5]));
    const other = await followVenue({ venue: second, rank: 1, writes, clock, log });
    const contractId = contractIdOf('paper', 'm7', 'g1');
    await until(() => expect(boards[0]?.contracts.get(contractId)?.books).toHaveLength(2));
    expect(contractIdOf('paper-2', 'y2', 'g1')).toBe(contractId);
    const contract = boards[0]?.contracts.get(contractId);
    expect(contract?.books.map((book) => book.venue)).toEqual(['paper', 'paper-2']);
    expect(contract).toMatchObject({ label: 'Label m7', routable: false, groupKey: 'g1' });
    // the second venue's event has no contract of its own and is not shown
    expect(boards[0]?.events.has(eventIdOf('paper-2', 'x2', null))).toBe(false);
    await other.close();
  });
});
