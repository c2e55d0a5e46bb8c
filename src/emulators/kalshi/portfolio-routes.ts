/** What an account of the emulated exchange asks for: its orders, fills, settlements, positions and balance. */

import { type Answer, ok } from '../http.ts';
import { type Ids, takeOrder } from './match-order.ts';
import { countMatched, groupRefusal, orderGroups } from './order-groups.ts';
import { balanceOf, payWrite, targetAllocation } from './parts.ts';
import {
  decimal,
  invalid,
  notFound,
  page,
  refused,
  renderFill,
  renderOrder,
  renderPositions,
  renderSettledPosition,
  renderSettlement,
} from './render.ts';
import { type Asked, orderRequest } from './requests.ts';
import { type Account, cutoffOf, type ExchangeState, type Fill, type Order } from './state.ts';
import { accountsOf, namedAccount } from './subaccounts.ts';

export interface RoutePorts {
  readonly state: ExchangeState;
  readonly ids: Ids;
  now(): Date;
}

/** Of `exchange_index`: the exchange finds the part by the market. */
const BY_TICKER = -1;
const GROUPS = '/portfolio/order_groups';

export function portfolio(
  { state, ids, now }: RoutePorts,
  asked: Asked,
  { keyId }: NonNullable<Asked['account']>,
  mostCount: bigint | undefined,
): Answer {
  const { method, path, query, body } = asked;
  const account = namedAccount(state, keyId, asked);
  if (account === undefined) {
    return notFound('subaccount not found');
  }
  if (!payWrite(state, asked)) {
    return { status: 429, body: { error: 'too many requests' } };
  }
  const ofKey = accountsOf(state, keyId);
  /** A list is of all subaccounts unless one is named. */
  const listed = query.has('subaccount') ? [account] : ofKey;
  const render = (order: Order) =>
    renderOrder(
      order,
      ofKey.flatMap((one) => fillsByOrder(one).get(order.orderId) ?? []),
      keyId,
    );
  if (method === 'POST' && path === '/portfolio/events/orders') {
    const parsed = orderRequest.safeParse(body);
    if (!parsed.success) {
      return refused(400, 'invalid_order', parsed.error.issues[0]?.message ?? 'invalid');
    }
    const { ticker, side, count, price, time_in_force: timeInForce, client_order_id: given } = parsed.data;
    const { order_group_id: groupId, exchange_index: exchangeIndex = BY_TICKER } = parsed.data;
    if (exchangeIndex !== BY_TICKER && exchangeIndex !== state.markets.get(ticker)?.exchangeIndex) {
      return refused(400, 'market_not_found', 'market not found on this shard');
    }
    const refusal = groupRefusal(account, groupId, state.markets.get(ticker)?.exchangeIndex);
    if (refusal !== null) {
      return refused(400, refusal, 'the order group takes no order');
    }
    const wanted = { ticker, side, count, yesPrice: price, timeInForce, clientOrderId: given ?? ids.next() };
    const taken = takeOrder(state, account, wanted, now(), ids, mostCount);
    if ('refusal' in taken) {
      return refused(taken.refusal.status, taken.refusal.code, taken.refusal.message);
    }
    const { order } = taken;
    countMatched(account.groups.get(groupId ?? ''), order.filled, now());
    return {
      status: 201,
      body: {
        order_id: order.orderId,
        client_order_id: order.clientOrderId,
        fill_count: decimal(order.filled, 2),
        remaining_count: decimal(order.status === 'resting' ? order.count - order.filled : 0n, 2),
        ts_ms: now().getTime(),
      },
    };
  }
  if (path.startsWith(GROUPS)) {
    return orderGroups(account, path.slice(GROUPS.length), asked, ids);
  }
  if (path === '/portfolio/target_balance_allocation') {
    return targetAllocation(account, asked);
  }
  const [, , list, orderId] = path.split('/');
  if (method === 'DELETE' && path.startsWith('/portfolio/events/orders/')) {
    return cancel(state, account, path.slice('/portfolio/events/orders/'.length), query, now());
  }
  if (method !== 'GET') {
    return refused(405, 'method_not_allowed', 'method not allowed');
  }
  const since = Number(query.get('min_ts') ?? 0) * 1_000;
  const historical = path.startsWith('/historical/');
  if (list === 'orders' && orderId !== undefined) {
    const order = ofKey.map(({ orders }) => orders.get(orderId)).find((found) => found !== undefined);
    return order === undefined ? notFound('order not found') : ok({ order: render(order) });
  }
  if (list === 'orders') {
    const found = listed
      .flatMap(({ orders }) => [...orders.values()])
      .filter((order) => (order.status !== 'resting' && order.updatedAt < cutoffOf(state, 'orders')) === historical)
      .filter((order) => order.createdAt.getTime() >= since)
      .filter((order) => query.get('ticker') === null || order.ticker === query.get('ticker'))
      .reverse();
    const { items, cursor } = page(found, query);
    return ok({ orders: items.map(render), cursor });
  }
  if (list === 'fills') {
    const found = listed
      .flatMap(({ fills }) => fills)
      .filter((fill) => fill.at < cutoffOf(state, 'trades') === historical)
      .filter((fill) => fill.at.getTime() >= since)
      // the historical list knows no filter by order
      .filter((fill) => historical || query.get('order_id') === null || fill.orderId === query.get('order_id'))
      .filter((fill) => query.get('ticker')?.split(',').includes(fill.ticker) ?? true)
      .reverse();
    const { items, cursor } = page(found, query);
    return ok({ fills: items.map(renderFill), cursor });
  }
  if (list === 'settlements') {
    const found = listed
      .flatMap(({ settlements }) => settlements)
      .filter((one) => one.at >= cutoffOf(state, 'markets') && one.at.getTime() >= since)
      .map((one) => renderSettlement(state, one));
    const { items, cursor } = page(found, query);
    return ok({ settlements: items, cursor });
  }
  if (list === 'positions') {
    return positionsOf(state, account, historical, query);
  }
  if (list === 'balance') {
    return balanceOf(account, query.get('exchange_index'), now());
  }
  return notFound('no such path');
}

