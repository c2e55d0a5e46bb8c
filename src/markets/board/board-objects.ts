/** Makes the objects of the board from rows. Pure; a row gives the same object on every board. */
import type { Level } from '../../money/book.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { BoardContract, Book } from '../contract.ts';
import { type BoardEvent, eventStatus } from '../event.ts';
import { usableLadders } from '../prices/best-prices.ts';
import type { ContractRow, EventRow, ListingRow } from './board-rows.ts';

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
export function asMatched(book: Book, inverse: boolean): Book {
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
