/**
 * The interfaces of the emulated exchange, path by path: the order book, the catalogue (Gamma) and the positions of accounts are here;
 * credentials and all signed requests are in `trading-routes.ts`.
 */
import { decimalMicros, microsDecimal } from '../../venues/shapes.ts';
import { type Answer, ok } from '../emulator.ts';
import type { Fault } from '../faults.ts';
import type { Seeded } from '../seeded-ids.ts';
import { renderBook, renderBuilderTrade, renderHoldings, renderPositions, renderTerms } from './render.ts';
import { bookRequests } from './requests.ts';
import { type ExchangeState, type Market, marketOfToken } from './state.ts';
import { type Asked, credentialRoutes, invalid, tradingRoutes } from './trading-routes.ts';

/** Version of the domain in which orders are signed. */
const PROTOCOL_VERSION = 2;
const GONE: Answer = { status: 404, body: { error: 'not found' } };
const NO_BOOK: Answer = { status: 404, body: { error: 'No orderbook exists for the requested token id' } };

export async function answer(
  state: ExchangeState,
  asked: Asked,
  ids: Seeded,
  fault: Fault | undefined,
): Promise<Answer> {
  const [, room = '', id = ''] = asked.path.split('/').map(decodeURIComponent);
  const without = (hidden: (market: Market) => boolean) => ({
    ...state,
    markets: new Map([...state.markets].filter(([, market]) => !hidden(market))),
  });
  const shown = without(({ vanished }) => vanished === true);
  switch (room) {
    case 'auth':
      return id === 'ban-status' ? tradingRoutes(state, asked, ids, fault) : credentialRoutes(state, asked, ids);
    case 'time':
      return ok(Math.floor(asked.now.getTime() / 1_000));
    case 'version':
      return ok({ version: PROTOCOL_VERSION });
    case 'book':
      return book(shown, asked.query.get('token_id') ?? '', asked.now) ?? NO_BOOK;
    case 'books':
      return books(shown, asked);
    case 'markets-by-token':
      return byToken(shown, id);
    case 'tick-size':
      return ofToken(shown, asked, ({ tick }) => ({ minimum_tick_size: Number(microsDecimal(tick)) }));
    case 'neg-risk':
      return ofToken(shown, asked, ({ negRisk }) => ({ neg_risk: negRisk }));
    case 'clob-markets':
      return terms(shown, id);
    case 'events':
      return events(
        without(({ vanished }) => vanished !== false),
        asked.query,
        id,
      );
    case 'markets':
      return id === 'keyset'
        ? markets(
            without(({ vanished }) => vanished !== false),
            asked.query,
          )
        : bookMarket(shown, id);
    case 'fees':
      return builderFees(state, asked.path);
    case 'builder':
      return builderTrades(state, asked.query);
    case 'api':
      return geoblock(state);
    case 'positions':
      return state.dataVersions.includes('v1') ? positions(state, asked.query) : GONE;
    case 'v2':
      return state.dataVersions.includes('v2') ? newerData(state, asked.query, id) : GONE;
    default:
      return tradingRoutes(state, asked, ids, fault);
  }
}

function book(state: ExchangeState, token: string, now: Date): Answer | undefined {
  const market = marketOfToken(state, token);
  return market === undefined || market.closed ? undefined : ok(renderBook(market, token, now));
}

function books(state: ExchangeState, { body, now }: Asked): Answer {
  const parsed = bookRequests.safeParse(body);
  return parsed.success
    ? ok(parsed.data.flatMap(({ token_id: token }) => book(state, token, now)?.body ?? []))
    : invalid('Invalid payload');
}

/** The official client requests the market of a token here. */
function byToken(state: ExchangeState, token: string): Answer {
  const market = marketOfToken(state, token);
  return market === undefined
    ? { status: 404, body: { error: 'market not found' } }
    : ok({
        condition_id: market.conditionId,
        primary_token_id: market.tokens[0],
        secondary_token_id: market.tokens[1],
      });
}

/** One term of the market of a token; the official clients request them one by one. */
function ofToken(state: ExchangeState, { query }: Asked, read: (market: Market) => object): Answer {
  const market = marketOfToken(state, query.get('token_id') ?? '');
  return market === undefined ? { status: 404, body: { error: 'market not found' } } : ok(read(market));
}

function terms(state: ExchangeState, conditionId: string): Answer {
  const market = [...state.markets.values()].find((one) => one.conditionId === conditionId);
  return market === undefined ? invalid('Invalid condition id') : ok(renderTerms(market));
}

