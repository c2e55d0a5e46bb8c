/** The markets of a simulated world and their books, kept fresh as ingestion keeps them. */
import type { Sql } from '../../src/db/client.ts';
import { seedMarket, setBook, type TestBook, type TestMarket } from '../support/market.ts';
import { Books } from './books.ts';
import type { Network } from './network.ts';

const BOOKS: readonly TestBook[] = [
  { bids: [['0.55', '100000']], asks: [['0.57', '100000']] },
  {
    bids: [
      ['0.031', '20'],
      ['0.025', '5000'],
    ],
    asks: [
      ['0.034', '30'],
      ['0.05', '5000'],
    ],
  },
  {
    bids: [
      ['0.91', '3'],
      ['0.9', '5000'],
    ],
    asks: [
      ['0.933', '4'],
      ['0.95', '5000'],
    ],
  },
];

/** Of the second exchange, by the number of the market: one is better than that of the first, one has a dearer fee. */
const SECOND_BOOKS: ReadonlyMap<number, TestBook> = new Map([
  [0, { bids: [['0.56', '100000']], asks: [['0.562', '100000']] }],
  [
    1,
    {
      bids: [['0.03', '40']],
      asks: [
        ['0.034', '30'],
        ['0.04', '5000'],
      ],
    },
  ],
]);
const FEE_BPS = { paper: 100, 'paper-2': 150 };

interface Listed {
  readonly venue: keyof typeof FEE_BPS;
  readonly market: number;
  readonly listing: string;
  readonly book: TestBook;
}

function listedAt(venues: readonly string[]): Listed[] {
  const first = BOOKS.map((book, market) => ({
    venue: 'paper' as const,
    market,
    listing: `market-${market}-listing`,
    book,
  }));
  const second = [...SECOND_BOOKS].map(([market, book]) => ({
    venue: 'paper-2' as const,
    market,
    listing: `second-${market}-listing`,
    book,
  }));
  return [...first, ...second].filter(({ venue }) => venues.includes(venue));
}

/** The same books as the exchanges have them, in millionths. */
export function booksOfExchanges(venues: readonly string[]): Books {
  const micros = (levels: TestBook['bids'] = []) =>
    levels.map(([price, size]) => [Math.round(Number(price) * 1e6), Math.round(Number(size) * 1e6)] as const);
  return new Books(
    listedAt(venues).map(({ venue, listing, book }) => ({
      venue,
      listing,
      bids: micros(book.bids),
      asks: micros(book.asks),
    })),
  );
}

/** A market that two exchanges list is a verified group, so that its orders are routed. */
export async function openMarkets(sql: Sql, venues: readonly string[]): Promise<TestMarket[]> {
  const markets: TestMarket[] = [];
  for (const [index, book] of BOOKS.entries()) {
    markets.push(await seedMarket(sql, `market-${index}`, book, { feeBps: FEE_BPS.paper }));
  }
  for (const { venue, market, listing, book } of listedAt(venues).filter(({ venue }) => venue !== 'paper')) {
    const { contractId } = markets[market] as TestMarket;
    const group = `group-${market}`;
    await sql`
      insert into listings (venue, listing_id, contract_id, rank, feed, book_updated_at, book_confirmed_at, fee_model, fee_bps, fee_known,
        minimum_minor, minimum_quantity_micros, quantity_step_micros, revision)
      select ${venue}, ${listing}, contract_id, 1, 'websocket', now(), now(), 'of_cost', ${FEE_BPS[venue]}, true, 100, 1000000, 1000000, revision
      from contracts where contract_id = ${contractId}`;
    await sql`insert into routing_groups (group_key, verified_by, verified_at) values (${group}, 'a person', now())`;
    await sql`update contracts set group_key = ${group} where contract_id = ${contractId}`;
    await setBook(sql, { eventId: '', contractId }, book, venue);
  }
  return markets;
}

/** Every book is confirmed as of now; a part of a second later the boards may know. */
export async function confirmBooks(network: Network): Promise<void> {
  const { sql } = network;
  const text = 'pg_notify';
  await network.execute(
    sql`
    with r as (update board_revision set revision = revision + 1 returning revision), l as (
      update listings set book_confirmed_at = now(), revision = r.revision from r returning r.revision, contract_id
    ), c as (
      update contracts c set revision = l.revision from l where c.contract_id = l.contract_id
    )
    select pg_notify('board', (select revision::text from r))`,
    text,
  );
}
