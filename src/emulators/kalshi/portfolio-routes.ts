/**
 * The paths of an account of the emulated exchange, which need a signature: orders, order groups, fills, settlements, positions,
 * balance, and the allocation of cash to the parts of the exchange. Writes count against the budget of each part.
 */
import { z } from 'zod';
import { DOLLAR } from '../../exchange/ladder.ts';
import { type Answer, ok } from '../emulator.ts';
import { type Ids, takeOrder } from './match-order.ts';
import {
  decimal,
  invalid,
  notFound,
  page,
  refused,
  renderAverages,
  renderCashMove,
  renderFill,
  renderOrder,
  renderPositions,
  renderSettledPosition,
  renderSettlement,
} from './render.ts';
import { type Asked, allocationRequest, groupRequest, orderRequest } from './requests.ts';
import {
  type Account,
  accountName,
  accountsOf,
  cutoffOf,
  type ExchangeState,
  type Fill,
  type Order,
  type OrderGroup,
  PARTS,
} from './state.ts';

export interface RoutePorts {
  readonly state: ExchangeState;
  readonly ids: Ids;
  now(): Date;
}

/** The longest page of deposits or withdrawals. */
const MOST_MOVES = 500;
/** Value of `exchange_index` by which the exchange finds the part from the market. */
const BY_TICKER = -1;
const GROUPS = '/portfolio/order_groups';

export function portfolio(
  { state, ids, now }: RoutePorts,
  asked: Asked,
  { keyId, account: primary }: NonNullable<Asked['account']>,
  mostCount: bigint | undefined,
): Answer {
  const { method, path, query, body } = asked;
  const account = namedAccount(state, keyId, asked);
  if (account === undefined) {
    return notFound('subaccount not found');
  }
  if (primary.lockedTo !== undefined && primary.lockedTo !== account.subaccount) {
    return refused(403, 'authorization_error', 'the key is restricted to another subaccount');
  }
  if (!payWrite(state, asked)) {
    return { status: 429, body: { error: 'too many requests' } };
  }
  const ofKey = accountsOf(state, keyId);
  /** A list covers all subaccounts unless the request names one. */
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
        ...renderAverages(order, account.fills),
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
      // the historical list has no filter by order
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
  if (list === 'deposits' || list === 'withdrawals') {
    if (Number(query.get('limit') ?? 0) > MOST_MOVES || query.has('subaccount')) {
      return invalid('limit or subaccount');
    }
    const found = primary.cashMoves.filter(({ kind }) => `${kind}s` === list).map(renderCashMove);
    const { items, cursor } = page(found, query);
    return ok({ [list]: items, cursor });
  }
  if (list === 'positions') {
    return positionsOf(state, account, historical, query);
  }
  if (list === 'balance') {
    return balanceOf(account, query.get('exchange_index'), now());
  }
  return notFound('no such path');
}

const accountInBody = z.looseObject({ subaccount: z.int().optional(), source_subaccount: z.int().optional() });

/**
 * The account that a request names, by default the primary one.
 * @returns undefined if the subaccount does not exist
 */
function namedAccount(
  { accounts }: ExchangeState,
  keyId: string,
  { query, body }: Pick<Asked, 'query' | 'body'>,
): Account | undefined {
  const { subaccount, source_subaccount: source } = accountInBody.catch({}).parse(body ?? {});
  return accounts.get(accountName(keyId, Number(query.get('subaccount') ?? subaccount ?? source ?? 0)));
}

const WRITE_COSTS = { POST: 10, PUT: 10, DELETE: 2 } as const;
const partInBody = z.looseObject({ exchange_index: z.int().min(0) });

/**
 * Each part has the full budget. A write that names a part counts against that part, one without a part against all of them, and a
 * batch against part 0.
 *
 * @returns true, and counts the write, if there is budget left
 */
function payWrite(state: ExchangeState, { method, path, query, body }: Asked): boolean {
  const cost =
    method in WRITE_COSTS && path.startsWith('/portfolio/') ? WRITE_COSTS[method as keyof typeof WRITE_COSTS] : 0;
  if (!state.tier.enforced || cost === 0) {
    return true;
  }
  const given = Number(query.get('exchange_index') ?? partInBody.safeParse(body).data?.exchange_index ?? -1);
  const parts = path.endsWith('/batched') ? [0] : given >= 0 ? [given] : PARTS;
  const { writePerSecond: rate, writeBurst: most } = state.tier;
  const now = performance.now();
  const buckets = parts.map((part) => {
    const bucket = state.writes.get(part) ?? { left: most, at: now };
    bucket.left = Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * rate);
    bucket.at = now;
    state.writes.set(part, bucket);
    return bucket;
  });
  if (buckets.some(({ left }) => left < cost)) {
    return false;
  }
  for (const bucket of buckets) {
    bucket.left -= cost;
  }
  return true;
}

const grouped = new WeakMap<
  Account,
  { readonly count: number; readonly byOrder: ReadonlyMap<string, readonly Fill[]> }
>();

/** The fills are grouped again only after another fill, because a long list of orders is requested often. */
function fillsByOrder(account: Account): ReadonlyMap<string, readonly Fill[]> {
  const known = grouped.get(account);
  if (known?.count === account.fills.length) {
    return known.byOrder;
  }
  const byOrder = Map.groupBy(account.fills, ({ orderId }) => orderId);
  grouped.set(account, { count: account.fills.length, byOrder });
  return byOrder;
}

