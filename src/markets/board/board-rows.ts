/**
 * Reads the catalogue and the books from the database, in one snapshot, and makes the objects of the board from the
 * rows. The same row gives the same object on every board.
 */
import type { Resolution } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { Level } from '../../money/book.ts';
import {
  type BoardContract,
  type BoardEvent,
  type Book,
  eventStatus,
  type FeedKind,
  type LiveMatch,
  type MarketStatus,
} from '../event.ts';
import { usableLadders } from './best-prices.ts';

export interface EventRow {
  readonly eventId: string;
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly translations: BoardEvent['translations'];
  readonly category: string;
  readonly categories: readonly string[];
  readonly sport: string | null;
  readonly league: string | null;
  readonly eventType: 'game' | 'future' | null;
  readonly liveMatch: LiveMatch | null;
  readonly imageSourceUrl: string | null;
  readonly kind: BoardEvent['kind'];
  readonly levelFormat: string | null;
  readonly opensAt: string;
  readonly closesAt: string;
  readonly updatedAt: string;
  readonly volumeMicros: string;
  readonly volume24hMicros: string;
  readonly revision: string;
}

export interface ContractRow {
  readonly contractId: string;
  readonly eventId: string;
  readonly category: string;
  readonly status: MarketStatus;
  readonly tradingClosed: boolean;
  readonly fiveMinute: boolean;
  readonly closesAt: string;
  readonly resolution: Resolution | null;
  readonly splitYesMicros: string | null;
  readonly resolvedAt: string | null;
  readonly groupKey: string | null;
  /** YES of the contract is NO of its group. */
  readonly inverse: boolean;
  readonly verified: boolean;
  readonly position: number;
  readonly label: string;
  readonly yesLabel: string | null;
  readonly noLabel: string | null;
  readonly translations: Readonly<
    Record<string, { label: string | null; yesLabel: string | null; noLabel: string | null }>
  >;
  readonly teamLogoUrl: string | null;
  readonly teamColor: string | null;
  readonly teamMarks: readonly string[] | null;
  readonly teamAbbr: string | null;
  readonly sportsMarketType: string | null;
  readonly threshold: string | null;
  readonly direction: 'above' | 'below' | null;
  readonly volumeMicros: string;
  readonly volume24hMicros: string;
  readonly lastPriceMicros: string | null;
  readonly sourcePriceMicros: string | null;
  readonly price24hAgoMicros: string | null;
  readonly updatedAt: string;
  readonly revision: string;
}

/** A listing with its book. Arrays have PostgreSQL's text format, `{1,2}`. */
export interface ListingRow {
  readonly venue: string;
  readonly listingId: string;
  readonly contractId: string;
  readonly rank: number;
  readonly bidPrices: string;
  readonly bidSizes: string;
  readonly askPrices: string;
  readonly askSizes: string;
  readonly feed: FeedKind;
  readonly session: string;
  readonly updatedAt: string | null;
  readonly confirmedAt: string | null;
  readonly bookRevision: string;
  readonly feeModel: 'of_cost' | 'of_variance';
  readonly feeBps: number;
  readonly feeKnown: boolean;
  readonly feeBrokerBps: number;
  readonly minimumMinor: string;
  readonly minimumQuantityMicros: string;
  readonly quantityStepMicros: string;
  readonly tickMicros: string;
  readonly part: number | null;
  readonly tradedMicros: string | null;
  readonly tradedPriceMicros: string | null;
  readonly revision: string;
}

interface FeedRow {
  readonly venue: string;
  readonly connected: boolean;
  readonly retired: boolean;
  readonly session: string;
  readonly confirmedAt: string | null;
  readonly lastSyncAt: string | null;
  readonly stopped: boolean;
  readonly cashMicros: string | null;
  readonly parts: readonly { readonly part: number; readonly cashMicros: string; readonly paused: boolean }[];
}

export interface BoardRows {
  /** The revision of this snapshot as decimal text. */
  readonly revision: string;
  /** The time of the snapshot on the database's clock. */
  readonly at: string;
  readonly events: readonly EventRow[];
  readonly contracts: readonly ContractRow[];
  readonly listings: readonly ListingRow[];
  readonly feeds: readonly FeedRow[];
}

const DAY_MS = 86_400_000;
/**
 * How long resolved contracts remain on boards. Five-minute contracts remain shorter, because more than a thousand
 * resolve every day.
 */
export const KEEP_RESOLVED_MS = 30 * DAY_MS;
export const KEEP_RESOLVED_SHORT_MS = DAY_MS;

/**
 * @param since a revision: only rows of later ones are read. Null reads everything that boards keep
 * @param now decides which resolved contracts are too old
 */
export async function readBoardRows(sql: Sql, since: bigint | null, now: Date): Promise<BoardRows> {
  const [row] = await sql<{ rows: BoardRows }[]>`
    select read_board(${since}, ${new Date(now.getTime() - KEEP_RESOLVED_MS)},
      ${new Date(now.getTime() - KEEP_RESOLVED_SHORT_MS)}) as rows`;
  return (row as { rows: BoardRows }).rows;
}

