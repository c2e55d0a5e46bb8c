/** Recorded prices of an event on the wire. Points are pairs, not objects: a chart is thousands of them. */
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
