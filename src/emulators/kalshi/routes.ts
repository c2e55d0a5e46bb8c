/**
 * The REST interface of the emulated exchange, path by path: its state, catalogue, archive and keys are here, and the portfolio of a signed
 * request is in a file of its own.
 */
import { type Answer, ok } from '../emulator.ts';
import { portfolio, type RoutePorts } from './portfolio-routes.ts';
import { invalid, notFound, page, refused, renderBook, renderEvent, renderMarket, renderTarget } from './render.ts';
import type { Asked } from './requests.ts';
import { eventFeeChanges, seriesRoutes } from './series.ts';
import { type ArchivedList, cutoffOf, type ExchangeState, type Market, PARTS } from './state.ts';

/** First parts of the paths that need a signature. */
const SIGNED = ['portfolio', 'api_keys', 'account', 'historical'];
/** Parameters that may accompany `min_updated_ts`. */
const WITH_CHANGES = ['min_updated_ts', 'mve_filter', 'limit', 'cursor'];

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Open around the clock; a tester pauses trading over the control route. */
const SCHEDULE = {
  standard_hours: [
    {
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2099-01-01T00:00:00Z',
      ...Object.fromEntries(DAYS.map((day) => [day, [{ open_time: '00:00', close_time: '00:00' }]])),
    },
  ],
  maintenance_windows: [],
};

/** @param mostCount of an armed fault: an order matches no more than this, in micro-contracts */
export function answer(ports: RoutePorts, asked: Asked, mostCount?: bigint): Answer {
  const { state } = ports;
  const [, room = '', id, part] = asked.path.split('/').map(decodeURIComponent);
  if (room === 'exchange' && id === 'status') {
    return ok({
      exchange_active: true,
      // the state of part 0, as at the exchange
      trading_active: state.tradingActive && !state.pausedParts.has(0),
      intra_exchange_transfers_active: true,
      exchange_index_statuses: partStatuses(state),
    });
  }
  if (room === 'exchange' && id === 'user_data_timestamp') {
    return ok({ as_of_time: (state.staleReads?.asOf ?? ports.now()).toISOString() });
  }
  if (room === 'exchange' && id === 'schedule') {
    return ok({ schedule: SCHEDULE });
  }
  const shown = { ...state, markets: new Map([...state.markets].filter(([, market]) => !market.vanished)) };
  if (room === 'series') {
    return seriesRoutes(shown, asked, id);
  }
  if (room === 'events' && id === 'fee_changes') {
    return eventFeeChanges(shown, asked);
  }
  if (room === 'events') {
    return events(shown, asked, id);
  }
  if (room === 'markets') {
    return markets(shown, asked, id, part);
  }
  if (room === 'structured_targets') {
    const found = asked.query.getAll('ids').flatMap((one) => {
      const target = state.targets.get(one);
      return target === undefined ? [] : [renderTarget(one, target)];
    });
    return ok({ structured_targets: found, cursor: '' });
  }
  if (room === 'historical' && id === 'cutoff') {
    const at = (list: ArchivedList) => cutoffOf(state, list).toISOString();
    return ok({
      market_settled_ts: at('markets'),
      trades_created_ts: at('trades'),
      orders_updated_ts: at('orders'),
      market_positions_last_updated_ts: at('positions'),
    });
  }
  if (room === 'historical' && id === 'markets') {
    const wanted = asked.query.get('tickers')?.split(',');
    const archived = [...state.markets.values()].filter((market) => isArchivedMarket(state, market));
    const { items, cursor } = page(
      archived.filter(({ ticker }) => wanted?.includes(ticker) ?? true),
      asked.query,
    );
    return ok({ markets: items.map((market) => renderMarket(market, asked.language)), cursor });
  }
  if (room === 'account' && id === 'endpoint_costs') {
    const cancel = { method: 'DELETE', path: '/trade-api/v2/portfolio/events/orders/{order_id}', cost: 2 };
    return ok({ default_cost: 10, endpoint_costs: [cancel] });
  }
  if (room === 'account' && id === 'limits' && asked.account !== undefined) {
    const { name, readPerSecond, writePerSecond, writeBurst } = state.tier;
    return ok({
      usage_tier: name,
      read: { refill_rate: readPerSecond, bucket_capacity: readPerSecond * 2 },
      write: { refill_rate: writePerSecond, bucket_capacity: writeBurst },
      grants: [],
    });
  }
  if (room === 'api_keys' && asked.account !== undefined) {
    const { keyId, account } = asked.account;
    const { scopes, regionExpiresAt, lockedTo } = account;
    const expiry = regionExpiresAt && { api_key_region_expiration_ts: Math.floor(regionExpiresAt.getTime() / 1_000) };
    return ok({ api_keys: [{ api_key_id: keyId, name: keyId, scopes, subaccount: lockedTo ?? null }], ...expiry });
  }
  if (!SIGNED.includes(room)) {
    return notFound('no such path');
  }
  if (asked.account === undefined) {
    return refused(401, 'authentication_error', 'authentication error', 'INCORRECT_API_KEY_SIGNATURE');
  }
  const stale = asked.method === 'GET' ? state.staleReads : undefined;
  const read = stale === undefined ? ports : { ...ports, state: { ...state, accounts: stale.accounts } };
  return portfolio(read, asked, asked.account, mostCount);
}

