/**
 * The catalogue on the wire (contract chapter 5, contract chapter 6, contract 7.16, contract 4.9), and our additions: books
 * and names of contracts, charts, and the routes of the public website, which are not a partner contract. Both sides of the
 * wire use the shapes; tests check them, not each response.
 */
import { z } from 'zod';
import { CATEGORIES } from '../core/terms.ts';
import { moment } from './page.ts';
import { RESOLUTIONS } from './reconciliation.ts';

const timestamp = z.iso.datetime().describe('ISO-8601 UTC');
const category = z.string().meta({ enum: CATEGORIES });
const cents = z.number().min(0).max(100);
const contracts = z.number().min(0).describe('Contracts traded at the venue, not dollars');
const marketStatus = z.enum(['open', 'closed', 'paused', 'resolved', 'voided']);
const priceBasis = z.enum(['midpoint', 'last', 'source', 'none']);

const resolution = z.enum(RESOLUTIONS).optional().describe('Result of the outcome; absent while it is open');

const referenceFields = {
  probability: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Reference price, 0 to 1. After the decision it is the value of a YES contract, or null after VOID'),
  yesCents: cents.nullable().describe('Reference price in cents, not rounded'),
  noCents: cents.nullable().describe('Reference price in cents, not rounded'),
  executableYesCents: cents.nullable().describe('Price of a buy of YES; if it is null, show no price'),
  executableNoCents: cents.nullable().describe('Price of a buy of NO; if it is null, show no price'),
};

const outcomeShape = z
  .strictObject({
    id: z.string().regex(/^ctr_/),
    label: z.string(),
    sourceLabel: z.string().optional().describe('The original label, if it was translated'),
    teamLogoUrl: z.string().nullable(),
    teamColor: z.string().nullable(),
    teamMarks: z.array(z.string()).nullable(),
    teamAbbr: z.string().nullable(),
    ...referenceFields,
    tradable: z.boolean().describe('True exactly if at least one executable price is not null'),
    tradingClosed: z.boolean(),
    yesLabel: z.string().nullable(),
    noLabel: z.string().nullable(),
    sportsMarketType: z.string().nullable(),
    spreadCents: cents.nullable(),
    priceBasis,
    priceUpdatedAt: timestamp,
    priceFeed: z.enum(['websocket', 'rest']),
    status: marketStatus,
    resolution,
    threshold: z.number().nullable(),
    direction: z.enum(['above', 'below']).nullable(),
    volume24h: contracts,
    volume24hContracts: contracts,
    closesAt: timestamp,
  })
  .meta({ id: 'Outcome' });
export type Outcome = z.infer<typeof outcomeShape>;

const share = z.number().min(0).max(1);

const trendingShape = z
  .strictObject({
    score: share,
    components: z.strictObject({ volume24h: share, liquidity: share, movement: share, recency: share }),
    reasons: z
      .array(z.enum(['traded_today', 'deep_book', 'price_moving', 'new_today']))
      .min(1)
      .max(2),
    freshness: z.strictObject({
      level: z.enum(['live', 'recent', 'aged', 'stale']).describe('Age of the newest confirmed price of the event'),
      computedAt: timestamp,
    }),
  })
  .meta({ id: 'Trending' });
export type Trending = z.infer<typeof trendingShape>;

const liveMatchShape = z
  .strictObject({
    homeScore: z.number().nullable(),
    awayScore: z.number().nullable(),
    period: z.string().nullable(),
    clock: z.string().nullable(),
    observedAt: timestamp,
  })
  .meta({ id: 'LiveMatch' });

const eventRulesShape = z
  .strictObject({
    text: z.string().nullable().describe('The rules of the result in English; null if each outcome has its own text'),
    source: z.string().nullable().describe('Name of the source from which the result is read'),
    sourceUrl: z.url().nullable().describe('Address of the source; `http` or `https`'),
    resolvesAt: timestamp.nullable().describe('Expected time of the last result; null if unknown'),
    outcomes: z
      .array(z.strictObject({ id: z.string().regex(/^ctr_/), text: z.string() }))
      .describe('The text of each outcome; empty if `text` applies to all of them'),
  })
  .meta({ id: 'EventRules' });
export type EventRules = z.infer<typeof eventRulesShape>;

