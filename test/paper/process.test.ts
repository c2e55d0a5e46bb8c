/** The venue as a process: it says where it listens, there is one on a database, and it goes with its parent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { askVenue, PAPER_TOKEN } from './support.ts';
import { createVenueProcesses } from './venue-process.ts';

let database: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'paper-'));
const processes = createVenueProcesses();

beforeAll(async () => {
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

const frozen = async (url: string, id: string) =>
  ((await (await askVenue(url, `/v1/books/${id}`)).json()) as { bids: string[][] }).bids[0]?.[0];

describe('the process of the paper venue', () => {
  test('registers, is alone, leaves its state to the next one however it ends, and ends with its parent', {
    timeout: 150_000,
  }, async () => {
    const first = start();
    await expect.poll(address, { timeout: 60_000 }).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const url = (await address()) ?? '';
    const id = 'px-us-recession-2027.yes';
    const body = { listingId: id, bids: [['0.123', '5']], asks: [] };
    expect((await askVenue(url, '/control/book', body)).status).toBe(200);

    const second = start();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await address()).toBe(url);

    first.kill('SIGKILL');
    await expect.poll(address, { timeout: 60_000 }).not.toBe(url);
    expect(await frozen((await address()) ?? '', id)).toBe('0.123');

    const ended = new Promise((resolve) => second.once('exit', resolve));
    second.disconnect();
    expect(await ended).toBe(0);
  });

  test('refuses browsers', { timeout: 90_000 }, async () => {
    start();
    await expect
      .poll(
        async () =>
          (
            await fetch(`${await address()}/v1/books`, {
              headers: { origin: 'http://evil', authorization: `Bearer ${PAPER_TOKEN}` },
            }).catch(() => undefined)
          )?.status,
        {
          timeout: 60_000,
        },
      )
      .toBe(403);
  });
});
