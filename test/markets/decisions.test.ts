/** Decisions of the service operator, routing groups, price history and the board's behaviour when the database goes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { openListener } from '../../src/db/listener.ts';
import { startIngest } from '../../src/jobs/ingest.ts';
import { type Board, openBoard } from '../../src/markets/board/board.ts';
import {
  parseResolution,
  pauseMarket,
  reopenMarket,
  resolveMarket,
  resumeMarket,
} from '../../src/markets/decisions.ts';
import { contractIdOf } from '../../src/markets/event.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { syncCatalogue } from '../../src/markets/ingestion/sync-catalogue.ts';
import { listRoutingGroups, verifyRoutingGroup } from '../../src/markets/matching.ts';
import {
  noteDayOldPrices,
  readPriceHistory,
  recordPrices,
  thinPrices,
} from '../../src/markets/prices/price-history.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';

const log = createLog('silent');
const clock = systemClock;
let database: TestDatabase;
let venue: TestVenue;
let second: TestVenue;
let board: Board;
let ingest: { close(): Promise<void> };
const m1 = contractIdOf('paper', 'm1', null);
const grouped = contractIdOf('paper', 'g', 'same');

beforeAll(async () => {
  database = await createTestDatabase();
  venue = new TestVenue('paper', [
    event('e1', [market('m1', 'e1')]),
    event('eg', [market('g', 'eg', { groupKey: 'same' })], { groupKey: 'same-event' }),
  ]);
  second = new TestVenue('paper-2', [
    event('xg', [market('h', 'xg', { groupKey: 'same' })], { groupKey: 'same-event' }),
  ]);
  venue.setBook('m1', levels([0.4, 10]), levels([0.5, 10]));
  venue.setBook('g', levels([0.4, 10]), levels([0.5, 10]));
  second.setBook('h', levels([0.42, 10]), levels([0.48, 10]));
  const context = { ...database, databaseUrl: database.url, clock, log };
  ingest = startIngest(context, () => [venue, second]);
  board = await openBoard(context);
  await until(() => {
    expect(board.contracts.get(grouped)?.books).toHaveLength(2);
    expect(board.contracts.get(m1)?.books).toHaveLength(1);
  });
});

afterAll(async () => {
  await board.close();
  await ingest.close();
  await database.close();
});

describe('manual resolutions', () => {
  // contract 16.4
  test('reads the words of the command line', () => {
    expect(parseResolution('YES')).toEqual({ resolution: 'YES', splitYesMicros: null });
    expect(parseResolution('void')).toEqual({ resolution: 'VOID', splitYesMicros: null });
    expect(parseResolution('split:0.4')).toEqual({ resolution: 'SPLIT', splitYesMicros: 400_000n });
    expect(parseResolution('split:.000001').splitYesMicros).toBe(1n);
    for (const text of ['maybe', 'split:0', 'split:1', 'split:0.0000001', 'split:', 'split:-0.4', 'split:1.4']) {
      expect(() => parseResolution(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
  });

  // contract 17.2
  test('stand above the venue, wake who settles, and can be withdrawn', async () => {
    const told: string[] = [];
    const listener = openListener(database.url, 'test');
    listener.listen('resolved', { onNotification: (payload) => told.push(payload), onConnected: () => {} });
    await until(() => expect(listener.connected).toBe(true));
    const decided = await resolveMarket(database.sql, m1, parseResolution('split:0.4'));
    expect(decided).toEqual({ contractId: m1, status: 'resolved', resolution: 'SPLIT', splitYes: 0.4, changed: true });
    expect((await resolveMarket(database.sql, m1, parseResolution('split:0.4'))).changed).toBe(false);
    await until(() => expect(told).toEqual([m1]));
    const say = (outcome: 'YES' | 'NO') =>
      venue.change(
        market('m1', 'e1', {
          status: 'resolved',
          resolution: { outcome, yesWorthMicros: null, resolvedAt: new Date() },
        }),
      );
    say('YES');
    await until(async () => {
      const [row] = await database.sql`
        select applied from contract_resolutions where contract_id = ${m1} and source = 'venue'`;
      expect(row?.['applied']).toBe(false);
    });
    await board.refresh();
    expect(board.contracts.get(m1)).toMatchObject({ resolution: 'SPLIT', splitYesMicros: 400_000n });

    const reopened = await reopenMarket(database.sql, m1);
    expect(reopened).toMatchObject({ status: 'closed', resolution: null, changed: true });
    say('YES');
    await board.refresh();
    expect(board.contracts.get(m1)?.resolution).toBeNull();
    say('NO');
    await until(() => expect(board.contracts.get(m1)).toMatchObject({ resolution: 'NO', status: 'resolved' }));
    const history = await database.sql`
      select resolution, source, applied from contract_resolutions where contract_id = ${m1} order by version`;
    expect(history.map((row) => Object.values(row))).toEqual([
      ['SPLIT', 'operator', true],
      ['YES', 'venue', false],
      [null, 'operator', true],
      ['NO', 'venue', true],
    ]);
    await resolveMarket(database.sql, m1, parseResolution('void'));
    await until(() => expect(board.contracts.get(m1)?.status).toBe('voided'));
    await listener.close();
  });

  test('pauses and resumes, and knows no unknown contract', async () => {
    expect(await pauseMarket(database.sql, grouped)).toMatchObject({ status: 'paused', changed: true });
    expect(await pauseMarket(database.sql, grouped)).toMatchObject({ status: 'paused', changed: false });
    await until(() => expect(board.contracts.get(grouped)?.status).toBe('paused'));
    // what the venue says meanwhile does not end it
    venue.change(market('g', 'eg', { groupKey: 'same', volumeMicros: 77n }));
    await until(() => expect(board.contracts.get(grouped)?.volumeMicros).toBe(77n));
    expect(board.contracts.get(grouped)?.status).toBe('paused');
    expect(await resumeMarket(database.sql, grouped)).toMatchObject({ status: 'open', changed: true });
    await expect(pauseMarket(database.sql, 'ctr_none')).rejects.toMatchObject({ code: 'market_not_found' });
  });
});

describe('routing groups', () => {
  // contract 9.11
  test('become routable on all boards once verified', async () => {
    expect(await listRoutingGroups(database.sql)).toMatchObject([
      { groupKey: 'same', contractId: grouped, venues: ['paper', 'paper-2'], verified: false },
    ]);
    expect(board.contracts.get(grouped)?.routable).toBe(false);
    await verifyRoutingGroup(database.sql, 'same');
    await until(() => expect(board.contracts.get(grouped)?.routable).toBe(true));
    expect(await listRoutingGroups(database.sql)).toMatchObject([{ verified: true, verifiedBy: SERVICE_ROLE }]);
    await expect(verifyRoutingGroup(database.sql, 'none')).rejects.toMatchObject({ code: 'market_not_found' });
  });
});

describe('price history', () => {
  test('records once a step, thins by age and reads in fitting steps', async () => {
    const start = new Date('2026-11-21T10:00:10Z');
    for (let minute = 0; minute < 12; minute += 1) {
      const at = new Date(start.getTime() + minute * 60_000);
      expect(await recordPrices(database.sql, at)).toBe(1);
      await recordPrices(database.sql, new Date(at.getTime() + 20_000));
    }
    const now = new Date('2026-11-21T10:12:00Z');
    const day = await readPriceHistory(database.sql, [grouped], '1d', now);
    // the service that runs beside the test records the present minute as well
    const own = (points: typeof day) => (points.get(grouped) ?? []).filter(({ at }) => at < now);
    const forgetOthers = () => database.sql`delete from price_history where at >= ${now}`;
    expect(own(day)).toHaveLength(12);
    expect(day.get(grouped)?.[0]).toEqual({ at: new Date('2026-11-21T10:00:00Z'), priceMicros: 450_000n });
    await noteDayOldPrices(database.sql, now);
    await until(() => expect(board.contracts.get(grouped)?.price24hAgoMicros).toBe(450_000n));
    await forgetOthers();
    expect(await thinPrices(database.sql, new Date('2026-11-22T10:05:30Z'))).toBe(6);
    await forgetOthers();
    expect(await thinPrices(database.sql, new Date('2026-12-21T10:05:30Z'))).toBe(6 + 3);
    const month = await readPriceHistory(database.sql, [grouped], 'all', new Date('2026-12-21T10:05:30Z'));
    expect(own(month)).toEqual([{ at: new Date('2026-11-21T10:00:00Z'), priceMicros: 450_000n }]);
  });
});

describe('a catalogue read by the command', () => {
  test('writes nothing where nothing differs', async () => {
    const writes = openBoardWrites({ sql: database.sql, log, clock, fence: null });
    const before = await database.sql`select contract_id, revision from contracts order by 1`;
    expect(await syncCatalogue(venue, 0, writes)).toEqual({ events: 2, contracts: 2, withdrawn: 0, invalid: 0 });
    expect(await database.sql`select contract_id, revision from contracts order by 1`).toEqual(before);
    await writes.close();
  });
});

describe('when connections die', () => {
  test('the board serves on, catches up, and ingestion finds its leader again', async () => {
    const killed = await database.sql<{ n: number }[]>`
      select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
      where datname = current_database() and application_name in ('inlay-test-listener', 'inlay-ingest-leader')`;
    expect(killed[0]?.n).toBe(2);
    expect(board.contracts.get(grouped)?.books).toHaveLength(2);
    await until(() => {
      venue.setBook('g', levels([0.11, 10]), levels([0.12, 10]));
      expect(board.contracts.get(grouped)?.books[0]?.bids).toEqual(levels([0.11, 10]));
    }, 10_000);
  });

  test('a venue that is not used any more leaves with its books, and comes back', async () => {
    await ingest.close();
    const context = { ...database, databaseUrl: database.url, clock, log };
    ingest = startIngest(context, () => [second]);
    await until(() => expect(board.contracts.get(grouped)?.books.map((book) => book.venue)).toEqual(['paper-2']));
    expect(board.contracts.get(grouped)?.status).toBe('open');
    expect(board.feeds.has('paper')).toBe(false);
    await ingest.close();
    ingest = startIngest(context, () => [venue, second]);
    await until(() =>
      expect(board.contracts.get(grouped)?.books.map((book) => book.venue)).toEqual(['paper', 'paper-2']),
    );
    expect(board.feeds.has('paper')).toBe(true);
  });
});