export const eventShape = z
  .strictObject({
    id: z.string().regex(/^evt_/),
    slug: z.string(),
    title: z.string(),
    sourceTitle: z.string().optional().describe('The original title, if it was translated'),
    subtitle: z.string().nullable(),
    category,
    categories: z.array(category).describe('Every category of the event, its main one included'),
    sport: z.string().nullable(),
    league: z.string().nullable(),
    eventType: z.enum(['game', 'future']).nullable(),
    liveMatch: liveMatchShape.nullable(),
    imageUrl: z.string().describe('Path of the picture, without the host'),
    kind: z.enum(['binary', 'mutually_exclusive', 'cumulative_ladder', 'ambiguous']),
    outcomeCount: z.number().int(),
    impliedLevel: z.number().nullable(),
    impliedLevelLabel: z.string().nullable(),
    closesAt: timestamp,
    opensAt: timestamp,
    updatedAt: timestamp,
    volume: contracts,
    volume24h: contracts,
    volumeContracts: contracts,
    volume24hContracts: contracts,
    status: marketStatus,
    outcomes: z.array(outcomeShape),
    trending: trendingShape.optional().describe('Present only in a list that is ranked by activity'),
    rules: eventRulesShape
      .nullable()
      .optional()
      .describe('Rules of the event; null if no rules are published. Present only on a single event'),
  })
  .meta({ id: 'Event' });
export type CatalogueEvent = z.infer<typeof eventShape>;

const jurisdictionNoticeShape = z.strictObject({ enforced: z.literal(true), message: z.string() });

export const eventListShape = z
  .strictObject({
    data: z.array(eventShape),
    pagination: z.strictObject({
      limit: z.number().int().min(1).max(100),
      total: z.number().int().describe('Number of all events that match the filter'),
      nextCursor: z.string().nullable(),
      hasMore: z.boolean(),
    }),
    jurisdiction: jurisdictionNoticeShape.optional(),
  })
  .meta({ id: 'EventList' });
export type EventList = z.infer<typeof eventListShape>;

export const eventDetailShape = z.strictObject({ data: eventShape }).meta({ id: 'EventDetail' });
export type EventDetail = z.infer<typeof eventDetailShape>;

const categoryShape = z
  .strictObject({ category, label: z.string(), eventCount: z.number().int() })
  .meta({ id: 'Category' });

export const categoryListShape = z
  .strictObject({ data: z.array(categoryShape), totalEvents: z.number().int() })
  .meta({ id: 'CategoryList' });
export type CategoryList = z.infer<typeof categoryListShape>;

/** Documents the query of `GET /events`. markets/catalogue/event-query.ts reads the values and refuses them by their own codes. */
export const eventListQueryShape = z.object({
  category: z.string().optional().describe('A category of /categories'),
  sport: z.string().optional().describe('Slug of a sport, or of a family of sports'),
  league: z.string().optional().describe('Slug of a league'),
  search: z
    .string()
    .optional()
    .describe('Words in title, subtitle and outcome labels. The first eight different words are used'),
  sort: z.enum(['trending', 'volume', 'closing-soon', 'new']).default('trending').optional(),
  dir: z.enum(['asc', 'desc']).optional(),
  limit: z.int().min(1).max(100).default(25).optional(),
  locale: z.string().optional().describe('Language: en, es, pt or hr. Any other value selects English'),
  tradable: z
    .string()
    .optional()
    .meta({ type: 'boolean', description: '`true` returns only events with at least one executable side' }),
  closesAfter: moment('ISO-8601, inclusive; a date alone is its midnight UTC'),
  closesBefore: moment('ISO-8601, inclusive; a date alone is its midnight UTC'),
  cursor: z.string().optional().describe('Opaque, and valid only with the same sort and dir'),
});

/** `data:` of `event: price` and `event: closed` on the price stream. */
export const priceViewShape = z
  .strictObject({
    contractId: z.string().regex(/^ctr_/),
    tradeable: z.boolean().describe('Whether the price can be traded. Read this before you show it'),
    tradingClosed: z.boolean(),
    ...referenceFields,
    spreadCents: cents.nullable(),
    priceBasis,
    priceUpdatedAt: timestamp,
    resolution,
  })
  .meta({ id: 'Price' });
export type PriceView = z.infer<typeof priceViewShape>;

/** `data:` of `event: snapshot`, the first frame of the price stream. */
export const priceSnapshotShape = z
  .strictObject({
    contracts: z.array(priceViewShape),
    unknown: z.array(z.string()).describe('Requested ids that do not exist or are not offered'),
  })
  .meta({ id: 'PriceSnapshot' });
export type PriceSnapshot = z.infer<typeof priceSnapshotShape>;

const MOST_NAMES = 100;
const id = z.string().regex(/^ctr_/).describe('Contract id.');

