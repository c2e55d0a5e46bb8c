/**
 * The shapes of everything that the paper venue may send: catalogue, books, orders, fills and messages. They are strict, and nothing is
 * coerced: a decimal text becomes bigint millionths exactly, or does not fit.
 */
import { z } from 'zod';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { FeeSchedule, VenueBook, VenueChange, VenueEvent, VenueLiveMatch, VenueMarket } from '../listing.ts';
import type { VenueFill, VenueOrder } from '../port.ts';

export const micros = z.string().transform((text, context) => {
  const match = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,6}))?$/.exec(text);
  if (match === null) {
    context.addIssue({ code: 'custom', message: 'not a plain decimal with at most six places' });
    return z.NEVER;
  }
  return BigInt(match[1] ?? '0') * ONE_DOLLAR_MICROS + BigInt((match[2] ?? '').padEnd(6, '0'));
});
const price = micros.refine((value) => value <= ONE_DOLLAR_MICROS, 'a price above 1');
export const quantity = micros.refine((value) => value > 0n, 'a quantity of 0');
export const time = z.iso.datetime().transform((text) => new Date(text));
export const text = z.string().min(1).max(500);

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
    'a split, and only a split, has a worth of YES',
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

const side = z.enum(['YES', 'NO']);
const action = z.enum(['BUY', 'SELL']);

export const fillShape = z.strictObject({ fillId: text, quantity, price, fee: micros.nullable(), at: time });

type Fill = z.output<typeof fillShape>;

export function venueFill(of: { ourId: string; listingId: string }, one: Fill): VenueFill {
  return {
    fillId: one.fillId,
    ourId: of.ourId,
    listingId: of.listingId,
    quantityMicros: one.quantity,
    priceMicros: one.price,
    feeMicros: one.fee,
    occurredAt: one.at,
  };
}

function fillsOf(of: { ourId: string; listingId: string; fills: Fill[] }): VenueFill[] {
  return of.fills.map((one) => venueFill(of, one));
}

export const orderShape = z
  .strictObject({
    ourId: text,
    orderId: text,
    listingId: text,
    side,
    action,
    quantity,
    limitPrice: price,
    maxCost: micros.nullable(),
    state: z.enum(['working', 'closed', 'rejected']),
    reason: text.nullable(),
    fills: z.array(fillShape),
    receivedAt: time,
  })
  .refine((order) => (order.reason !== null) === (order.state === 'rejected'), 'a reason without a refusal')
  .transform(
    (order): VenueOrder => ({
      ourId: order.ourId,
      venueOrderId: order.orderId,
      listingId: order.listingId,
      state: order.state,
      reason: order.reason,
      side: order.side,
      action: order.action,
      quantityMicros: order.quantity,
      fills: fillsOf(order),
    }),
  );

/** The account's entries for one order. */
export const accountShape = z
  .strictObject({ ourId: text, listingId: text, fills: z.array(fillShape) })
  .transform(fillsOf);

export const refusalShape = z.strictObject({ error: text, message: z.string().optional() });

const sequence = z.number().int().nonnegative();
export const messageShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), venue: text, version: z.number().int() }),
  z.strictObject({ type: z.literal('snapshot'), seq: sequence, books: z.array(z.unknown()) }),
  z.strictObject({ type: z.literal('books'), seq: sequence, books: z.array(z.unknown()) }),
  z.strictObject({
    type: z.literal('changes'),
    seq: sequence,
    changes: z.strictObject({ version: z.number().int(), list: z.array(z.unknown()) }),
  }),
  z.strictObject({ type: z.literal('heartbeat'), seq: sequence, at: time }),
]);
export type FeedMessage = z.output<typeof messageShape>;
