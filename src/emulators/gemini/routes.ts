/** The interfaces of the emulated exchange, path by path: the catalogue without a signature, orders and lists for a signed payload. */
import { microsDecimal } from '../../venues/shapes.ts';
import { type Answer, ok } from '../emulator.ts';
import { type Ids, TERMS_REQUIRED, takeOrder } from './match-order.ts';
import { bigNumber, renderBook, renderEvent, renderOrder, renderPosition, renderTrade } from './render.ts';
import {
  activeRequest,
  cancelRequest,
  historyRequest,
  orderRequest,
  refused,
  type Signed,
  tradesRequest,
  transfersRequest,
} from './requests.ts';
import type { Account, ExchangeState, Order } from './state.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly now: Date;
  /** Undefined for a request without a signature. */
  readonly signed: Signed | undefined;
  readonly mostCount: bigint | undefined;
}

const PREDICTIONS = '/v1/prediction-markets';

export function refusal(status: number, error: string): Answer {
  return { status, body: { error, message: error } };
}

const NOT_FOUND = refusal(404, 'NOT_FOUND');

export function answer(state: ExchangeState, asked: Asked, ids: Ids): Answer {
  const { method, path } = asked;
  if (method === 'GET' && path.startsWith('/v1/book/')) {
    const contract = state.contracts.get(decodeURIComponent(path.slice('/v1/book/'.length)));
    return contract === undefined || contract.vanished ? NOT_FOUND : ok(renderBook(contract));
  }
  if (method === 'GET' && path.startsWith(`${PREDICTIONS}/events`)) {
    return events(state, asked);
  }
  if (asked.signed === undefined) {
    return { status: 401, body: { result: 'error', reason: 'MissingApikeyHeader', message: 'a signature is needed' } };
  }
  return signedRoutes(state, asked, asked.signed, ids);
}

function events(state: ExchangeState, { path, query }: Asked): Answer {
  const listed = [...state.contracts.values()].filter(({ vanished }) => !vanished);
  const byEvent = Map.groupBy(listed, ({ eventTicker }) => eventTicker);
  const ticker = decodeURIComponent(path.slice(`${PREDICTIONS}/events/`.length));
  if (ticker !== '') {
    const found = byEvent.get(ticker);
    return found === undefined ? NOT_FOUND : ok(renderEvent(found));
  }
  const wanted = query.getAll('status');
  const limit = Number(query.get('limit') ?? 50);
  const offset = Number(query.get('offset') ?? 0);
  const all = [...byEvent.values()]
    .map((contracts) => renderEvent(contracts) as { status: string })
    .filter(({ status }) => wanted.length === 0 || wanted.includes(status));
  return ok({ data: all.slice(offset, offset + limit), pagination: { limit, offset, total: all.length } });
}

function signedRoutes(state: ExchangeState, asked: Asked, { account, parameters }: Signed, ids: Ids): Answer {
  switch (asked.path) {
    case `${PREDICTIONS}/order`:
      return order(state, asked, account, parameters, ids);
    case `${PREDICTIONS}/order/batch/cancel`:
      return cancel(account, parameters, asked.now);
    case `${PREDICTIONS}/orders/active`:
      return active(account, parameters);
    case `${PREDICTIONS}/orders/history`:
      return history(account, parameters);
    case `${PREDICTIONS}/positions`:
      return ok({ positions: [...account.positions].map(renderPosition), total: account.positions.size });
    case `${PREDICTIONS}/positions/settled`:
      return settled(account, asked.query);
    case `${PREDICTIONS}/terms/status`:
      return ok({ hasAcceptedLatest: account.acceptedTerms, acceptedVersion: null, latestVersion: 3 });
    case '/v1/mytrades':
      return trades(state, account, parameters, asked.now);
    case '/v1/balances': {
      const cash = microsDecimal(account.cash);
      return ok([{ type: 'exchange', currency: 'USD', amount: cash, available: cash, availableForWithdrawal: cash }]);
    }
    case '/v1/transfers':
      return transfers(account, parameters);
    case '/v1/heartbeat':
      return ok({ result: 'ok' });
    default:
      return NOT_FOUND;
  }
}

function order(state: ExchangeState, asked: Asked, account: Account, parameters: object, ids: Ids): Answer {
  const sent = orderRequest.safeParse(parameters);
  if (!sent.success) {
    return refusal(400, 'InvalidInput');
  }
  const taken = takeOrder(state, account, sent.data, asked.now, ids, asked.mostCount);
  if ('order' in taken) {
    return { status: 201, body: renderOrder(taken.order) };
  }
  const { status, error } = taken;
  return error === TERMS_REQUIRED ? refused(status, error) : refusal(status, error);
}

