/** The price display rules as a table. */
import { describe, expect, test } from 'vitest';
import { usableLadders } from '../../src/markets/board/best-prices.ts';
import type { Book } from '../../src/markets/event.ts';
import { type PricedContract, publishedPrice } from '../../src/markets/prices/price-rules.ts';
import { levels } from './test-venue.ts';

const now = new Date('2026-11-21T12:00:00Z');
const later = new Date('2026-11-22T12:00:00Z');
const earlier = new Date('2026-11-21T11:00:00Z');
const bookAt = new Date('2026-11-21T11:59:59Z');

type Pairs = [number, number][];

function book(bids: Pairs, asks: Pairs, parts: Partial<Book> = {}): Book {
  return {
    venue: 'paper',
    listingId: 'l',
    ...usableLadders(levels(...bids), levels(...asks)),
    matched: false,
    inverse: false,
    updatedAt: bookAt,
    feed: 'websocket',
    fee: { model: 'of_cost', bps: 0, known: true },
    minimumMinor: 100n,
    minimumQuantityMicros: 0n,
    quantityStepMicros: 1n,
    tickMicros: 1n,
    part: null,
    traded: null,
    ...parts,
  };
}

function contract(parts: Partial<PricedContract>): PricedContract {
  return {
    books: [],
    routable: false,
    fiveMinute: false,
    status: 'open',
    tradingClosed: false,
    closesAt: later,
    lastPriceMicros: null,
    sourcePriceMicros: null,
    resolution: null,
    splitYesMicros: null,
    resolvedAt: null,
    updatedAt: earlier,
    ...parts,
  };
}

const none = { probability: null, yesCents: null, noCents: null, priceBasis: 'none' };
const noTrade = { executableYesCents: null, executableNoCents: null, spreadCents: null, tradable: false };