/** A market at the order book, which names the winner once it has paid. */
function bookMarket(state: ExchangeState, conditionId: string): Answer {
  const market = [...state.markets.values()].find((one) => one.conditionId === conditionId);
  return market === undefined
    ? { status: 404, body: { error: 'market not found' } }
    : ok({
        condition_id: conditionId,
        question: market.title,
        active: true,
        closed: market.closed,
        archived: false,
        accepting_orders: market.acceptingOrders,
        is_50_50_outcome: market.payout?.[0] === 500_000n,
        tokens: market.tokens.map((token, index) => ({
          token_id: token,
          outcome: market.outcomes[index],
          price: Number(microsDecimal(market.payout?.[index] ?? market.lastPrice ?? 0n)),
          winner: market.payout?.[index] === 1_000_000n,
        })),
      });
}

/** Only open markets are listed, unless the request asks for closed ones. */
const isListed = (query: URLSearchParams) => (market: Market) => market.closed === (query.get('closed') === 'true');

function events(state: ExchangeState, query: URLSearchParams, id: string): Answer {
  const byEvent = Map.groupBy(state.markets.values(), ({ eventId }) => eventId);
  if (id !== 'keyset') {
    const found = byEvent.get(id);
    return found === undefined ? { status: 404, body: { error: 'event not found' } } : ok(renderGammaEvent(id, found));
  }
  const listed = [...byEvent].filter(([, list]) => list.some(isListed(query)));
  const { items, cursor } = keyset(listed, query.get('after_cursor'), Number(query.get('limit') ?? 20));
  return ok({ events: items.map(([eventId, list]) => renderGammaEvent(eventId, list)), ...cursor });
}

function markets(state: ExchangeState, query: URLSearchParams): Answer {
  const wanted = [...query.getAll('clob_token_ids'), ...query.getAll('position_ids')];
  const protocol = query.has('position_ids') ? 'v2' : 'v1';
  const listed = [...state.markets.values()]
    .filter(isListed(query))
    .filter(
      (market) =>
        wanted.length === 0 || (market.protocol === protocol && market.tokens.some((token) => wanted.includes(token))),
    );
  const { items, cursor } = keyset(listed, query.get('after_cursor'), Number(query.get('limit') ?? 20));
  return ok({
    markets: items.map((market) => ({ ...renderGammaMarket(market), events: [{ id: market.eventId }] })),
    ...cursor,
  });
}

/** No document states the response to an unknown code. */
function builderFees({ builders }: ExchangeState, path: string): Answer {
  const bps = builders.get(path.slice('/fees/builder-fees/'.length));
  return bps === undefined
    ? { status: 404, body: { error: 'builder not found' } }
    : ok({ builder_maker_fee_rate_bps: 0, builder_taker_fee_rate_bps: Number(bps) });
}

function builderTrades({ accounts }: ExchangeState, query: URLSearchParams): Answer {
  const trades = [...accounts.values()].flatMap((account) => account.trades);
  const data = trades.filter(({ builder }) => builder === query.get('builder_code')).map(renderBuilderTrade);
  return ok({ limit: 300, next_cursor: 'LTE=', count: data.length, data: data.reverse() });
}

/** The exchange's site serves it; here it has the same origin. */
function geoblock({ trading }: ExchangeState): Answer {
  return ok({ blocked: trading === 'restricted', ip: '127.0.0.1', country: 'IE', region: 'L' });
}

function positions(state: ExchangeState, query: URLSearchParams): Answer {
  const user = query.get('user')?.toLowerCase();
  const account = [...state.accounts.values()].find(({ funder }) => funder === user);
  const all = account === undefined ? [] : renderPositions(account, [...state.markets.values()]);
  const offset = Number(query.get('offset') ?? 0);
  return ok(all.slice(offset, offset + Number(query.get('limit') ?? 100)));
}

/** The largest page of the newer data API, and the smallest position that it lists without a filter, in micro-shares. */
const MOST_OF_PAGE = 1_000;
const LEAST_HOLDING = 100_000n;

function newerData(state: ExchangeState, query: URLSearchParams, list: string): Answer {
  switch (list) {
    case 'positions':
      return holdings(state, query);
    case 'activity':
      return activity(state, query);
    default:
      return GONE;
  }
}

/** The newest first. Deposits and withdrawals are left out unless the request includes them explicitly, even if it names them. */
function activity(state: ExchangeState, query: URLSearchParams): Answer {
  const user = query.get('user')?.toLowerCase();
  const account = [...state.accounts.values()].find(({ funder }) => funder === user);
  const types = query.get('type')?.split(',');
  const hidden = query.get('exclude_deposits_withdrawals') === 'false' ? [] : ['DEPOSIT', 'WITHDRAWAL'];
  const start = Number(query.get('start') ?? 0) * 1_000;
  const all = (account?.activity ?? [])
    .filter(({ type, at }) => (types?.includes(type) ?? true) && !hidden.includes(type) && at.getTime() >= start)
    .map(({ type, amount, transactionHash, at }) => ({
      type,
      timestamp: Math.floor(at.getTime() / 1_000),
      transaction_hash: transactionHash,
      side: '',
      size: Number(microsDecimal(amount)),
      usdc_size: Number(microsDecimal(amount)),
    }))
    .reverse();
  return ok(dataPage(all, query));
}