function cancel(account: Account, parameters: object, now: Date): Answer {
  const sent = cancelRequest.safeParse(parameters);
  if (!sent.success) {
    return refusal(400, 'InvalidInput');
  }
  const results = sent.data.orderIds.map((id) => {
    const found = account.orders.get(BigInt(id));
    const orderId = bigNumber(BigInt(id));
    if (found === undefined || found.status !== 'open') {
      return { orderId, error: found === undefined ? 'OrderNotFound' : 'OrderNotCancelable', message: 'not cancelled' };
    }
    found.status = 'cancelled';
    found.endedAt = now;
    return { orderId, result: 'ok' };
  });
  return ok({ results });
}

function listed(account: Account, symbol: string | undefined): Order[] {
  return [...account.orders.values()].filter((one) => symbol === undefined || one.symbol === symbol).reverse();
}

function active(account: Account, parameters: object): Answer {
  const sent = activeRequest.safeParse(parameters);
  if (!sent.success) {
    return refusal(400, 'InvalidInput');
  }
  const { symbol, limit, offset } = sent.data;
  const open = listed(account, symbol).filter(({ status }) => status === 'open');
  const page = open.slice(offset, offset + limit);
  return ok({
    orders: page.map(renderOrder),
    pagination: { limit, offset, count: page.length },
  });
}

/** The exchange ignores the offset if the request has a window of time. */
function history(account: Account, parameters: object): Answer {
  const sent = historyRequest.safeParse(parameters);
  if (!sent.success) {
    return refusal(400, 'InvalidInput');
  }
  const { symbol, status, limit, offset, from, to } = sent.data;
  const bounded = from !== undefined || to !== undefined;
  const inside = listed(account, symbol).filter(({ status: ended, endedAt }) => {
    const at = endedAt?.getTime() ?? 0;
    return ended !== 'open' && (status ?? ended) === ended && at >= (from ?? 0) && at < (to ?? Number.MAX_VALUE);
  });
  const page = inside.slice(bounded ? 0 : offset, (bounded ? 0 : offset) + limit);
  return ok({
    orders: page.map(renderOrder),
    pagination: { limit, offset, count: page.length },
  });
}

/** The first trades since the timestamp, up to the limit, with the newest of them first. */
function trades(state: ExchangeState, account: Account, parameters: object, now: Date): Answer {
  const sent = tradesRequest.safeParse(parameters);
  if (!sent.success) {
    return refusal(400, 'InvalidInput');
  }
  const { symbol, limit_trades: limit, timestamp } = sent.data;
  const found = account.trades
    .filter((one) => (symbol ?? one.symbol) === one.symbol && one.at.getTime() >= timestamp)
    .filter(({ at }) => at.getTime() + state.tradesLateMs <= now.getTime())
    .slice(0, limit);
  return ok(found.reverse().map((one) => renderTrade(state, account, one)));
}

/** The newest first. */
function transfers(account: Account, parameters: object): Answer {
  const sent = transfersRequest.safeParse(parameters);
  if (!sent.success) {
    return refusal(400, 'InvalidInput');
  }
  const { timestamp, limit_transfers: limit } = sent.data;
  const found = account.transfers.filter(({ at }) => at.getTime() >= timestamp * 1_000).reverse();
  return ok(
    found.slice(0, limit).map(({ eid, type, status, amount, at }) => ({
      type,
      status,
      timestampms: at.getTime(),
      eid,
      currency: 'USD',
      amount: microsDecimal(amount),
      method: 'Wire',
    })),
  );
}

function settled(account: Account, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? 1_000);
  const offset = Number(query.get('offset') ?? 0);
  const all = account.settled.toReversed().map(({ symbol, position, winner, at }) => {
    const won = winner === 'yes' ? position : -position;
    const size = microsDecimal(position < 0n ? -position : position);
    return {
      instrumentSymbol: symbol,
      position: position < 0n ? `-${size}` : size,
      positionQuantity: size,
      outcome: position < 0n ? 'no' : 'yes',
      payout: microsDecimal(won > 0n ? won : 0n),
      resolutionSide: winner,
      settledAt: at.toISOString(),
    };
  });
  return ok({ positions: all.slice(offset, offset + limit), total: all.length });
}