/** @returns null if the venue has not sent a book yet */
export function makeBook(row: ListingRow): Book | null {
  if (row.updatedAt === null) {
    return null;
  }
  const { bids, asks, crossed } = usableLadders(
    readLevels(row.bidPrices, row.bidSizes),
    readLevels(row.askPrices, row.askSizes),
  );
  return {
    venue: row.venue,
    listingId: row.listingId,
    bids,
    asks,
    crossed,
    matched: false,
    inverse: false,
    updatedAt: new Date(row.updatedAt),
    feed: row.feed,
    fee: { model: row.feeModel, bps: row.feeBps, known: row.feeKnown, brokerBps: row.feeBrokerBps },
    minimumMinor: BigInt(row.minimumMinor),
    minimumQuantityMicros: BigInt(row.minimumQuantityMicros),
    quantityStepMicros: BigInt(row.quantityStepMicros),
    tickMicros: BigInt(row.tickMicros),
    part: row.part,
    traded: readTraded(row),
  };
}

function readTraded({ tradedMicros, tradedPriceMicros }: ListingRow): Book['traded'] {
  return tradedMicros === null || tradedPriceMicros === null
    ? null
    : { quantityMicros: BigInt(tradedMicros), priceMicros: BigInt(tradedPriceMicros) };
}

function readLevels(prices: string, quantities: string): Level[] {
  if (prices === '{}') {
    return [];
  }
  const sizes = quantities.slice(1, -1).split(',');
  return prices
    .slice(1, -1)
    .split(',')
    .map((price, index) => ({ priceMicros: BigInt(price), quantityMicros: BigInt(sizes[index] ?? '0') }));
}

/** @param listings those of the contract, the primary venue first, and then those of contracts matched with it */
export function makeContract(
  row: ContractRow,
  listings: readonly { readonly row: ListingRow; readonly book: Book | null }[],
): BoardContract {
  return {
    contractId: row.contractId,
    eventId: row.eventId,
    category: row.category,
    label: row.label,
    yesLabel: row.yesLabel,
    noLabel: row.noLabel,
    translations: row.translations,
    status: row.status,
    tradingClosed: row.tradingClosed,
    fiveMinute: row.fiveMinute,
    closesAt: new Date(row.closesAt),
    teamLogoUrl: row.teamLogoUrl,
    teamColor: row.teamColor,
    teamMarks: row.teamMarks,
    teamAbbr: row.teamAbbr,
    sportsMarketType: row.sportsMarketType,
    threshold: row.threshold === null ? null : Number(row.threshold),
    direction: row.direction,
    position: row.position,
    volumeMicros: BigInt(row.volumeMicros),
    volume24hMicros: BigInt(row.volume24hMicros),
    lastPriceMicros: readMicros(row.lastPriceMicros),
    sourcePriceMicros: readMicros(row.sourcePriceMicros),
    price24hAgoMicros: readMicros(row.price24hAgoMicros),
    resolution: row.resolution,
    splitYesMicros: readMicros(row.splitYesMicros),
    resolvedAt: row.resolvedAt === null ? null : new Date(row.resolvedAt),
    bookRevision: newest(listings.map(({ row: listing }) => BigInt(listing.bookRevision))),
    books: listings.flatMap(({ book }) => (book === null ? [] : [book])),
    routable: row.verified && listings.length > 1,
    groupKey: row.groupKey,
    updatedAt: new Date(row.updatedAt),
    revision: newest([BigInt(row.revision), ...listings.map(({ row: listing }) => BigInt(listing.revision))]),
  };
}

/** @param contracts the contracts of the event in any order; at least one */
export function makeEvent(row: EventRow, contracts: readonly BoardContract[]): BoardEvent {
  const sorted = [...contracts].sort((a, b) => a.position - b.position || (a.contractId < b.contractId ? -1 : 1));
  return {
    eventId: row.eventId,
    slug: row.slug,
    title: row.title,
    subtitle: row.subtitle,
    translations: row.translations,
    category: row.category,
    categories: row.categories,
    sport: row.sport,
    league: row.league,
    eventType: row.eventType,
    liveMatch: row.liveMatch,
    imageSourceUrl: row.imageSourceUrl,
    kind: row.kind,
    levelFormat: row.levelFormat,
    opensAt: new Date(row.opensAt),
    closesAt: new Date(row.closesAt),
    updatedAt: new Date(row.updatedAt),
    volumeMicros: BigInt(row.volumeMicros),
    volume24hMicros: BigInt(row.volume24hMicros),
    status: eventStatus(sorted),
    fiveMinute: sorted.some(({ fiveMinute }) => fiveMinute),
    contracts: sorted,
    revision: newest([BigInt(row.revision), ...sorted.map(({ revision }) => revision)]),
  };
}

function readMicros(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

function newest(revisions: readonly bigint[]): bigint {
  let highest = 0n;
  for (const revision of revisions) {
    if (revision > highest) {
      highest = revision;
    }
  }
  return highest;
}
