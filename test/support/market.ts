/** A contract with a book of one's own choice, written as ingestion writes it, on the board of a test service. */
import type { Sql } from '../../src/db/client.ts';

export interface TestMarket {
  readonly eventId: string;
  readonly contractId: string;
}

/** Price and quantity in dollars and contracts, best first, of YES. */
export type TestLevels = readonly (readonly [string, string])[];

export interface TestBook {
  readonly bids?: TestLevels;
  readonly asks?: TestLevels;
}

const DEEP: TestBook = { bids: [['0.55', '100000']], asks: [['0.57', '100000']] };

export interface MarketOptions {
  readonly fiveMinute?: boolean;
  readonly category?: string;
  readonly venue?: string;
  readonly feeBps?: number;
  /** What the venue calls it. */
  readonly listingId?: string;
}

export async function seedMarket(
  sql: Sql,
  name: string,
  book: TestBook = DEEP,
  options: MarketOptions = {},
): Promise<TestMarket> {
  const market = { eventId: `evt_${name}`, contractId: `ctr_${name}` };
  const category = options.category ?? 'politics';
  const venue = options.venue ?? 'paper';
  await sql`
    with r as (update board_revision set revision = revision + 1 returning revision), e as (
      insert into events (event_id, slug, rank, digest, title, category, categories, kind, opens_at, closes_at, volume_micros, volume_24h_micros, revision)
      select ${market.eventId}, ${name}, 0, '', ${`Will ${name} happen?`}, ${category}, ${[category]}, 'binary', now() - interval '1 day',
        now() + interval '30 days', 0, 0, revision from r returning event_id, revision
    ), c as (
      insert into contracts (contract_id, event_id, status, trading_closed, five_minute, category, closes_at, rank, digest, venue_status,
        position, label, volume_micros, volume_24h_micros, revision)
      select ${market.contractId}, e.event_id, 'open', false, ${options.fiveMinute ?? false}, ${category}, now() + interval '30 days', 0, '', 'open',
        0, 'Yes', 0, 0, revision from e returning contract_id, revision
    )
    insert into listings (venue, listing_id, contract_id, rank, feed, book_updated_at, book_confirmed_at, fee_model, fee_bps, fee_known,
      minimum_minor, minimum_quantity_micros, quantity_step_micros, revision)
    select ${venue}, ${options.listingId ?? `${name}-listing`}, contract_id, 0, 'websocket', now(), null, 'of_cost', ${options.feeBps ?? 0}, true, 100, 0, 10000, revision from c`;
  await setBook(sql, market, book, venue);
  return market;
}

/**
 * Replaces the book, as a venue's update does. It counts as confirmed for an hour: only tests of the age of a price are about what happens
 * while a venue says nothing.
 */
export async function setBook(sql: Sql, market: TestMarket, book = DEEP, venue = 'paper'): Promise<void> {
  const bids = book.bids ?? [];
  const asks = book.asks ?? [];
  await sql`
    with r as (update board_revision set revision = revision + 1 returning revision), l as (
      update listings set bid_prices = ${micros(bids, 0)}::bigint[], bid_sizes = ${micros(bids, 1)}::bigint[],
        ask_prices = ${micros(asks, 0)}::bigint[], ask_sizes = ${micros(asks, 1)}::bigint[],
        book_updated_at = now(), book_confirmed_at = now() + interval '1 hour', book_revision = r.revision, revision = r.revision
      from r where contract_id = ${market.contractId} and venue = ${venue} returning r.revision
    )
    update contracts c set book_revision = l.revision, revision = l.revision, updated_at = now()
    from l where c.contract_id = ${market.contractId}
      or c.group_key = (select own.group_key from contracts own where own.contract_id = ${market.contractId})`;
  await sql`select pg_notify('board', (select revision::text from board_revision))`;
}

function micros(levels: TestLevels, part: 0 | 1): string[] {
  return levels.map((level) => {
    const [whole = '0', fraction = ''] = level[part].split('.');
    return BigInt(`${whole}${fraction.padEnd(6, '0')}`).toString();
  });
}