function holdings(state: ExchangeState, query: URLSearchParams): Answer {
  const status = query.get('status') ?? 'OPEN';
  if (query.has('offset') || !['OPEN', 'REDEEMABLE', 'REDEEMABLE_LOST'].includes(status)) {
    return invalid('Invalid query parameters');
  }
  const user = query.get('user')?.toLowerCase();
  const account = [...state.accounts.values()].find(({ funder }) => funder === user);
  const least = query.has('filter_amount') ? (decimalMicros(query.get('filter_amount') ?? '') ?? 0n) : LEAST_HOLDING;
  const all = account === undefined ? [] : renderHoldings(account, [...state.markets.values()], status, least);
  return ok(dataPage(all, query));
}

/** A page of the newer data API. */
function dataPage(all: readonly object[], query: URLSearchParams): object {
  const from = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0);
  const limit = Math.min(Number(query.get('limit') ?? 100), MOST_OF_PAGE);
  const next = from + limit;
  const more = next < all.length;
  return {
    data: all.slice(from, next),
    pagination: {
      limit,
      offset: from,
      has_more: more,
      next_cursor: more ? Buffer.from(String(next)).toString('base64url') : null,
    },
  };
}

/** The largest page, whatever limit is requested. */
const MOST_LISTED = 100;

/** @returns a page, and the cursor at which the next one begins; the last page has none */
function keyset<T>(
  items: readonly T[],
  after: string | null,
  limit: number,
): { items: readonly T[]; cursor: { next_cursor?: string } } {
  const from = Number(after ?? 0);
  const next = from + Math.min(limit, MOST_LISTED);
  return { items: items.slice(from, next), cursor: next < items.length ? { next_cursor: String(next) } : {} };
}

function renderGammaEvent(eventId: string, markets: readonly Market[]): object {
  return {
    id: eventId,
    slug: `event-${eventId}`,
    title: markets[0]?.title ?? eventId,
    startDate: '2026-01-01T00:00:00Z',
    endDate: markets[0]?.closeTime.toISOString(),
    active: true,
    closed: markets.every(({ closed }) => closed),
    negRisk: markets.some(({ negRisk }) => negRisk),
    tags: [{ id: '1', label: 'Economy', slug: 'economy' }],
    markets: markets.map(renderGammaMarket),
  };
}

/** As Gamma writes it: `2026-03-19 23:20:15+00`. */
const closedTime = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')}+00`;

/** The catalogue writes arrays as JSON text. */
function renderGammaMarket(market: Market): Record<string, unknown> {
  const last = market.lastPrice ?? 500_000n;
  const prices = market.payout ?? [last, 1_000_000n - last];
  return {
    id: market.conditionId.slice(2, 12),
    question: market.title,
    conditionId: market.conditionId,
    slug: `m-${market.conditionId.slice(2, 12)}`,
    description: market.rules,
    endDate: market.closeTime.toISOString(),
    startDate: '2026-01-01T00:00:00Z',
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(prices.map(microsDecimal)),
    version: market.protocol,
    ...(market.protocol === 'v2'
      ? { positionIds: market.tokens, clobTokenIds: null }
      : { clobTokenIds: JSON.stringify(market.tokens) }),
    groupItemTitle: '',
    active: true,
    closed: market.closed,
    archived: false,
    acceptingOrders: market.acceptingOrders,
    enableOrderBook: true,
    orderPriceMinTickSize: Number(microsDecimal(market.tick)),
    orderMinSize: Number(microsDecimal(market.minimum)),
    lastTradePrice: market.lastPrice === null ? 0 : Number(microsDecimal(market.lastPrice)),
    negRisk: market.negRisk,
    feesEnabled: market.feeRate > 0n,
    feeSchedule:
      market.feeRate > 0n ? { rate: Number(microsDecimal(market.feeRate)), exponent: 1, takerOnly: true } : null,
    ...(market.protocol === 'v2'
      ? { umaResolutionStatus: null, resolutionStatus: market.oracle === 'resolved' ? 'resolved' : 'active' }
      : { umaResolutionStatus: market.oracle, umaResolutionStatuses: JSON.stringify(market.oracleHistory) }),
    ...(market.closedAt === null ? {} : { closedTime: closedTime(market.closedAt) }),
  };
}
