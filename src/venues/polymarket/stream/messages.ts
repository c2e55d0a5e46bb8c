/** What is read of the messages of Polymarket's streams (AsyncAPI of 2026-08). Used fields must fit; what is new is noted, and ignored. */
import { z } from 'zod';
import { looseMicros, loosePrice } from '../../decimal-shape.ts';
import { jsonOf } from '../../response-shape.ts';
import type { Note } from '../../unknowns.ts';
import { bookLevel } from '../schemas.ts';

const text = z.string().min(1);
/** Milliseconds since 1970. */
const streamTime = z
  .string()
  .regex(/^[0-9]{1,16}$/)
  .transform(Number);
const side = z.enum(['BUY', 'SELL']);
/** `""` where the exchange names none. */
const best = z.union([z.literal('').transform(() => undefined), loosePrice]).optional();

export const marketMessage = z.discriminatedUnion('event_type', [
  z.looseObject({
    event_type: z.literal('book'),
    asset_id: text,
    bids: z.array(bookLevel),
    asks: z.array(bookLevel),
    timestamp: streamTime,
  }),
  z.looseObject({
    event_type: z.literal('price_change'),
    price_changes: z.array(
      z.looseObject({ asset_id: text, price: loosePrice, size: looseMicros, side, best_bid: best, best_ask: best }),
    ),
    timestamp: streamTime,
  }),
  z.looseObject({
    event_type: z.literal('last_trade_price'),
    asset_id: text,
    price: loosePrice,
    size: looseMicros,
    side,
    timestamp: streamTime,
  }),
  z.looseObject({ event_type: z.literal('tick_size_change'), asset_id: text }),
  z.looseObject({ event_type: z.literal('market_resolved'), assets_ids: z.array(text) }),
]);
export type MarketMessage = z.output<typeof marketMessage>;

export type TradeMessage = Extract<MarketMessage, { event_type: 'last_trade_price' }>;
export type PriceChange = Extract<MarketMessage, { event_type: 'price_change' }>['price_changes'][number];

/** Orders and trades of our account. Which orders they are about is all that is read: a look-up reads what counts. */
export const userMessage = z.discriminatedUnion('event_type', [
  z.looseObject({ event_type: z.literal('order'), id: text }),
  z.looseObject({
    event_type: z.literal('trade'),
    taker_order_id: text,
    maker_orders: z.array(z.looseObject({ order_id: text })).nullish(),
  }),
]);
export type UserMessage = z.output<typeof userMessage>;

const MARKET_TYPES = new Set<string>(marketMessage.options.flatMap((option) => [...option.shape.event_type.values]));
const USER_TYPES = new Set<string>(userMessage.options.flatMap((option) => [...option.shape.event_type.values]));

/** Documented, and of no use here. */
const UNREAD: ReadonlySet<string> = new Set(['best_bid_ask', 'new_market']);
/** They change no book and only hasten a question, so that one that cannot be read loses nothing. */
const HINTS: ReadonlySet<string> = new Set(['last_trade_price', 'market_resolved', ...USER_TYPES]);

export const readMarketFrame = (frame: string, note: Note) => readFrame(frame, marketMessage, MARKET_TYPES, note);
export const readUserFrame = (frame: string, note: Note) => readFrame(frame, userMessage, USER_TYPES, note);

/**
 * Reads a frame, which is one message or an array of them.
 * @returns the messages of followed types; undefined if one of them does not fit
 */
function readFrame<Message>(
  frame: string,
  shape: z.ZodType<Message>,
  known: ReadonlySet<string>,
  note: Note,
): Message[] | undefined {
  const body = jsonOf(frame);
  const messages: Message[] = [];
  for (const one of Array.isArray(body) ? body : [body]) {
    const type = (one as { event_type?: unknown } | null)?.event_type;
    if (typeof type !== 'string') {
      return undefined;
    }
    const read = known.has(type) ? shape.safeParse(one).data : undefined;
    if (read !== undefined) {
      messages.push(read);
    } else if (!known.has(type)) {
      if (!UNREAD.has(type)) {
        note('stream message', type);
      }
    } else if (HINTS.has(type)) {
      note('stream message that cannot be read', type);
    } else {
      return undefined;
    }
  }
  return messages;
}
