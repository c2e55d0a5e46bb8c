/** What the database says of the catalogue and the books, in one snapshot, as rows that boards apply. Reads only. */
import type { Resolution } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { Level } from '../../money/book.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
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
  /** Its YES is the NO of its group. */
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

/** Arrays have PostgreSQL's text format, `{1,2}`. */
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

export interface FeedRow {
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
/** How long resolved contracts remain on boards. More than a thousand five-minute contracts resolve every day. */
export const KEEP_RESOLVED_MS = 30 * DAY_MS;
export const KEEP_RESOLVED_SHORT_MS = DAY_MS;

/** @param since null reads everything that boards keep, otherwise only rows of later revisions */
export async function readBoardRows(sql: Sql, since: bigint | null, now: Date): Promise<BoardRows> {
  const [row] = await sql<{ rows: BoardRows }[]>`
    select read_board(${since}, ${new Date(now.getTime() - KEEP_RESOLVED_MS)},
      ${new Date(now.getTime() - KEEP_RESOLVED_SHORT_MS)}) as rows`;
  return (row as { rows: BoardRows }).rows;
}

export interface Listing {
  readonly row: ListingRow;
  readonly book: Book | null;
  /** Milliseconds since 1970; 0 if the venue never sent a book. */
  readonly confirmedAt: number;
}

function byRank(a: Listing, b: Listing): number {
  return a.row.rank - b.row.rank || (a.row.listingId < b.row.listingId ? -1 : 1);
}

/**
 * The listings of each contract with their books, and the groups of contracts that a person matched, whose books serve
 * each other. Synchronous and in memory.
 */
export class BoardListings {
  /** The rows of all contracts on the board; the board changes them. */
  readonly #contracts: ReadonlyMap<string, ContractRow>;
  readonly #listings = new Map<string, readonly Listing[]>();
  /** Contracts of each group; several only if a person matched listings of contracts that were apart. */
  readonly #contractsOfGroup = new Map<string, Set<string>>();

  constructor(contracts: ReadonlyMap<string, ContractRow>) {
    this.#contracts = contracts;
  }

  clear(): void {
    this.#listings.clear();
    this.#contractsOfGroup.clear();
  }

  take(row: ListingRow): void {
    const before = this.#listings.get(row.contractId) ?? [];
    const listing = {
      row,
      book: makeBook(row),
      confirmedAt: row.confirmedAt === null ? 0 : new Date(row.confirmedAt).getTime(),
    };
    const others = before.filter((other) => other.row.venue !== row.venue || other.row.listingId !== row.listingId);
    this.#listings.set(row.contractId, [...others, listing].sort(byRank));
  }

  /** Puts the contract into its group, and out of the group that it had. @returns all contracts of both groups before */
  regroup(before: ContractRow | undefined, row: ContractRow): string[] {
    const affected = [before?.groupKey, row.groupKey].flatMap((group) => [
      ...(this.#contractsOfGroup.get(group ?? '') ?? []),
    ]);
    if (before !== undefined && before.groupKey !== null && before.groupKey !== row.groupKey) {
      this.#contractsOfGroup.get(before.groupKey)?.delete(row.contractId);
    }
    if (row.groupKey !== null) {
      const members = this.#contractsOfGroup.get(row.groupKey) ?? new Set();
      this.#contractsOfGroup.set(row.groupKey, members.add(row.contractId));
    }
    return affected;
  }

  /** The other contracts of its group. */
  matchedWith(contractId: string): string[] {
    const group = this.#contracts.get(contractId)?.groupKey ?? null;
    const members = group === null ? undefined : this.#contractsOfGroup.get(group);
    return members === undefined || members.size < 2 ? [] : [...members].filter((member) => member !== contractId);
  }

  /** Its own listings and those of contracts matched with it. A matched contract that is not open lends no book. */
  of(contractId: string): readonly Listing[] {
    const own = this.#listings.get(contractId) ?? [];
    const matched = this.matchedWith(contractId);
    if (matched.length === 0) {
      return own;
    }
    const inverse = this.#contracts.get(contractId)?.inverse;
    const lent = matched.flatMap((member) => {
      const row = this.#contracts.get(member);
      const open = row?.status === 'open' && !row.tradingClosed;
      return (this.#listings.get(member) ?? []).map((listing) => ({
        ...listing,
        book: listing.book === null || !open ? null : asMatched(listing.book, row.inverse !== inverse),
      }));
    });
    return [...own, ...lent.sort(byRank)];
  }

  /** @param row of the contract, which the board still has */
  drop(contractId: string, row: ContractRow | undefined): void {
    this.#contractsOfGroup.get(row?.groupKey ?? '')?.delete(contractId);
    this.#listings.delete(contractId);
  }
}

// Makes the objects of the board from rows. Pure; a row gives the same object on every board.

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

/** The book as another contract of its group shows it. */
function asMatched(book: Book, inverse: boolean): Book {
  const turned = (levels: readonly Level[]) =>
    levels.map(({ priceMicros, quantityMicros }) => ({ priceMicros: ONE_DOLLAR_MICROS - priceMicros, quantityMicros }));
  const ladders = inverse ? { bids: turned(book.asks), asks: turned(book.bids) } : {};
  return { ...book, ...ladders, matched: true, inverse };
}

/** @param listings the contract's own listings, the primary venue first; then those of contracts matched with it */
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