export const contractNamesQuery = z.object({
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((one) => one !== ''))])
    .pipe(z.array(z.string()).min(1).max(MOST_NAMES))
    .meta({ type: 'string', description: `Comma-separated ctr_ ids, at most ${MOST_NAMES}.` }),
});

export const contractNames = z
  .object({
    data: z
      .array(
        z.object({
          id,
          label: z.string().describe('Label of the outcome.'),
          eventId: z.string().describe('Id of its event.'),
          title: z.string().describe('Title of its event.'),
        }),
      )
      .describe(
        'The contracts that exist, in no particular order. Contracts that are no longer offered keep their names.',
      ),
  })
  .meta({ id: 'ContractNames' });

const level = z.object({
  price: z.number().gt(0).lt(1).describe('Dollars per contract.'),
  contracts: z.number().positive().describe('Contracts offered at this price.'),
});

export const contractBook = z
  .object({
    contractId: id,
    bids: z.array(level).describe('Buyers of YES, best first.'),
    asks: z.array(level).describe('Sellers of YES, best first; a buy of NO meets the bids at 1 minus their price.'),
    updatedAt: z.iso
      .datetime()
      .nullable()
      .describe('Time at which the order book last changed; null if there is none.'),
  })
  .meta({ id: 'ContractBook' });

export type ContractBook = z.infer<typeof contractBook>;

export const contractTrades = z
  .object({
    contractId: id,
    trades: z
      .array(
        z.object({
          at: z.iso.datetime().describe('Time at which the market reported the trade.'),
          price: z
            .number()
            .gt(0)
            .lt(1)
            .describe('Price of the last trade in this report, in dollars per contract of YES.'),
          contracts: z.number().positive().describe('Contracts traded since the previous report.'),
        }),
      )
      .describe('At most 20 trades, newest first, and only those since this process of the service started.'),
  })
  .meta({ id: 'ContractTrades' });

export type ContractTrades = z.infer<typeof contractTrades>;

const HISTORY_RANGE = ['1d', '1w', '1m', 'all'] as const;
const MOST_CONTRACTS = 12;

export const priceHistoryQuery = z.object({
  range: z.enum(HISTORY_RANGE).default('1d'),
  contracts: z
    .string()
    .transform((text) => text.split(',').filter((id) => id !== ''))
    .pipe(z.array(z.string()).max(MOST_CONTRACTS))
    .optional()
    .meta({
      type: 'string',
      description: `Comma-separated ctr_ ids, at most ${MOST_CONTRACTS}; by default the most traded.`,
    }),
});

/** The chart of an event. Points are tuples, not objects, because a chart has thousands of them. */
export const priceHistory = z.object({
  data: z.object({
    eventId: z.string(),
    range: z.enum(HISTORY_RANGE),
    series: z.array(
      z.object({
        contractId: z.string(),
        label: z.string(),
        points: z
          .array(z.tuple([z.int(), z.number(), z.iso.datetime()]).meta({ minItems: 3, items: true }))
          .describe(
            'Points of Unix seconds, the probability at that time, and the same time in ISO-8601, oldest first. The last point is the current one, or the result of a decided outcome.',
          ),
      }),
    ),
  }),
});

export type PriceHistory = z.infer<typeof priceHistory>;

export const eventCourseQuery = z.object({
  since: z.string().optional().meta({
    type: 'integer',
    format: 'unix-time',
    default: 0,
    minimum: 0,
    description: 'Unix seconds. Only later points are returned.',
  }),
});

const seconds = z.int().describe('Unix seconds');

/** The course of the coin or the match that an event is about. */
export const eventCourse = z
  .object({
    coin: z
      .array(z.tuple([seconds, z.number().describe('Dollars')]).meta({ minItems: 2, items: true }))
      .describe('Prices of the coin of a five-minute event, oldest first; empty if the venue reports none.'),
    scores: z
      .array(z.tuple([seconds, z.int().describe('Home'), z.int().describe('Away')]).meta({ minItems: 3, items: true }))
      .describe('Scores of a match, each with the time from which it applied, oldest first.'),
  })
  .meta({ id: 'EventCourse' });

export type EventCourse = z.infer<typeof eventCourse>;

/** An outcome with its event, for the public website. */
export const marketShape = z.strictObject({
  ...outcomeShape.shape,
  event: z.strictObject({ id: z.string(), slug: z.string(), title: z.string(), category: z.string() }),
});
export type Market = z.infer<typeof marketShape>;

export const marketListQuery = z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) });

const MOST_IDS = 200;

export const marketPricesQuery = z.object({
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').filter((id) => id !== ''))])
    .pipe(z.array(z.string()).min(1).max(MOST_IDS)),
});