/** An order group limits the contracts that are matched within this time. */
const GROUP_WINDOW_MS = 15_000;

/**
 * @param part of the order's market
 * @returns why an order of this group is refused; null if it is taken
 */
function groupRefusal(account: Account, groupId: string | undefined, part: number | undefined): string | null {
  if (groupId === undefined) {
    return null;
  }
  const group = account.groups.get(groupId);
  return group === undefined || group.exchangeIndex !== part
    ? 'order_group_not_found'
    : group.triggered
      ? 'order_group_triggered'
      : null;
}

/** Counts matched contracts, and triggers the group at its limit. @param count micro-contracts */
function countMatched(group: OrderGroup | undefined, count: bigint, now: Date): void {
  if (group !== undefined) {
    group.matched = [
      ...group.matched.filter(({ at }) => now.getTime() - at < GROUP_WINDOW_MS),
      { at: now.getTime(), count },
    ];
    group.triggered ||= group.matched.reduce((sum, one) => sum + one.count, 0n) >= group.limit;
  }
}

/** A group is kept on one part. Requests look for it there, or on part 0 if they name none. @param path behind `/portfolio/order_groups` */
function orderGroups(account: Account, path: string, { method, query, body }: Asked, ids: Ids): Answer {
  const [, id = '', verb] = path.split('/');
  if (method === 'GET' && id === '') {
    const all = [...account.groups].map(([groupId, group]) => ({ id: groupId, ...renderGroup(group) }));
    return ok({ order_groups: all });
  }
  if (method === 'POST' && id === 'create') {
    const limit = readLimit(body);
    if (limit === undefined) {
      return invalid('contracts_limit');
    }
    const groupId = ids.next();
    const exchangeIndex = groupRequest.parse(body).exchange_index ?? 0;
    account.groups.set(groupId, { exchangeIndex, limit, triggered: false, matched: [] });
    return {
      status: 201,
      body: { order_group_id: groupId, subaccount: account.subaccount, exchange_index: exchangeIndex },
    };
  }
  const group = account.groups.get(id);
  if (group === undefined || group.exchangeIndex !== Number(query.get('exchange_index') ?? 0)) {
    return notFound('order group not found');
  }
  if (method === 'GET' && verb === undefined) {
    return ok({ ...renderGroup(group), orders: [] });
  }
  if (method === 'DELETE' && verb === undefined) {
    account.groups.delete(id);
    return ok({});
  }
  if (method === 'PUT' && verb === 'limit') {
    const limit = readLimit(body);
    group.limit = limit ?? group.limit;
    return limit === undefined ? invalid('contracts_limit') : ok({});
  }
  if (method === 'PUT' && (verb === 'trigger' || verb === 'reset')) {
    group.triggered = verb === 'trigger';
    group.matched = [];
    return ok({});
  }
  return notFound('no such path');
}

function renderGroup({ limit, exchangeIndex }: OrderGroup): object {
  return { is_auto_cancel_enabled: true, contracts_limit_fp: decimal(limit, 2), exchange_index: exchangeIndex };
}

/** @returns micro-contracts; undefined if the two forms of the limit contradict each other, or both are missing */
function readLimit(body: unknown): bigint | undefined {
  const { contracts_limit: whole, contracts_limit_fp: exact } = groupRequest.safeParse(body).data ?? {};
  const limit = whole === undefined ? exact : BigInt(whole) * DOLLAR;
  return exact !== undefined && exact !== limit ? undefined : limit;
}

/** Reads or sets the percentages of the parts, which apply at once. */
function targetAllocation(account: Account, { method, body }: Asked): Answer {
  if (method === 'GET') {
    const allocations = [...account.allocation].map(([part, percent]) => ({ exchange_index: part, percent }));
    return ok({ allocations });
  }
  const given = allocationRequest.safeParse(body);
  if (method !== 'POST' || !given.success) {
    return invalid('allocations');
  }
  const percents = given.data.allocations.map(({ exchange_index: part, percent }) => [part, percent] as const);
  account.allocation = new Map(percents);
  rebalance(account);
  return ok({});
}

/** Moves cash between the parts by the percentages. The exchange does so every ten seconds. */
function rebalance(account: Account): void {
  const parts = [...account.allocation.keys()];
  const [first] = parts;
  if (first === undefined) {
    return;
  }
  const all = [...account.cash.values()].reduce((sum, one) => sum + one, 0n);
  account.cash.clear();
  let left = all;
  for (const part of parts) {
    const share = (all * BigInt(account.allocation.get(part) ?? 0)) / 100n;
    account.cash.set(part, share);
    left -= share;
  }
  account.cash.set(first, cashOn(account, first) + left);
}

/** Looks for the order on the named part, else on the part of the named market, else on part 0 only. */
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

/** The historical list has only settled positions, the live list only those that were not archived. */
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

/** @param asked number of a part; null for all of them together */
function balanceOf(account: Account, asked: string | null, now: Date): Answer {
  const cash =
    asked === null ? [...account.cash.values()].reduce((sum, one) => sum + one, 0n) : cashOn(account, Number(asked));
  return ok({
    balance: Number(cash / 10_000n),
    balance_dollars: decimal(cash, 4),
    portfolio_value: 0,
    updated_ts: Math.floor(now.getTime() / 1_000),
    balance_breakdown: PARTS.map((part) => ({ balance: decimal(cashOn(account, part), 4), exchange_index: part })),
  });
}

function cashOn(account: Account, part: number): bigint {
  return account.cash.get(part) ?? 0n;
}
