/**
 * Two cells at one emulated exchange: the worker of the cell east reads it, and the one of west reads from there. What each asks the
 * exchange is counted, and the connection between them can be cut and changed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Sql } from '../../src/db/client.ts';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { listExamples } from '../../src/emulators/kalshi/example-markets.ts';
import { newKalshiKey } from '../emulators/kalshi-venue.ts';
import { type CountingProxy, openCountingProxy } from './counting-proxy.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const LONG_MS = 150_000;
const WORKER = fileURLToPath(new URL('./reading-worker.ts', import.meta.url));

export interface ReadingCell {
  readonly name: string;
  readonly database: TestDatabase;
  /** Between the cell and the exchange. */
  readonly asks: CountingProxy;
  /** Starts the process of its worker. */
  start(environment?: Readonly<Record<string, string>>): void;
  signal(signal: NodeJS.Signals): void;
  /** Kills the worker, which ends nothing by itself. */
  kill(): Promise<void>;
}

export interface SharedReading {
  readonly emulator: KalshiEmulator;
  readonly east: ReadingCell;
  readonly west: ReadingCell;
  /** Between west and the reader in east. */
  readonly link: CountingProxy;
  /** Key id and key file of east's account at the exchange. */
  readonly eastAccount: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface SeenFeed {
  readonly connected: boolean;
  readonly readThrough: string | null;
  readonly ageSeconds: number;
}

export async function startSharedReading(): Promise<SharedReading> {
  const emulator = await startKalshiEmulator();
  listExamples(emulator);
  const port = await freePort();
  const link = await openCountingProxy(`http://127.0.0.1:${port}`);
  const account = (id: string) => ({
    INLAY_KALSHI_KEY_ID: id,
    INLAY_KALSHI_PRIVATE_KEY_FILE: newKalshiKey(emulator, id),
  });
  const eastAccount = account('east');
  const east = await openCell('east', emulator, { ...eastAccount, INLAY_READER_LISTEN: `127.0.0.1:${port}` });
  const west = await openCell('west', emulator, {
    ...account('west'),
    INLAY_READERS: link.url,
    INLAY_READER_TAKEOVER_SECONDS: '6',
  });
  east.start();
  west.start();
  return {
    emulator,
    east,
    west,
    link,
    eastAccount,
    close: async () => {
      for (const cell of [west, east]) {
        await cell.kill();
        await cell.asks.close();
        await cell.database.close();
      }
      await link.close();
      await emulator.close();
    },
  };
}

async function openCell(
  name: string,
  emulator: KalshiEmulator,
  settings: Readonly<Record<string, string>>,
): Promise<ReadingCell> {
  const database = await createTestDatabase();
  const asks = await openCountingProxy(emulator.url);
  const start = (environment: Readonly<Record<string, string>> = {}): ChildProcess =>
    spawn(process.execPath, [WORKER, database.url], {
      stdio: ['ignore', 'ignore', process.env['TEST_LOG_LEVEL'] === undefined ? 'ignore' : 'inherit'],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: database.url,
        INLAY_SECRET: 'a secret that only tests know',
        INLAY_CELL: name,
        INLAY_VENUES: 'kalshi',
        INLAY_KALSHI_URL: asks.url,
        LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
        ...settings,
        ...environment,
      },
    });
  let worker: ChildProcess | undefined;
  return {
    name,
    database,
    asks,
    start(environment) {
      worker = start(environment);
    },
    signal: (signal) => worker?.kill(signal),
    kill: () =>
      new Promise((resolve) => {
        if (worker === undefined || worker.exitCode !== null || worker.signalCode !== null) {
          resolve();
          return;
        }
        worker.once('exit', () => resolve());
        worker.kill('SIGKILL');
      }),
  };
}

export async function readFeed(sql: Sql): Promise<SeenFeed> {
  const [row] = await sql<SeenFeed[]>`
    select connected, read_through, extract(epoch from clock_timestamp() - confirmed_at)::float8 as age_seconds
    from venue_feeds where venue = 'kalshi'`;
  return row ?? { connected: false, readThrough: null, ageSeconds: Number.POSITIVE_INFINITY };
}

/** Waits until a cell has current prices: through the named cell, or by its own reading. */
export function untilReads({ database: { sql } }: ReadingCell, through: string | null): Promise<SeenFeed> {
  return until(
    () => readFeed(sql),
    (feed) => feed.connected && feed.readThrough === through && feed.ageSeconds < 5,
    LONG_MS,
  );
}