const table: [name: string, given: Partial<PricedContract>, expected: Record<string, unknown>][] = [
  [
    'a two-sided book reads its midpoint, cents unrounded',
    { books: [book([[0.574, 10]], [[0.575, 10]])], lastPriceMicros: 300_000n },
    {
      probability: 0.5745,
      yesCents: 57.45,
      noCents: 42.55,
      executableYesCents: 57.5,
      executableNoCents: 42.6,
      spreadCents: 0.1,
      tradable: true,
      priceBasis: 'midpoint',
      priceUpdatedAt: bookAt,
      priceFeed: 'websocket',
    },
  ],
  [
    'the best of several levels counts, whatever their order',
    {
      books: [
        book(
          [
            [0.1, 1],
            [0.3, 1],
          ],
          [
            [0.9, 1],
            [0.4, 1],
          ],
        ),
      ],
    },
    { executableYesCents: 40, executableNoCents: 70, spreadCents: 10 },
  ],
  [
    'asks alone: YES can be bought, the reference is the last trade below them',
    { books: [book([], [[0.6, 1]])], lastPriceMicros: 550_000n },
    {
      executableYesCents: 60,
      executableNoCents: null,
      spreadCents: null,
      tradable: true,
      priceBasis: 'last',
      yesCents: 55,
      noCents: 45,
    },
  ],
  [
    'bids alone: NO can be bought, the reference is the source price above them',
    { books: [book([[0.25, 1]], [])], sourcePriceMicros: 260_000n },
    { executableYesCents: null, executableNoCents: 75, tradable: true, priceBasis: 'source', probability: 0.26 },
  ],
  [
    'with bids alone the reference is at least the bid, whatever was traded last',
    { books: [book([[0.97, 1]], [])], lastPriceMicros: 500_000n },
    { executableNoCents: 3, priceBasis: 'last', probability: 0.97, yesCents: 97, noCents: 3 },
  ],
  [
    'with asks alone the reference is at most the ask, whatever the venue publishes',
    { books: [book([], [[0.02, 1]])], sourcePriceMicros: 60_000n },
    { executableYesCents: 2, priceBasis: 'source', probability: 0.02 },
  ],
  [
    'a five-minute contract shows no chance that its hidden book contradicts',
    { fiveMinute: true, books: [book([[0.97, 1]], [])], lastPriceMicros: 500_000n },
    { ...noTrade, probability: 0.97 },
  ],
  [
    'one side without any other price shows none',
    { books: [book([[0.4, 1]], [])] },
    { ...none, executableNoCents: 60 },
  ],
  ['an empty book without any price shows none', { books: [book([], [])] }, { ...none, ...noTrade }],
  ['no book at all shows none', {}, { ...none, ...noTrade, priceUpdatedAt: earlier }],
  [
    'the reference never stands in for an executable price',
    { books: [book([], [])], lastPriceMicros: 500_000n },
    { ...noTrade, priceBasis: 'last', yesCents: 50 },
  ],
  [
    'a crossed book discards both sides',
    { books: [book([[0.6, 1]], [[0.55, 1]])], lastPriceMicros: 580_000n },
    { ...noTrade, priceBasis: 'last', yesCents: 58 },
  ],
  ['a locked book is a crossed one', { books: [book([[0.6, 1]], [[0.6, 1]])] }, { ...noTrade, ...none }],
  ['levels at 0 and at 1 are no prices', { books: [book([[0, 5]], [[1, 5]])] }, { ...noTrade, ...none }],
  [
    'behind an ask at 1 nothing is for sale, the bid stands',
    { books: [book([[0.97, 5]], [[1, 5]])] },
    { executableYesCents: null, executableNoCents: 3, tradable: true },
  ],
  [
    'an ask at 0 crosses any bid',
    {
      books: [
        book(
          [[0.2, 5]],
          [
            [0, 5],
            [0.3, 5],
          ],
        ),
      ],
    },
    { ...noTrade },
  ],
  ['a last trade at 1 is not published', { lastPriceMicros: 1_000_000n }, none],
  ['a last trade at 0 is not published', { lastPriceMicros: 0n, sourcePriceMicros: 10_000n }, { priceBasis: 'source' }],
  [
    'a five-minute contract publishes its reference and nothing executable',
    { fiveMinute: true, books: [book([[0.4, 1]], [[0.5, 1]])] },
    { ...noTrade, priceBasis: 'midpoint', yesCents: 45, tradingClosed: false },
  ],
  [
    'a paused contract offers nothing',
    { status: 'paused', books: [book([[0.4, 1]], [[0.5, 1]])] },
    { ...noTrade, tradingClosed: true },
  ],
  [
    'past its close nothing is offered, whatever the status says',
    { closesAt: earlier, books: [book([[0.4, 1]], [[0.5, 1]])] },
    { ...noTrade, tradingClosed: true, yesCents: 45 },
  ],
  [
    'of unverified listings the primary is shown',
    { books: [book([[0.4, 1]], [[0.5, 1]]), book([[0.42, 1]], [[0.48, 1]])] },
    { executableYesCents: 50, executableNoCents: 60, spreadCents: 10 },
  ],
  [
    'of verified listings the best sides are shown',
    { routable: true, books: [book([[0.4, 1]], [[0.5, 1]]), book([[0.42, 1]], [[0.55, 1]])] },
    { executableYesCents: 50, executableNoCents: 58, spreadCents: 8, yesCents: 45 },
  ],
  [
    'verified listings that cross each other show the best of both, as a quote gives it, and a chance between them',
    { routable: true, books: [book([[0.45, 1]], [[0.5, 1]]), book([[0.4, 1]], [[0.44, 1]])] },
    { executableYesCents: 44, executableNoCents: 55, spreadCents: null, yesCents: 45, tradable: true },
  ],
  [
    'of verified listings the one is shown that costs least with its fee',
    {
      routable: true,
      books: [
        book([[0.4, 1]], [[0.5, 1]]),
        book([[0.4, 1]], [[0.49, 1]], { fee: { model: 'of_cost', bps: 500, known: true } }),
      ],
    },
    { executableYesCents: 50, executableNoCents: 60, spreadCents: 10 },
  ],
  [
    'the midpoint of the primary listing is no more than the ask of another verified one',
    { routable: true, books: [book([[0.45, 1]], [[0.51, 1]]), book([[0.4, 1]], [[0.46, 1]])] },
    { executableYesCents: 46, executableNoCents: 55, spreadCents: 1, yesCents: 46, priceBasis: 'midpoint' },
  ],
  [
    'of verified listings that cross each other with one side each, the last trade is between them',
    { routable: true, books: [book([[0.45, 1]], []), book([], [[0.44, 1]])], lastPriceMicros: 300_000n },
    { executableYesCents: 44, executableNoCents: 55, yesCents: 44, priceBasis: 'last' },
  ],
  [
    'a crossed book of one verified listing leaves the midpoint of the other',
    { routable: true, books: [book([[0.6, 1]], [[0.55, 1]]), book([[0.4, 1]], [[0.5, 1]])], lastPriceMicros: 300_000n },
    { executableYesCents: 50, executableNoCents: 60, spreadCents: 10, yesCents: 45, priceBasis: 'midpoint' },
  ],
  [
    'a combined book of one side each reads its midpoint',
    { routable: true, books: [book([], [[0.5, 1]]), book([[0.4, 1]], [])], lastPriceMicros: 300_000n },
    { executableYesCents: 50, executableNoCents: 60, spreadCents: 10, yesCents: 45, priceBasis: 'midpoint' },
  ],
  [
    'unverified listings are not combined: a crossed primary reads the last trade',
    { books: [book([[0.6, 1]], [[0.55, 1]]), book([[0.4, 1]], [[0.5, 1]])], lastPriceMicros: 300_000n },
    { ...noTrade, priceBasis: 'last', yesCents: 30 },
  ],
];

