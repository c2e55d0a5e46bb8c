/** One reader of an exchange for two cells: what the exchange is asked, what both cells show, and what happens when the reader is gone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedToken } from '../../src/core/secrets/derived-token.ts';
import { PURPOSE_OF_TOKEN } from '../../src/venues/reader/messages.ts';
import {
  type ReadingCell,
  readFeed,
  type SharedReading,
  startSharedReading,
  untilReads,
} from '../support/shared-reading.ts';
import { until } from '../support/until.ts';

const LONG_MS = 400_000;
const SLOW_MS = 90_000;
const RAIN = 'KXEXAMPLE-RAIN';

let cells: SharedReading;
let price = 400_000n;

beforeAll(async () => {
  cells = await startSharedReading();
  await untilReads(cells.east, null);
  await untilReads(cells.west, 'east');
}, LONG_MS);
afterAll(() => cells?.close());

const sides = (yes: bigint) => ({
  yes: [{ price: yes, count: 500_000_000n }],
  no: [{ price: 980_000n - yes, count: 500_000_000n }],
});

/** Moves the book at the exchange to a price that it had not lately. */
function movePrice(): bigint {
  price = price >= 700_000n ? 300_000n : price + 10_000n;
  cells.emulator.control({ do: 'book', ticker: RAIN, ...sides(price) });
  return price;
}

interface Shown {
  readonly contractId: string;
  readonly bid: bigint;
  readonly ask: bigint;
  readonly observedAt: Date;
  readonly confirmedAt: Date;
  readonly title: string;
}

async function shows({ database: { sql } }: ReadingCell): Promise<Shown | undefined> {
  const [row] = await sql<Shown[]>`
    select l.contract_id, l.bid_prices[1] as bid, l.ask_prices[1] as ask, l.book_updated_at as observed_at,
      l.book_confirmed_at as confirmed_at, e.title
    from listings l join contracts c using (contract_id) join events e using (event_id)
    where l.venue = 'kalshi' and l.listing_id = ${RAIN}`;
  return row;
}

const untilShows = (cell: ReadingCell, bid: bigint): Promise<Shown | undefined> =>
  until(
    () => shows(cell),
    (shown) => BigInt(shown?.bid ?? 0) === bid,
    SLOW_MS,
  );

async function expectBothFollow(): Promise<void> {
  const moved = movePrice();
  const [east, west] = [await untilShows(cells.east, moved), await untilShows(cells.west, moved)];
  expect(west?.contractId).toBe(east?.contractId);
  expect([west?.ask, west?.title, west?.observedAt]).toEqual([east?.ask, east?.title, east?.observedAt]);
}

test(
  'the exchange sees one reader, and both cells show the same contracts, prices and times',
  async () => {
    await expectBothFollow();
    await expectBothFollow();
    expect(cells.east.asks.requests).toBeGreaterThan(0);
    expect(cells.west.asks.requests).toBe(0);
  },
  LONG_MS,
);

test(
  'a result, a listing and a pause of one market reach the cell that does not read',
  async () => {
    cells.emulator.control({
      do: 'market',
      ticker: 'KXNEW-1',
      eventTicker: 'KXNEW',
      title: 'New today',
      rules: 'By the source.',
      closeTime: new Date(Date.now() + 86_400_000),
    });
    cells.emulator.control({
      do: 'status',
      ticker: 'KXLADDER-T100',
      status: 'finalized',
      result: 'yes',
      settlementValue: 1_000_000n,
    });
    const found = ({ database: { sql } }: ReadingCell) =>
      until(
        () => sql<{ listingId: string; contractId: string; resolution: string | null }[]>`
        select listing_id, contract_id, resolution from listings join contracts using (contract_id)
        where listing_id in ('KXNEW-1', 'KXLADDER-T100') order by listing_id`,
        (rows) => rows.length === 2 && rows[0]?.resolution === 'YES',
        LONG_MS,
      );
    expect(await found(cells.west)).toEqual(await found(cells.east));
    expect(cells.west.asks.requests).toBe(0);
  },
  LONG_MS,
);

