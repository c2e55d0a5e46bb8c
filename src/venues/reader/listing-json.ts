/** Events and books between cells as JSON: integers are decimal text, times are ISO 8601. What does not fit to the letter is refused. */
import { z } from 'zod';
import type { VenueBook, VenueEvent, VenueMarket } from '../listing.ts';

/** Every field, so that a new one is not forgotten: it would be refused by the cells that follow. */
type Shape<Listed> = Record<keyof Listed, z.ZodType>;

const integer = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,18})$/)
  .transform(BigInt);
const time = z.iso.datetime().transform((text) => new Date(text));
const text = z.string();
const maybe = text.nullable();
const status = z.enum(['open', 'closed', 'paused', 'resolved', 'voided']);
const level = z.strictObject({ priceMicros: integer, quantityMicros: integer });
const eventWords = z.strictObject({ title: text, subtitle: maybe });
const marketWords = z.strictObject({ label: text, yesLabel: maybe, noLabel: maybe });

export const bookShape = z.strictObject({
  listingId: text,
  bids: z.array(level),
  asks: z.array(level),
  sequence: integer,
  observedAt: time,
  feed: z.enum(['websocket', 'rest']),
  asOf: time.optional(),
} satisfies Shape<Omit<VenueBook, 'receivedAt' | 'traded'>>) satisfies z.ZodType<VenueBook>;

const marketShape = z.strictObject({
  listingId: text,
  eventId: text,
  groupKey: maybe,
  label: text,
  teamLogoUrl: maybe,
  teamColor: maybe,
  teamMarks: maybe,
  teamAbbr: maybe,
  yesLabel: maybe,
  noLabel: maybe,
  rules: maybe,
  sources: z.array(z.strictObject({ name: maybe, url: maybe })).default([]),
  resolvesAt: time.nullable().default(null),
  sportsMarketType: maybe,
  threshold: z.number().nullable(),
  direction: z.enum(['above', 'below']).nullable(),
  fiveMinute: z.boolean(),
  status,
  opensAt: time,
  closesAt: time,
  volumeMicros: integer,
  volume24hMicros: integer,
  lastPriceMicros: integer.nullable(),
  resolution: z
    .strictObject({
      outcome: z.enum(['YES', 'NO', 'VOID', 'SPLIT']),
      yesWorthMicros: integer.nullable(),
      resolvedAt: time,
    })
    .nullable(),
  fee: z.strictObject({
    model: z.enum(['of_cost', 'of_variance']),
    bps: z.number().int().min(0).max(10_000),
    known: z.boolean(),
  }),
  tickMicros: integer,
  part: z.number().int().nullable().default(null),
  translations: z.strictObject({ es: marketWords, pt: marketWords, hr: marketWords }).partial(),
} satisfies Shape<VenueMarket>) satisfies z.ZodType<VenueMarket>;

export const eventShape = z.strictObject({
  eventId: text,
  groupKey: maybe,
  slug: text,
  title: text,
  subtitle: maybe,
  category: text,
  categories: z.array(text),
  kind: z.enum(['binary', 'mutually_exclusive', 'cumulative_ladder', 'ambiguous']),
  sport: maybe,
  league: maybe,
  eventType: z.enum(['game', 'future']).nullable(),
  liveMatch: z
    .strictObject({
      homeScore: z.number().int(),
      awayScore: z.number().int(),
      period: text,
      clock: maybe,
      observedAt: time,
    })
    .nullable(),
  imageUrl: maybe,
  opensAt: time,
  closesAt: time,
  volumeMicros: integer,
  volume24hMicros: integer,
  status,
  levelFormat: maybe,
  translations: z.strictObject({ es: eventWords, pt: eventWords, hr: eventWords }).partial(),
  markets: z.array(marketShape),
} satisfies Shape<VenueEvent>) satisfies z.ZodType<VenueEvent>;

/** @param value an event, a book or a message that contains them */
export function writeJson(value: object): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
}