const PART_NAMES = ['Default', 'Combinations', 'Crypto and commodities', 'Tennis, baseball and basketball'];

function partStatuses({ tradingActive, pausedParts }: ExchangeState): object[] {
  return PARTS.map((part) => ({
    exchange_index: part,
    description: PART_NAMES[part],
    exchange_active: true,
    trading_active: tradingActive && !pausedParts.has(part),
    intra_exchange_transfers_active: true,
  }));
}

function events(state: ExchangeState, { query, language }: Asked, eventTicker: string | undefined): Answer {
  const nested = query.get('with_nested_markets') === 'true';
  const byEvent = Map.groupBy(state.markets.values(), ({ eventTicker: event }) => event);
  if (eventTicker !== undefined) {
    const found = byEvent.get(eventTicker);
    return found === undefined
      ? notFound('event not found')
      : ok({ event: renderEvent(state, eventTicker, found, nested, language) });
  }
  const wanted = query.get('tickers')?.split(',');
  const open = query.get('status') === 'open';
  const since = Number(query.get('min_updated_ts') ?? 0) * 1_000;
  const listed = [...byEvent]
    .map(([event, list]) => [event, list.filter((market) => !isArchivedMarket(state, market))] as const)
    .filter(([event, list]) => {
      const changedAt = [state.events.get(event)?.updatedAt, ...list.map(({ openTime }) => openTime)];
      return since === 0 || changedAt.some((at) => at !== undefined && at.getTime() >= since);
    })
    .filter(([event]) => wanted === undefined || wanted.includes(event))
    .filter(([, list]) => !open || list.some(({ status }) => status === 'active' || status === 'inactive'));
  const { items, cursor } = page(listed, query);
  return ok({ events: items.map(([event, list]) => renderEvent(state, event, list, nested, language)), cursor });
}

function markets(
  state: ExchangeState,
  { query, language }: Asked,
  ticker: string | undefined,
  part: string | undefined,
): Answer {
  if (ticker === 'orderbooks') {
    const found = query.getAll('tickers').flatMap((one) => state.markets.get(one) ?? []);
    return ok({ orderbooks: found.map((market) => ({ ticker: market.ticker, orderbook_fp: renderBook(market) })) });
  }
  if (ticker !== undefined) {
    const market = state.markets.get(ticker);
    if (market === undefined) {
      return notFound('market not found');
    }
    return ok(part === 'orderbook' ? { orderbook_fp: renderBook(market) } : { market: renderMarket(market, language) });
  }
  const wanted = query.get('tickers')?.split(',');
  const since = Number(query.get('min_updated_ts') ?? 0) * 1_000;
  if (since > 0 && [...query.keys()].some((key) => !WITH_CHANGES.includes(key))) {
    return invalid('min_updated_ts excludes other filters');
  }
  const listed = [...state.markets.values()]
    .filter((market: Market) => !isArchivedMarket(state, market) && market.updatedAt.getTime() > since)
    .filter((market: Market) => wanted?.includes(market.ticker) ?? true);
  const { items, cursor } = page(listed, query);
  return ok({ markets: items.map((market) => renderMarket(market, language)), cursor });
}

function isArchivedMarket(state: ExchangeState, { settledAt }: Market): boolean {
  return settledAt !== null && settledAt < cutoffOf(state, 'markets');
}