test('only a process of the deployment may read from the reader', async () => {
  const url = `${cells.link.url}/v1/venues/kalshi/stream`;
  const without = await fetch(url);
  const wrong = await fetch(url, {
    headers: { authorization: `Bearer ${derivedToken({ current: 'another secret of tests' }, PURPOSE_OF_TOKEN)}` },
  });
  expect([without.status, wrong.status]).toEqual([401, 401]);
});

test(
  'after a cut and after a missing message everything is sent again, and the exchange is not asked',
  async () => {
    cells.link.cut();
    await until(
      () => readFeed(cells.west.database.sql),
      ({ connected }) => connected,
      SLOW_MS,
    );
    await expectBothFollow();
    let lost = 0;
    cells.link.rewrite = (bytes) => {
      if (lost === 0 && bytes.includes('"type":"books"') && bytes.at(-1) === 10) {
        lost += 1;
        return Buffer.alloc(0);
      }
      return bytes;
    };
    const moved = movePrice();
    await untilShows(cells.west, moved);
    expect(lost).toBe(1);
    await expectBothFollow();
    expect(cells.west.asks.requests).toBe(0);
  },
  LONG_MS,
);

test(
  'what is held back on its way counts as received when the reader received it',
  async () => {
    cells.link.delayMs = 3_500;
    await until(
      () => readFeed(cells.west.database.sql),
      ({ ageSeconds }) => ageSeconds > 3,
      SLOW_MS,
    );
    const moved = movePrice();
    await untilShows(cells.east, moved);
    const west = await untilShows(cells.west, moved);
    const [row] = await cells.west.database.sql<{ now: Date }[]>`select clock_timestamp() as now`;
    const age = (row?.now.getTime() ?? 0) - (west?.confirmedAt.getTime() ?? 0);
    expect(age).toBeGreaterThan(3_000);
    cells.link.delayMs = 0;
    cells.link.cut();
    await expectBothFollow();
  },
  LONG_MS,
);

test(
  'a reader that is killed is replaced by our own reading, and used again when it is back',
  async () => {
    await cells.east.kill();
    await untilReads(cells.west, null);
    expect(cells.west.asks.requests).toBeGreaterThan(0);
    const moved = movePrice();
    await untilShows(cells.west, moved);
    cells.east.start();
    await untilReads(cells.east, null);
    await untilReads(cells.west, 'east');
    const asked = cells.west.asks.requests;
    await expectBothFollow();
    await expectBothFollow();
    expect(cells.west.asks.requests).toBe(asked);
  },
  LONG_MS,
);

test(
  'while the reader is frozen prices age and are never confirmed, until this cell reads itself',
  async () => {
    await expectBothFollow();
    cells.east.signal('SIGSTOP');
    const frozenAt = Date.now();
    const hidden = movePrice();
    const before = await until(
      () => readFeed(cells.west.database.sql),
      ({ connected }) => !connected,
      SLOW_MS,
    );
    expect(before.connected).toBe(false);
    const aging = await shows(cells.west);
    // the database and this process have one clock
    expect(aging?.confirmedAt.getTime()).toBeLessThan(frozenAt + 1_500);
    await untilReads(cells.west, null);
    await untilShows(cells.west, hidden);
    cells.east.signal('SIGCONT');
    await untilReads(cells.east, null);
    await untilReads(cells.west, 'east');
    await expectBothFollow();
  },
  LONG_MS,
);

test(
  'a cell that trades in the account of another cell stops trading there',
  async () => {
    await cells.west.kill();
    cells.west.start(cells.eastAccount);
    const [stop] = await until(
      () => cells.west.database.sql<{ because: string }[]>`
      select because from venue_stops where venue = 'kalshi' and resumed_at is null`,
      (stops) => stops.length === 1,
      LONG_MS,
    );
    expect(stop?.because).toContain('cell east trades in the same account');
  },
  LONG_MS,
);
