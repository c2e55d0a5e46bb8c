/** The REST interface of the emulated exchange, path by path. Each answer is a status and a body; the server sends it. */
import { type Answer, ok } from '../http.ts';
import { type Asked, notFound, page, portfolio, type RoutePorts } from './portfolio-routes.ts';
import { renderBook, renderEvent, renderMarket } from './render.ts';
import type { ExchangeState, Market } from './state.ts';

/** @param mostCount of a fault: an order matches no more than this. */
export function answer(ports: RoutePorts, asked: Asked, mostCount?: bigint): Answer {
  const { state } = ports;
  const [, room = '', id, part] = asked.path.split('/').map(decodeURIComponent);
  if (room === 'exchange' && id === 'status') {
    return ok({ exchange_active: true, trading_active: state.tradingActive });
  }
  if (room === 'events') {
    return events(state, asked, id);
  }
  if (room === 'markets') {
    return markets(state, asked, id, part);
  }
  if (room === 'api_keys' && asked.account !== undefined) {
    const { keyId, account } = asked.account;
    const { scopes, regionExpiresAt } = account;
    const expiry = regionExpiresAt && { api_key_region_expiration_ts: Math.floor(regionExpiresAt.getTime() / 1_000) };
    return ok({ api_keys: [{ api_key_id: keyId, name: keyId, scopes }], ...expiry });
  }
  if (room !== 'portfolio' && room !== 'api_keys') {
    return notFound('no such path');
  }
  if (asked.account === undefined) {
    return { status: 401, body: { code: 'unauthorized', message: 'invalid signature' } };
  }
  return portfolio(ports, asked, asked.account, mostCount);
}

function events(state: ExchangeState, { query }: Asked, eventTicker: string | undefined): Answer {
  const nested = query.get('with_nested_markets') === 'true';
  const byEvent = Map.groupBy(state.markets.values(), ({ eventTicker: event }) => event);
  if (eventTicker !== undefined) {
    const found = byEvent.get(eventTicker);
    return found === undefined ? notFound('event not found') : ok({ event: renderEvent(eventTicker, found, nested) });
  }
  const wanted = query.get('tickers')?.split(',');
  const open = query.get('status') === 'open';
  const listed = [...byEvent]
    .filter(([event]) => wanted === undefined || wanted.includes(event))
    .filter(([, list]) => !open || list.some(({ status }) => status === 'active' || status === 'inactive'));
  const { items, cursor } = page(listed, query);
  return ok({ events: items.map(([event, list]) => renderEvent(event, list, nested)), cursor });
}

function markets(state: ExchangeState, { query }: Asked, ticker: string | undefined, part: string | undefined): Answer {
  if (ticker === 'orderbooks') {
    const found = query.getAll('tickers').flatMap((one) => state.markets.get(one) ?? []);
    return ok({ orderbooks: found.map((market) => ({ ticker: market.ticker, orderbook_fp: renderBook(market) })) });
  }
  if (ticker !== undefined) {
    const market = state.markets.get(ticker);
    if (market === undefined) {
      return notFound('market not found');
    }
    return ok(part === 'orderbook' ? { orderbook_fp: renderBook(market) } : { market: renderMarket(market) });
  }
  const wanted = query.get('tickers')?.split(',');
  const listed = [...state.markets.values()].filter((market: Market) => wanted?.includes(market.ticker) ?? true);
  const { items, cursor } = page(listed, query);
  return ok({ markets: items.map(renderMarket), cursor });
}
