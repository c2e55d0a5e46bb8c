/** The requests that the venue accepts over HTTP, validated strictly. Decimal strings become whole millionths. */

import { z } from 'zod';
import { DOLLAR, parseMicros } from '../micros.ts';
import { parseScript } from '../orders/script.ts';

export const MAX_BODY = 64 * 1024;
/** The default size of a level. */
const DEFAULT_SIZE = '100000';

const micros = z.string().transform((text, context) => {
  const value = parseMicros(text);
  if (value === undefined) {
    context.addIssue({ code: 'custom', message: 'a plain decimal with at most six places' });
    return z.NEVER;
  }
  return value;
});
const price = micros.refine((value) => value <= 1_000_000, 'a price from 0 to 1');
const listingId = z.string().min(1).max(200);

export const orderBody = z
  .strictObject({
    ourId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    listingId,
    side: z.enum(['YES', 'NO']),
    action: z.enum(['BUY', 'SELL']),
    quantity: micros.refine((value) => value > 0, 'above 0'),
    limitPrice: price,
    maxCost: micros.nullish(),
    expiresAt: z.iso.datetime(),
  })
  .transform((body) => ({ ...body, maxCost: body.maxCost ?? null, expiresAt: Date.parse(body.expiresAt) }));

const level = z
  .tuple([z.string(), z.string()])
  .or(z.tuple([z.string()]))
  .transform((pair, context) => {
    const at = parseMicros(pair[0]);
    const quantity = parseMicros(pair[1] ?? DEFAULT_SIZE);
    if (at === undefined || at > DOLLAR || quantity === undefined || quantity <= 0) {
      context.addIssue({ code: 'custom', message: 'a price from 0 to 1 and a size above 0' });
      return z.NEVER;
    }
    return { price: at, quantity };
  });
const levels = z.array(level).max(200).default([]);

/** Levels may have any order; the venue sorts them best first and adds up sizes at the same price. */
export const bookBody = z.strictObject({ listingId, bids: levels, asks: levels }).transform((body) => ({
  listingId: body.listingId,
  bids: merge(body.bids).sort((one, other) => other.price - one.price),
  asks: merge(body.asks).sort((one, other) => one.price - other.price),
}));

function merge(list: readonly { price: number; quantity: number }[]): { price: number; quantity: number }[] {
  const byPrice = new Map<number, number>();
  for (const { price: at, quantity } of list) {
    byPrice.set(at, (byPrice.get(at) ?? 0) + quantity);
  }
  return [...byPrice].map(([at, quantity]) => ({ price: at, quantity }));
}

export const listingBody = z.strictObject({ listingId });
export const nextBody = z.strictObject({
  listingId,
  script: z
    .string()
    .refine((text) => parseScript(text) !== undefined, 'not one of fill, reject:REASON, timeout, partial:F, silence'),
});
/** No book that is a day old can be traded on. */
export const ageBody = z.strictObject({ listingId, seconds: z.number().int().min(0).max(86_400) });
export const feeBody = z.strictObject({ listingId, bps: z.number().int().min(0).max(10_000).nullable() });
export const resolveBody = z
  .strictObject({
    listingId,
    outcome: z.enum(['YES', 'NO', 'VOID', 'SPLIT']),
    yesWorth: micros.nullish(),
  })
  .refine(
    ({ outcome, yesWorth }) =>
      outcome === 'SPLIT' ? yesWorth != null && yesWorth > 0 && yesWorth < DOLLAR : yesWorth == null,
    'a split, and only a split, names what YES is worth, between 0 and 1',
  );
export const faultBody = z.strictObject({
  drop: z.number().int().min(0).max(1000).optional(),
  muteMs: z.number().int().min(0).max(60_000).optional(),
  cut: z.boolean().optional(),
});
