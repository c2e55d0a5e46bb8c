/** The venue's own JSON: camel case, prices and sizes as decimal strings, times as ISO-8601. */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { drawEvent } from '../catalogue/image.ts';
import type { Level, PaperContract, PaperEvent, Status } from '../catalogue/question.ts';
import { rulesOf } from '../catalogue/wording.ts';
import { type Exchange, matchOf } from '../exchange.ts';
import { liveOf } from '../market/chances.ts';
import { DOLLAR, formatMicros, parseMicros } from '../micros.ts';
import type { AccountLine } from '../orders/account.ts';
import { type Delivery, type PaperFill, type PaperOrder, parseScript } from '../orders/order.ts';

const iso = (at: number) => new Date(at).toISOString();
const price = (micros: number | null) => (micros === null ? null : formatMicros(micros));

export function renderBook(contract: PaperContract): object {
  return {
    listingId: contract.id,
    sequence: contract.book.sequence,
    bids: contract.book.bids.map(renderLevel),
    asks: contract.book.asks.map(renderLevel),
    ...(contract.book.asOf === undefined ? {} : { asOf: iso(contract.book.asOf) }),
  };
}

function renderLevel(level: Level): [string, string] {
  return [formatMicros(level.price), formatMicros(level.quantity)];
}

/** @param origin the origin of this venue's pictures, `http://127.0.0.1:1234` */
export function renderEvent(exchange: Exchange, event: PaperEvent, origin: string): object {
  return {
    eventId: event.id,
    groupKey: event.groupKey,
    slug: event.slug,
    title: event.title,
    subtitle: event.subtitle,
    category: event.category,
    categories: event.categories,
    kind: event.kind,
    sport: event.sport,
    league: event.league,
    eventType: event.eventType,
    liveMatch: renderLive(exchange, event),
    // The crests of its teams, which the contracts name, are the picture of a game.
    imageUrl: event.model.type === 'match' ? null : `${origin}/images/${event.id}.png`,
    opensAt: iso(event.opensAt),
    closesAt: iso(event.closesAt),
    volume: formatMicros(event.contracts.reduce((sum, contract) => sum + contract.volume, 0)),
    volume24h: formatMicros(event.contracts.reduce((sum, contract) => sum + contract.volume24h, 0)),
    status: statusOf(event),
    levelFormat: event.levelFormat,
    translations: event.words,
    markets: event.contracts.map((contract) => renderMarket(event, contract)),
  };
}

export function renderLive(exchange: Exchange, event: PaperEvent): object | null {
  if (event.model.type !== 'match') {
    return null;
  }
  const played = matchOf(exchange, event.model.match);
  const live = played === undefined ? null : liveOf(played.match, played.league, exchange.now());
  return live === null ? null : { ...live, observedAt: iso(live.observedAt) };
}

export function renderMarket(event: PaperEvent, contract: PaperContract): object {
  return {
    listingId: contract.id,
    eventId: event.id,
    groupKey: contract.groupKey,
    label: contract.label,
    teamColor: contract.team?.color ?? null,
    teamMarks: contract.team?.marks ?? null,
    teamAbbr: contract.team?.abbr ?? null,
    yesLabel: contract.yesLabel,
    noLabel: contract.noLabel,
    sportsMarketType: contract.sportsMarketType,
    threshold: contract.threshold,
    direction: contract.direction,
    fiveMinute: event.fiveMinute,
    status: contract.status,
    opensAt: iso(event.opensAt),
    closesAt: iso(event.closesAt),
    volume: formatMicros(contract.volume),
    volume24h: formatMicros(contract.volume24h),
    lastPrice: price(contract.lastPrice),
    resolution:
      contract.resolution === null
        ? null
        : {
            outcome: contract.resolution.outcome,
            yesWorth: price(contract.resolution.yesWorth),
            resolvedAt: iso(contract.resolution.at),
          },
    feeBps: contract.feeBps,
    rules: { ...rulesOf(event, contract), resolvesAt: iso(event.closesAt) },
    translations: contract.words,
  };
}

function statusOf(event: PaperEvent): Status {
  const holds = (status: Status) => event.contracts.some((contract) => contract.status === status);
  if (holds('open')) {
    return 'open';
  }
  if (holds('paused')) {
    return 'paused';
  }
  if (holds('closed')) {
    return 'closed';
  }
  return holds('resolved') ? 'resolved' : 'voided';
}

export function renderFill(fill: PaperFill): object {
  return {
    fillId: fill.fillId,
    quantity: formatMicros(fill.quantity),
    price: formatMicros(fill.price),
    fee: price(fill.fee),
    at: iso(fill.at),
  };
}

/** The account's entries for one order. */
export function renderAccount(ourId: string, listingId: string, lines: readonly AccountLine[]): object {
  return { ourId, listingId, fills: lines.map(renderFill) };
}

export function renderOrder(order: PaperOrder, twice = false): object {
  const fills = order.fills.map(renderFill);
  return {
    ourId: order.ourId,
    orderId: order.orderId,
    listingId: order.listingId,
    side: order.side,
    action: order.action,
    quantity: formatMicros(order.quantity),
    limitPrice: formatMicros(order.limitPrice),
    maxCost: price(order.maxCost),
    state: order.state,
    reason: order.reason,
    fills: twice ? [...fills, ...fills] : fills,
    receivedAt: iso(order.receivedAt),
  };
}

/** Includes the fields that only the venue's own record contains. */
export function renderRecord(order: PaperOrder): object {
  return { ...renderOrder(order), arrivals: order.arrivals, script: order.script, lookup: order.lookup };
}

// Sends the venue's response in the requested way: once, cut short, malformed, or never.

/** How long the caller of a lost response waits before the connection is closed. */
const HANG_MS = 30_000;

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

export function deliver(response: ServerResponse, delivery: Delivery, body: object): void {
  switch (delivery) {
    case 'hang': {
      const timer = setTimeout(() => response.destroy(), HANG_MS);
      response.once('close', () => clearTimeout(timer));
      return;
    }
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'error':
      send(response, 500, { error: 'internal_error' });
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"state":"clo');
      return;
    default:
      send(response, 200, body);
  }
}

export function sendPicture(exchange: Exchange, id: string, response: ServerResponse): void {
  const event = exchange.state.events[id];
  if (event === undefined) {
    send(response, 404, { error: 'unknown_event' });
    return;
  }
  const bytes = drawEvent(event.fixture, event.category);
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
  response.end(bytes);
}

// The requests that the venue accepts over HTTP, validated strictly. Decimal strings become whole millionths.

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
const priceField = micros.refine((value) => value <= 1_000_000, 'a price from 0 to 1');
const listingId = z.string().min(1).max(200);

export const orderBody = z
  .strictObject({
    ourId: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    listingId,
    side: z.enum(['YES', 'NO']),
    action: z.enum(['BUY', 'SELL']),
    quantity: micros.refine((value) => value > 0, 'above 0'),
    limitPrice: priceField,
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
