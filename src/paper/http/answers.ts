/**
 * The responses of the paper venue: its JSON, in camel case with prices and sizes as decimal strings and times as ISO-8601,
 * and the ways in which a script lets a response arrive: once, cut short, malformed, or never.
 */
import type { ServerResponse } from 'node:http';
import type { Level, PaperContract, PaperEvent, Status } from '../catalogue/event.ts';
import { drawEvent } from '../catalogue/image.ts';
import { rulesOf } from '../catalogue/wording.ts';
import { type Exchange, matchOf } from '../market/exchange.ts';
import { liveOf } from '../market/match.ts';
import { formatMicros } from '../micros.ts';
import type { AccountLine } from '../orders/account.ts';
import type { Delivery, PaperFill, PaperOrder } from '../orders/order.ts';

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

/** @param origin the address of this venue, under which its pictures are found, for example `http://127.0.0.1:1234` */
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
    // A game has no picture, because the crests of its teams are shown instead.
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

/** The entries of our account for one order. */
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

/** An order with the fields that only the venue's own record contains. */
export function renderRecord(order: PaperOrder): object {
  return { ...renderOrder(order), arrivals: order.arrivals, script: order.script, lookup: order.lookup };
}

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

/** Sends a response as the script wants it delivered. */
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

/** @param id of an event */
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
