/** The venue as a process: it says where it listens, there is one on a database, and it goes with its parent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { askVenue, PAPER_TOKEN } from './support.ts';
import { createVenueProcesses } from './venue-process.ts';

let database: TestDatabase;
let folder: string;
const processes = createVenueProcesses();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
  database = await createTestDatabase({ max: 2 });
});
afterAll(async () => {
  processes.killAll();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = () => processes.start(database.url, folder);

async function address(): Promise<string | undefined> {
  const rows = await database.sql<
    { url: string }[]
  >`select value->>'url' as url from settings where name = 'venue:paper'`;
  return rows[0]?.url;
}

/** Keeps every process from registering an address. @returns lets them */
async function holdSettings(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table settings in exclusive mode');
  return () => holder.end();
}

async function registersNow(): Promise<boolean> {
  const waiting = await database.sql`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into settings%'`;
  return waiting.length > 0;
}

const frozen = async (url: string, id: string) =>
  ((await (await askVenue(url, `/v1/books/${id}`)).json()) as { bids: string[][] }).bids[0]?.[0];

describe('the process of the paper venue', () => {
  test('registers, is alone, leaves its state to the next one however it ends, and ends with its parent', {
    timeout: 150_000,
    tags: 'proof',
  }, async () => {
    const first = start();
    await until(async () => expect(await address()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/), 60_000);
    const url = (await address()) ?? '';
    const id = 'px-us-recession-2027.yes';
    const body = { listingId: id, bids: [['0.123', '5']], asks: [] };
    expect((await askVenue(url, '/control/book', body)).status).toBe(200);

    const second = start();
    await timePasses(1_500);
    expect(await address()).toBe(url);

    first.kill('SIGKILL');
    await until(async () => expect(await address()).not.toBe(url), 60_000);
    expect(await frozen((await address()) ?? '', id)).toBe('0.123');

    const ended = new Promise((resolve) => second.once('exit', resolve));
    second.disconnect();
    expect(await ended).toBe(0);
  });

  test('stops cleanly while it still registers its address', { timeout: 90_000 }, async () => {
    const release = await holdSettings();
    const venue = processes.start(database.url, mkdtempSync(join(folder, 'stopped-')), 'pipe');
    let said = '';
    venue.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
    });
    await until(async () => expect(await registersNow()).toBe(true), 60_000);
    const ended = new Promise((resolve) => venue.once('close', resolve));
    venue.kill('SIGTERM');
    await release();
    expect(await ended).toBe(0);
    expect(said).toBe('');
  });

  test('refuses browsers', { timeout: 90_000 }, async () => {
    start();
    await until(
      async () =>
        expect(
          (
            await fetch(`${await address()}/v1/books`, {
              headers: { origin: 'http://evil', authorization: `Bearer ${PAPER_TOKEN}` },
            }).catch(() => undefined)
          )?.status,
        ).toBe(403),
      60_000,
    );
  });
});