/** A historical list has settled positions alone, and a live one has those that were not archived. */
function positionsOf(state: ExchangeState, account: Account, historical: boolean, query: URLSearchParams): Answer {
  const wanted = query.get('settlement_status') ?? (historical ? 'settled' : 'unsettled');
  if (!['unsettled', 'settled', 'all'].includes(wanted)) {
    return invalid('settlement_status');
  }
  const settled = account.settlements.filter(({ at }) => at < cutoffOf(state, 'positions') === historical);
  const found = [
    ...(wanted === 'settled' ? [] : renderPositions(state, account)),
    ...(wanted === 'unsettled' ? [] : settled.map((one) => renderSettledPosition(state, account, one))),
  ];
  const { items, cursor } = page(found, query);
  return ok({ market_positions: items, event_positions: [], cursor });
}

const grouped = new WeakMap<
  Account,
  { readonly count: number; readonly byOrder: ReadonlyMap<string, readonly Fill[]> }
>();

/** Grouped again only after another fill: a long list of orders is asked for often. */
function fillsByOrder(account: Account): ReadonlyMap<string, readonly Fill[]> {
  const known = grouped.get(account);
  if (known?.count === account.fills.length) {
    return known.byOrder;
  }
  const byOrder = Map.groupBy(account.fills, ({ orderId }) => orderId);
  grouped.set(account, { count: account.fills.length, byOrder });
  return byOrder;
}

/** The part that is named, else that of the market that is named, else part 0 alone. */
function cancel(state: ExchangeState, account: Account, orderId: string, query: URLSearchParams, now: Date): Answer {
  const order = account.orders.get(orderId);
  const named = state.markets.get(query.get('market_ticker') ?? '')?.exchangeIndex;
  const given = Number(query.get('exchange_index') ?? (named === undefined ? 0 : BY_TICKER));
  const part = given === BY_TICKER ? named : given;
  if (order === undefined || order.status !== 'resting' || order.exchangeIndex !== part) {
    return notFound('order not found');
  }
  const reduced = order.count - order.filled;
  order.status = 'canceled';
  order.updatedAt = now;
  return ok({
    order_id: order.orderId,
    client_order_id: order.clientOrderId,
    reduced_by: decimal(reduced, 2),
    ts_ms: now.getTime(),
  });
}