const decidedAt = new Date('2026-11-21T11:30:00Z');
const decided = { status: 'resolved', tradingClosed: true, resolvedAt: decidedAt } as const;

/** Decided contracts, with a book that goes on and a last trade. */
const results: [name: string, given: Partial<PricedContract>, expected: Record<string, unknown>][] = [
  ['YES is worth a dollar', { resolution: 'YES' }, { probability: 1, yesCents: 100, noCents: 0, priceBasis: 'source' }],
  ['NO is worth nothing', { resolution: 'NO' }, { probability: 0, yesCents: 0, noCents: 100, priceBasis: 'source' }],
  [
    'a split is worth its part',
    { resolution: 'SPLIT', splitYesMicros: 400_000n },
    { probability: 0.4, yesCents: 40, noCents: 60, priceBasis: 'source' },
  ],
  ['after VOID there is no worth', { resolution: 'VOID', status: 'voided' }, none],
];

// contract 3.2, contract 3.5, contract 3.6, contract 3.7, contract 3.8
describe('price display rules', () => {
  test.each(table)('%s', (_name, given, expected) => {
    expect(publishedPrice(contract(given), now)).toMatchObject(expected);
  });

  // contract 3.13
  test.each(results)('of a decided contract: %s', (_name, given, expected) => {
    const books = [book([[0.7, 1]], [[0.72, 1]])];
    const price = publishedPrice(contract({ ...decided, books, lastPriceMicros: 700_000n, ...given }), now);
    expect(price).toMatchObject({ ...expected, ...noTrade, tradingClosed: true, priceUpdatedAt: decidedAt });
  });

  // contract 3.14
  test('no reference contradicts an executable price', () => {
    for (const [name, given] of table) {
      const { yesCents, noCents, executableYesCents, executableNoCents } = publishedPrice(contract(given), now);
      if (yesCents === null || noCents === null) {
        continue;
      }
      const overlap = (executableYesCents ?? 100) + (executableNoCents ?? 100) < 100;
      if (!overlap) {
        expect(yesCents, name).toBeLessThanOrEqual(executableYesCents ?? 100);
        expect(noCents, name).toBeLessThanOrEqual(executableNoCents ?? 100);
      }
    }
  });

  // contract 6.3
  test('is tradable exactly when an executable price is shown', () => {
    for (const [, given] of table) {
      const price = publishedPrice(contract(given), now);
      expect(price.tradable).toBe(price.executableYesCents !== null || price.executableNoCents !== null);
      for (const cents of [price.executableYesCents, price.executableNoCents]) {
        if (cents !== null) {
          expect(cents > 0 && cents < 100).toBe(true);
        }
      }
    }
  });
});
