/** What the paper venue may say of its catalogue, books, results and fees, to the letter; nothing is coerced. */

import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { FeeSchedule, VenueBook, VenueChange, VenueEvent, VenueLiveMatch, VenueMarket } from '../listing.ts';
import { micros, price, quantity, text, time } from './values.ts';

/** The maximum that a venue may charge if it has not reported its fee: 10 % of the cost. */
const HIGHEST_FEE_BPS = 1_000;

const status = z.enum(['open', 'closed', 'paused', 'resolved', 'voided']);
const level = z
  .tuple([price, quantity])
  .transform(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros }));

export const bookShape = z.strictObject({
  listingId: text,
  sequence: z.number().int().nonnegative(),
  bids: z.array(level),
  asks: z.array(level),
  asOf: time.optional(),
});

export function asBook(book: z.output<typeof bookShape>, observedAt: Date, feed: VenueBook['feed']): VenueBook {
  return { ...book, sequence: BigInt(book.sequence), observedAt, feed };
}

const resolution = z
  .strictObject({ outcome: z.enum(['YES', 'NO', 'VOID', 'SPLIT']), yesWorth: price.nullable(), resolvedAt: time })
  .refine(
    ({ outcome, yesWorth }) =>
      outcome === 'SPLIT' ? yesWorth !== null && yesWorth > 0n && yesWorth < ONE_DOLLAR_MICROS : yesWorth === null,
    'a split, and only a split, names what YES is worth',
  )
  .transform(({ yesWorth, ...rest }) => ({ ...rest, yesWorthMicros: yesWorth }));

const marketWords = z
  .strictObject({ label: text, yesLabel: text.optional(), noLabel: text.optional() })
  .transform(({ label, yesLabel, noLabel }) => ({ label, yesLabel: yesLabel ?? null, noLabel: noLabel ?? null }));
const eventWords = z
  .strictObject({ title: text, subtitle: text.optional() })
  .transform(({ title, subtitle }) => ({ title, subtitle: subtitle ?? null }));

const rules = z.strictObject({ text, source: text, sourceUrl: z.url(), resolvesAt: time });

const marketShape = z
  .strictObject({
    listingId: text,
    eventId: text,
    groupKey: text.nullable(),
    label: text,
    teamColor: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .nullable(),
    teamMarks: text.nullable(),
    teamAbbr: text.nullable(),
    yesLabel: text.nullable(),
    noLabel: text.nullable(),
    sportsMarketType: text.nullable(),
    threshold: z.number().nullable(),
    direction: z.enum(['above', 'below']).nullable(),
    fiveMinute: z.boolean(),
    status,
    opensAt: time,
    closesAt: time,
    volume: micros,
    volume24h: micros,
    lastPrice: price.nullable(),
    resolution: resolution.nullable(),
    feeBps: z.number().int().min(0).max(10_000).nullable(),
    rules: rules.nullable().default(null),
    translations: z.strictObject({ es: marketWords, pt: marketWords, hr: marketWords }).partial(),
  })
  .refine(
    (market) => (market.resolution !== null) === (market.status === 'resolved' || market.status === 'voided'),
    'a resolution without its status, or the other way round',
  )
  .transform(
    ({ volume, volume24h, lastPrice, feeBps, rules: published, ...rest }): VenueMarket => ({
      ...rest,
      teamLogoUrl: null,
      volumeMicros: volume,
      volume24hMicros: volume24h,
      lastPriceMicros: lastPrice,
      fee: feeOf(feeBps),
      rules: published?.text ?? null,
      sources: published === null ? [] : [{ name: published.source, url: published.sourceUrl }],
      resolvesAt: published?.resolvesAt ?? null,
      tickMicros: 1n,
    }),
  );

const liveMatch = z
  .strictObject({
    homeScore: z.number().int().nonnegative(),
    awayScore: z.number().int().nonnegative(),
    period: text,
    clock: text.nullable(),
    observedAt: time,
  })
  .transform((match): VenueLiveMatch => match);

export const eventShape = z
  .strictObject({
    eventId: text,
    groupKey: text.nullable(),
    slug: text,
    title: text,
    subtitle: text.nullable(),
    category: text,
    categories: z.array(text).min(1),
    kind: z.enum(['binary', 'mutually_exclusive', 'cumulative_ladder', 'ambiguous']),
    sport: text.nullable(),
    league: text.nullable(),
    eventType: z.enum(['game', 'future']).nullable(),
    liveMatch: liveMatch.nullable(),
    imageUrl: z.url().nullable(),
    opensAt: time,
    closesAt: time,
    volume: micros,
    volume24h: micros,
    status,
    levelFormat: z.string().includes('{k}').nullable(),
    translations: z.strictObject({ es: eventWords, pt: eventWords, hr: eventWords }).partial(),
    markets: z.array(marketShape).min(1),
  })
  .refine((event) => event.categories.includes(event.category), 'a category that is not among the categories')
  .transform(
    ({ volume, volume24h, ...rest }): VenueEvent => ({ ...rest, volumeMicros: volume, volume24hMicros: volume24h }),
  );

export const changeShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('event'), event: eventShape }),
  z.strictObject({ type: z.literal('market'), market: marketShape }),
  z.strictObject({ type: z.literal('match'), eventId: text, liveMatch: liveMatch.nullable() }),
  z.strictObject({ type: z.literal('coin'), eventId: text, price: z.number().positive(), at: time }),
]) satisfies z.ZodType<VenueChange>;

/** Items are checked one by one, so that one invalid item does not hide the others. */
export const catalogueShape = z.strictObject({ version: z.number().int(), events: z.array(z.unknown()) });
export const booksShape = z.strictObject({ books: z.array(z.unknown()) });
export const feeShape = z.strictObject({ listingId: text, feeBps: z.number().int().min(0).max(10_000).nullable() });

export function feeOf(feeBps: number | null): FeeSchedule {
  return { model: 'of_cost', bps: feeBps ?? HIGHEST_FEE_BPS, known: feeBps !== null };
}
