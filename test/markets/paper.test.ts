/** Ingestion from the real paper venue, a process of its own, into boards over a real PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { startIngest } from '../../src/jobs/ingest.ts';
import { type Board, openBoard } from '../../src/markets/board/board.ts';
import { readBoardRows } from '../../src/markets/board/board-rows.ts';
import { BoardState } from '../../src/markets/board/board-state.ts';
import { publishedPrice } from '../../src/markets/prices/price-rules.ts';
import { locatePaperVenue } from '../../src/venues/addresses.ts';
import { openVenues } from '../../src/venues/registry.ts';
import { PAPER_TOKEN, SECRETS } from '../paper/support.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { venueAccess } from '../support/venue-access.ts';

const script = fileURLToPath(new URL('../../src/paper/main.ts', import.meta.url));
const log = createLog('silent');
let database: TestDatabase;
let dataDir: string;
let paper: ChildProcess;
let ingest: { close(): Promise<void> };
let boards: Board[];

function startPaper(): ChildProcess {
  return spawn(process.execPath, [script, 'paper'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      INLAY_DATA_DIR: dataDir,
      INLAY_SECRET: SECRETS.current,
      LOG_LEVEL: 'warn',
    },
  });
}

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'inlay-paper-'));
  paper = startPaper();
  const context = { ...database, databaseUrl: database.url, clock: systemClock, log };
  ingest = startIngest(
    context,
    () => openVenues(['paper'], locatePaperVenue(database.sql), venueAccess(PAPER_TOKEN)).list,
  );
  boards = await Promise.all([openBoard(context), openBoard(context)]);
  // Each board follows by itself, and either may be the later one.
  for (const board of boards) {
    await until(() => expect(board.contracts.size).toBeGreaterThan(500), 20_000);
    await until(() => {
      const bookless = [...board.contracts.values()].filter(({ books }) => books.length === 0);
      expect(bookless).toEqual([]);
    });
  }
}, 60_000);

afterAll(async () => {
  await Promise.all(boards.map((board) => board.close()));
  await ingest.close();
  paper.kill('SIGKILL');
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the paper venue on the board', () => {
  test('brings 150 events and 600 contracts of every category and kind', async () => {
    // On a five-minute boundary the next four are a moment away.
    await until(() => {
      const windows = [...(boards[0]?.events.values() ?? [])].filter((one) => one.fiveMinute && one.status === 'open');
      expect(windows.length).toBeGreaterThanOrEqual(4);
    });
    const events = [...(boards[0]?.events.values() ?? [])];
    expect(events.length).toBeGreaterThanOrEqual(150);
    expect(boards[0]?.contracts.size).toBeGreaterThanOrEqual(600);
    expect(new Set(events.map(({ category }) => category)).size).toBe(10);
    expect(new Set(events.map(({ kind }) => kind)).size).toBe(4);
    for (const event of events) {
      expect(JSON.stringify([event.slug, event.title, event.eventId])).not.toMatch(/paper/i);
      expect(event.categories).toContain(event.category);
    }
  });

  test('never publishes a crossed pair, a price of 0 or 1, or anything executable of a five-minute contract', async () => {
    const now = new Date();
    for (const contract of boards[0]?.contracts.values() ?? []) {
      const price = publishedPrice(contract, now);
      const { executableYesCents: yes, executableNoCents: no } = price;
      expect(price.tradable).toBe(yes !== null || no !== null);
      if (contract.fiveMinute) {
        expect([yes, no, price.spreadCents]).toEqual([null, null, null]);
      }
      if (yes !== null && no !== null) {
        expect(yes + no).toBeGreaterThan(100);
      }
      for (const cents of [yes, no, price.yesCents, price.noCents]) {
        if (cents !== null) {
          expect(cents > 0 && cents < 100).toBe(true);
        }
      }
    }
  });

  test('stays equal to the database while prices move', { timeout: 60_000 }, async () => {
    const before = boards[0]?.revision ?? 0n;
    await until(() => expect((boards[0]?.revision ?? 0n) - before).toBeGreaterThan(3n));
    const holder = new pg.Client({ connectionString: database.ownerUrl });
    await holder.connect();
    try {
      // A writer takes the next revision first, so nothing is written while it is locked.
      await holder.query('begin');
      await holder.query('select from board_revision for update');
      const fresh = new BoardState();
      fresh.replace(await readBoardRows(database.sql, null, new Date()));
      for (const board of boards) {
        await board.refresh();
        expect(board.revision).toBe(fresh.revision);
        for (const [contractId, contract] of fresh.contracts) {
          expect(board.contracts.get(contractId)).toEqual(contract);
        }
      }
    } finally {
      await holder.end();
    }
  });

  test('lets books age while the venue is gone and confirms them when it is back', {
    timeout: 40_000,
    tags: 'proof',
  }, async () => {
    const board = boards[0] as Board;
    const oldest = () =>
      Math.max(
        ...[...board.contracts.values()]
          .filter(({ status }) => status === 'open')
          .map((contract) => board.ageSeconds(contract, 'paper', new Date())),
      );
    await until(() => expect(oldest()).toBeLessThan(2));
    const gone = new Promise((resolve) => paper.once('exit', resolve));
    paper.kill('SIGKILL');
    await gone;
    await until(() => expect(board.feeds.get('paper')?.connected).toBe(false));
    await until(() => expect(oldest()).toBeGreaterThan(2));
    expect(board.contracts.size).toBeGreaterThan(500);
    paper = startPaper();
    await until(() => expect(board.feeds.get('paper')?.connected).toBe(true), 20_000);
    await until(() => expect(oldest()).toBeLessThan(2));
  });
});
