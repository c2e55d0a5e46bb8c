/** What Gemini's stream sends (AsyncAPI 0.10.7), as far as it is read. Other messages are told by name and ignored. */
import { z } from 'zod';
import { micros, price } from '../decimal-shape.ts';
import type { VenueLevel } from '../listing.ts';

const text = z.string().min(1);
/** Numbers of updates may have more digits than a number keeps. */
const counter = z.union([z.int().min(0), z.string().regex(/^\d+$/)]).transform(BigInt);
const levels = z
  .array(z.tuple([price, micros]))
  .transform((rows): VenueLevel[] => rows.map(([priceMicros, quantityMicros]) => ({ priceMicros, quantityMicros })));

const answer = z
  .looseObject({
    id: z.union([z.string(), z.int()]),
    status: z.int(),
    error: z.looseObject({ code: z.int(), msg: z.string() }).optional(),
  })
  .transform(({ id, status, error }) => ({ kind: 'answer' as const, id: String(id), status, error }));

const depth = z
  .looseObject({ e: z.literal('depthUpdate'), s: text, U: counter, u: counter, b: levels, a: levels })
  .transform(({ s, U, u, b, a }) => ({ kind: 'depth' as const, symbol: s, first: U, last: u, bids: b, asks: a }));

const contractStatus = z
  .looseObject({ e: z.literal('contractStatus'), s: text, k: text })
  .transform(({ s, k }) => ({ kind: 'status' as const, symbol: s, eventTicker: k }));

const orderUpdate = z
  .looseObject({ e: z.literal('orderUpdate'), c: z.string().optional() })
  .transform(({ c }) => ({ kind: 'order' as const, ourId: c }));

export const streamMessage = z.union([depth, contractStatus, orderUpdate, answer]);
export type StreamMessage = z.output<typeof streamMessage>;
export type DepthMessage = Extract<StreamMessage, { kind: 'depth' }>;

/** The name of a message, whatever else it says. */
export const namedMessage = z.looseObject({ e: z.string().optional() });
export const READ_NAMES: ReadonlySet<string> = new Set(['depthUpdate', 'contractStatus', 'orderUpdate']);
/** They only hasten a question, so that one that cannot be read loses nothing. */
export const HINTS: ReadonlySet<string> = new Set(['contractStatus', 'orderUpdate']);
