/** The `paper` commands against two running venues, ingestion and a real database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { startIngest } from '../../src/jobs/ingest.ts';
import { openPaperVenue, type PaperVenue } from '../../src/paper/venue.ts';
import { locatePaperVenue } from '../../src/venues/addresses.ts';
import { openVenues } from '../../src/venues/registry.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { forgetfulJournal } from '../support/forgetful-journal.ts';
import { openTranscript } from '../support/golden.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';
import { venueAccess } from '../support/venue-access.ts';
import { fixtures, PAPER_TOKEN, SECRETS } from './support.ts';

let database: TestDatabase;
let venues: PaperVenue[];
let ingest: { close(): Promise<void> };
let run: RunCommand;
let contractId: string;

const listing = async (venue: string) => {
  const rows = await database.sql<{ contractId: string; bids: bigint[]; asks: bigint[]; sizes: bigint[] }[]>`
    select contract_id as "contractId", bid_prices as bids, ask_prices as asks, ask_sizes as sizes from listings
    where venue = ${venue} and listing_id like '%us-recession-2027.yes'`;
  return rows[0];
};

beforeAll(async () => {
  database = await createTestDatabase();
  const names = ['paper', 'paper-2'];
  venues = await Promise.all(
    names.map((venue) =>
      openPaperVenue({
        fixtures,
        venue,
        secrets: SECRETS,
        seed: 'test',
        journal: forgetfulJournal(),
        now: () => Date.now(),
      }),
    ),
  );
  for (const [index, name] of names.entries()) {
    await database.sql`insert into settings (name, value)
      values (${`venue:${name}`}, ${database.sql.json({ url: venues[index]?.url ?? '' })})`;
  }
  const context = { sql: database.sql, databaseUrl: database.url, clock: systemClock, log: createLog('silent') };
  ingest = startIngest(context, () => openVenues(names, locatePaperVenue(database.sql), venueAccess(PAPER_TOKEN)).list);
  for (const name of names) {
    await until(async () => (await listing(name))?.bids.length, Boolean, 40_000);
  }
  contractId = (await listing('paper'))?.contractId ?? '';
  run = await commandRunner({
    DATABASE_URL: database.url,
    INLAY_SECRET: SECRETS.current,
    INLAY_VENUES: 'paper,paper-2',
  });
}, 120_000);

afterAll(async () => {
  await ingest.close();
  await Promise.all(venues.map((venue) => venue.close()));
  await database.close();
});

describe('paper book and thaw', () => {
  // contract 33.1
  test('return once our own database holds the book, whatever its shape', async () => {
    for (const [bid, ask, bids, asks] of [
      ['0.55:1000,.54', '0.57', [550_000n, 540_000n], [570_000n]],
      ['0.6', '0.55', [600_000n], [550_000n]],
      ['0.5', '0.5', [500_000n], [500_000n]],
      ['0', '1', [0n], [1_000_000n]],
      ['', '0.4375:12.5', [], [437_500n]],
      ['', '', [], []],
    ] as const) {
      const { exitCode, json } = await run('paper', 'book', contractId, '--bid', bid, '--ask', ask, '--json');
      expect({ exitCode, contractId: json.contractId, frozen: json.frozen }).toEqual({
        exitCode: 0,
        contractId,
        frozen: true,
      });
      expect(await listing('paper')).toMatchObject({ bids, asks });
    }
    const { json } = await run('paper', 'book', contractId, '--ask', '0.57', '--json');
    expect(json).toMatchObject({ bids: [], asks: [{ price: 0.57, size: 100_000 }], venue: 'paper' });
    const thawed = await run('paper', 'thaw', contractId, '--json');
    expect(thawed.json.frozen).toBe(false);
    expect((await listing('paper'))?.bids.length).toBeGreaterThan(0);
  });

  test('reach the venue that is named', async () => {
    const { json } = await run('paper', 'book', contractId, '--bid', '0.31', '--venue', 'paper-2', '--json');
    expect(json).toMatchObject({ contractId, venue: 'paper-2' });
    expect(await listing('paper-2')).toMatchObject({ bids: [310_000n], asks: [] });
    await run('paper', 'thaw', contractId, '--venue', 'paper-2');
  });
});

describe('paper age', () => {
  const confirmed = async () => {
    const rows = await database.sql<{ seconds: number; session: bigint }[]>`
      select extract(epoch from now() - book_confirmed_at)::float8 as seconds, session from listings
      where contract_id = ${contractId} and venue = 'paper'`;
    return rows[0];
  };

  test('keeps a book that no heartbeat confirms, until it is set again', async () => {
    await run('paper', 'book', contractId, '--bid', '0.4', '--ask', '0.45', '--json');
    const { exitCode, json } = await run('paper', 'age', contractId, '130', '--json');
    expect([exitCode, json.frozen, typeof json.asOf]).toEqual([0, true, 'string']);
    expect(json.bids).toEqual([{ price: 0.4, size: 100_000 }]);
    const aged = await confirmed();
    expect(aged?.seconds).toBeGreaterThan(129);
    // of no connection: what the heartbeats of any confirm is another's
    expect(aged?.session).toBe(0n);
    expect((await run('paper', 'age', contractId, '60')).stdout).toMatch(/book +held, as of 20/);
    const again = await run('paper', 'book', contractId, '--bid', '0.4', '--ask', '0.45', '--json');
    expect(again.json.asOf).toBeNull();
    const fresh = await confirmed();
    expect(fresh?.seconds).toBeLessThan(30);
    expect(fresh?.session).not.toBe(0n);
    await run('paper', 'thaw', contractId);
  });
});

describe('paper next, fee and list', () => {
  // contract 39.20
  test('script the venue and print the resulting state', async () => {
    expect((await run('paper', 'next', contractId, 'partial:0.4', '--json')).json).toMatchObject({
      next: ['partial:0.4'],
    });
    expect((await run('paper', 'fee', contractId, 'unknown', '--json')).json).toMatchObject({
      contractId,
      feeBps: null,
    });
    const listed = await run('paper', 'list', '--json');
    expect(listed.json.contracts).toMatchObject([{ contractId, feeBps: null, next: ['partial:0.4'] }]);
    expect((await run('paper', 'list', '--output', 'csv')).stdout).toContain(contractId);
    expect((await run('paper', 'fee', contractId, '25', '--json')).json).toMatchObject({ feeBps: 25 });
    await until(async () => {
      const rows = await database.sql<
        { bps: number }[]
      >`select fee_bps as bps from listings where contract_id = ${contractId} and venue = 'paper'`;
      return rows[0]?.bps === 25;
    }, Boolean);
  });
});

test('prints for people, as CSV and as JSON what the golden file holds', async () => {
  const transcript = openTranscript(run);
  await transcript.add('paper', 'book', contractId, '--bid', '0.4:100', '--ask', '0.45:50,0.5');
  await transcript.add('paper', 'age', contractId, '60');
  await transcript.add('paper', 'next', contractId, 'partial:0.4');
  await transcript.add('paper', 'fee', contractId, 'unknown');
  for (const form of [['--output', 'table'], ['--output', 'csv'], ['--json']]) {
    await transcript.add('paper', 'list', ...form);
  }
  await transcript.add('paper', 'book', contractId, '--bid', 'high');
  await transcript.add('paper', 'thaw', 'ctr_none');
  await run('paper', 'thaw', contractId);
  await expect(transcript.text()).toMatchFileSnapshot('../cli/golden/paper.txt');
});

describe('paper resolve and reopen', () => {
  const heard = async () => {
    const [row] = await database.sql<
      { status: string; resolution: string | null; split: bigint | null; by: string | null }[]
    >`
      select status, resolution, split_yes_micros as split, resolved_by as by from contracts where contract_id = ${contractId}`;
    return row;
  };

  test('are heard over the feed as the venue’s own word, changed and taken back', async () => {
    for (const [told, expected] of [
      ['yes', { status: 'resolved', resolution: 'YES', split: null }],
      ['split:0.37', { status: 'resolved', resolution: 'SPLIT', split: 370_000n }],
      ['void', { status: 'voided', resolution: 'VOID', split: null }],
    ] as const) {
      const { exitCode, json } = await run('paper', 'resolve', contractId, told, '--yes', '--json');
      expect({ exitCode, contractId: json.contractId, status: json.status }).toEqual({
        exitCode: 0,
        contractId,
        status: expected.status,
      });
      expect(await heard()).toEqual({ ...expected, by: 'venue' });
    }
    const { json } = await run('paper', 'reopen', contractId, '--yes', '--json');
    expect(json).toMatchObject({ contractId, status: 'open' });
    expect(await heard()).toMatchObject({ resolution: null, by: null });
  });
});

describe('what is not understood', () => {
  test.each([
    ['book', ['--bid', '1.5'], 2, 'invalid_usage'],
    ['age', ['-1'], 2, 'invalid_usage'],
    ['age', ['86401'], 2, 'invalid_usage'],
    ['age', ['soon'], 2, 'invalid_usage'],
    ['book', ['--bid', '0.5:0'], 2, 'invalid_usage'],
    ['book', ['--ask', '0.1234567'], 2, 'invalid_usage'],
    ['next', ['sleep'], 2, 'invalid_usage'],
    ['next', ['partial:2'], 2, 'invalid_usage'],
    ['fee', ['10001'], 2, 'invalid_usage'],
    ['fee', ['free'], 2, 'invalid_usage'],
    ['resolve', ['maybe'], 2, 'invalid_usage'],
    ['resolve', ['split:1'], 2, 'invalid_usage'],
  ])('paper %s %j ends with %i', async (command, argv, exitCode, error) => {
    const answer = await run('paper', command, contractId, ...argv, '--json');
    expect({ exitCode: answer.exitCode, error: answer.json.error }).toEqual({ exitCode, error });
  });

  test('an unknown contract is not found', async () => {
    const answer = await run('paper', 'thaw', 'ctr_nothing', '--json');
    expect({ exitCode: answer.exitCode, error: answer.json.error }).toEqual({ exitCode: 3, error: 'market_not_found' });
  });
});
