/** What charts of an event show, on the wire. Points are pairs, not objects: a chart is thousands of them. */
import { z } from 'zod';

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
      description: `Comma-separated ctr_ ids, at most ${MOST_CONTRACTS}; default the most traded.`,
    }),
});

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
            'Unix seconds, the probability then, and the same moment in ISO-8601; oldest first, the last is now.',
          ),
      }),
    ),
  }),
});

export type PriceHistory = z.infer<typeof priceHistory>;

export const eventCourseQuery = z.object({
  since: z.coerce.number().int().nonnegative().default(0).describe('Unix seconds; only what is later is answered.'),
});

const seconds = z.int().describe('Unix seconds');

/** The course of what an event is about. */
export const eventCourse = z
  .object({
    coin: z
      .array(z.tuple([seconds, z.number().describe('Dollars')]).meta({ minItems: 2, items: true }))
      .describe('The prices of the coin of a five-minute event, oldest first; empty if the venue reports none.'),
    scores: z
      .array(z.tuple([seconds, z.int().describe('Home'), z.int().describe('Away')]).meta({ minItems: 3, items: true }))
      .describe('The score of a match since each moment at which it changed, oldest first.'),
  })
  .meta({ id: 'EventCourse' });

export type EventCourse = z.infer<typeof eventCourse>;
