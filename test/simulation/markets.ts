/** The markets of a simulated world and their books, kept fresh as ingestion keeps them. */
import type { Sql } from '../../src/db/client.ts';
import { seedMarket, type TestBook, type TestMarket } from '../support/market.ts';
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

/** The same books as the exchange has them, in millionths. */
export function booksOfExchange(): Books {
  const micros = (levels: TestBook['bids'] = []) =>
    levels.map(([price, size]) => [Math.round(Number(price) * 1e6), Math.round(Number(size) * 1e6)] as const);
  return new Books(
    BOOKS.map((book, index) => ({
      listing: `market-${index}-listing`,
      bids: micros(book.bids),
      asks: micros(book.asks),
    })),
  );
}

export async function openMarkets(sql: Sql): Promise<TestMarket[]> {
  const markets: TestMarket[] = [];
  for (const [index, book] of BOOKS.entries()) {
    markets.push(await seedMarket(sql, `market-${index}`, book, { feeBps: 100 }));
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
