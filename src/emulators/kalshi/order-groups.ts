/**
 * Order groups of the emulated exchange: a limit of matched contracts in 15 seconds, and a trigger that a client may pull itself. Each
 * lives on one part, where requests look for it; without a part they look on part 0.
 */

import { type Answer, ok } from '../http.ts';
import type { Ids } from './match-order.ts';
import { decimal, invalid, notFound } from './render.ts';
import { type Asked, groupRequest } from './requests.ts';
import { type Account, DOLLAR, type OrderGroup } from './state.ts';

const WINDOW_MS = 15_000;

/** Why an order of this group is not taken; null if it is. */
export function groupRefusal(account: Account, groupId: string | undefined, part: number | undefined): string | null {
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

/** @param count micro-contracts that were matched. */
export function countMatched(group: OrderGroup | undefined, count: bigint, now: Date): void {
  if (group !== undefined) {
    group.matched = [...group.matched.filter(({ at }) => now.getTime() - at < WINDOW_MS), { at: now.getTime(), count }];
    group.triggered ||= group.matched.reduce((sum, one) => sum + one.count, 0n) >= group.limit;
  }
}

/** @param path behind `/portfolio/order_groups` */
export function orderGroups(account: Account, path: string, { method, query, body }: Asked, ids: Ids): Answer {
  const [, id = '', verb] = path.split('/');
  if (method === 'GET' && id === '') {
    const all = [...account.groups].map(([groupId, group]) => ({ id: groupId, ...render(group) }));
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
    return ok({ ...render(group), orders: [] });
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

function render({ limit, exchangeIndex }: OrderGroup): object {
  return { is_auto_cancel_enabled: true, contracts_limit_fp: decimal(limit, 2), exchange_index: exchangeIndex };
}

/** Micro-contracts; if both are given they are the same. */
function readLimit(body: unknown): bigint | undefined {
  const { contracts_limit: whole, contracts_limit_fp: exact } = groupRequest.safeParse(body).data ?? {};
  const limit = whole === undefined ? exact : BigInt(whole) * DOLLAR;
  return exact !== undefined && exact !== limit ? undefined : limit;
}
