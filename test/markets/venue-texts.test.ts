/** Texts of a venue reach databases, spreadsheets and terminals; what a terminal obeys stays outside. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { createKnownCatalogue, syncCatalogue } from '../../src/markets/ingestion/sync-catalogue.ts';
import { readPolymarketEvents } from '../../src/venues/polymarket/catalogue.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { polymarketPayloads } from '../venues/recordings.ts';
import { TestVenue } from './test-venue.ts';

/** Renames the window of a terminal; U+009B begins a command for terminals that obey C1. */
const HOSTILE = '\u001b]0;owned\u0007\u009b31m\0';
const CLEAN = ']0;owned31m';
/** As JSON has them: those of C0 as escapes. */
const CONTROLS = /\\u00(?!0a|09)[01]|[\u007f-\u009f]/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('controls in the texts of a recorded event are left out of every row, and line ends of its rules stay', async () => {
  const { byDate } = polymarketPayloads();
  const hostile = (raw: object) => ({
    ...raw,
    groupItemTitle: `Label ${HOSTILE}`,
    description: `Rule 1${HOSTILE}\nRule 2`,
  });
  const { events } = readPolymarketEvents([
    { ...byDate, title: `Title ${HOSTILE}`, markets: byDate.markets.map(hostile) },
  ]);
  const venue = new TestVenue('polymarket', events);
  const writes = openBoardWrites({ sql: database.sql, log: createLog('silent'), clock: systemClock, fence: null });
  await syncCatalogue(venue, 0, writes);
  const rows = async () => {
    const all = await database.sql<{ row: string }[]>`
      select to_jsonb(e)::text as row from events e union all select to_jsonb(c)::text from contracts c
      union all select to_jsonb(l)::text from listings l`;
    return all.map(({ row }) => row).join('\n');
  };
  const read = await rows();
  expect(read).not.toMatch(CONTROLS);
  for (const text of [`Title ${CLEAN}`, `Label ${CLEAN}`, `Rule 1${CLEAN}\\nRule 2`]) {
    expect(read).toContain(text);
  }

  const known = createKnownCatalogue(venue, 0, writes);
  known.replace(events);
  const [market] = events[0]?.markets ?? [];
  expect(market && known.take({ type: 'market', market: { ...market, label: `Changed ${HOSTILE}` } })).toBe(true);
  await writes.settled();
  const changed = await rows();
  expect(changed).not.toMatch(CONTROLS);
  expect(changed).toContain(`Changed ${CLEAN}`);
  await writes.close();
});
