/** What is read of the messages of Kalshi's stream (AsyncAPI of 2026-08). Used fields must fit; other channels are ignored. */
import { z } from 'zod';
import { micros, price } from '../decimal-shape.ts';
import { signedMicros } from './order-schemas.ts';
import { kalshiLadder } from './schemas.ts';

const text = z.string().min(1);
const numbered = { sid: z.int(), seq: z.int() };
const side = z.enum(['yes', 'no']);

export const streamMessage = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('subscribed'), id: z.int(), msg: z.looseObject({ channel: text, sid: z.int() }) }),
  z.looseObject({ type: z.literal('ok'), id: z.int(), ...numbered }),
  z.looseObject({ type: z.literal('unsubscribed'), ...numbered }),
  z.looseObject({
    type: z.literal('error'),
    /** Of the command that it answers. */
    id: z.int().optional(),
    /** Both are there where it is about a subscription, whose numbers it continues. */
    sid: z.int().optional(),
    seq: z.int().optional(),
    msg: z.looseObject({ code: z.int(), msg: z.string().optional(), market_ticker: text.optional() }),
  }),
  z.looseObject({
    type: z.literal('orderbook_snapshot'),
    ...numbered,
    msg: z.looseObject({ market_ticker: text, yes_dollars_fp: kalshiLadder, no_dollars_fp: kalshiLadder }),
  }),
  z.looseObject({
    type: z.literal('orderbook_delta'),
    ...numbered,
    msg: z.looseObject({ market_ticker: text, price_dollars: price, delta_fp: signedMicros, side }),
  }),
  z.looseObject({
    type: z.literal('fill'),
    msg: z.looseObject({ order_id: text, client_order_id: z.string().optional(), count_fp: micros }),
  }),
  z.looseObject({ type: z.literal('user_order'), msg: z.looseObject({ order_id: text, client_order_id: z.string() }) }),
  z.looseObject({
    type: z.literal('market_lifecycle_v2'),
    msg: z.looseObject({ event_type: text, market_ticker: text }),
  }),
  z.looseObject({ type: z.literal('event_lifecycle'), msg: z.looseObject({ event_ticker: text }) }),
  z.looseObject({ type: z.literal('event_fee_update'), msg: z.looseObject({ event_ticker: text }) }),
]);
export type StreamMessage = z.output<typeof streamMessage>;

/** What any message has. Those of a subscription are counted, also acknowledgements, refusals and those of other types. */
export const anyMessage = z.looseObject({ type: z.string(), sid: z.int().optional(), seq: z.int().optional() });
export type AnyMessage = z.output<typeof anyMessage>;

/** They only hasten a question, so that one that cannot be read loses nothing. */
export const HINTS: ReadonlySet<string> = new Set([
  'fill',
  'user_order',
  'market_lifecycle_v2',
  'event_lifecycle',
  'event_fee_update',
]);

/** Types of the channels that are followed; everything else is ignored. */
export const KNOWN_TYPES: ReadonlySet<string> = new Set(
  streamMessage.options.flatMap((option) => [...option.shape.type.values]),
);
