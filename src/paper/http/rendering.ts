/** The venue's own JSON: camel case, prices and sizes as decimal strings, times as ISO-8601. */

import type { Level, PaperContract, PaperEvent, Status } from '../catalogue/question.ts';
import { rulesOf } from '../catalogue/rules.ts';
import type { Exchange } from '../exchange.ts';
import { matchOf } from '../market/event-model.ts';
import { liveOf } from '../market/play-match.ts';
import { formatMicros } from '../micros.ts';
import type { AccountLine } from '../orders/account.ts';
import type { PaperFill, PaperOrder } from '../orders/order.ts';

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
