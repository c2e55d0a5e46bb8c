/** Order groups of the emulated exchange: a limit of matched contracts in 15 seconds, and a trigger that a client may pull itself. */
import { type Answer, ok } from '../http.ts';
import { decimal } from './render.ts';
import type { Account, OrderGroup } from './state.ts';

const WINDOW_MS = 15_000;
const NONE: Answer = { status: 404, body: { code: 'not_found', message: 'order group not found' } };

/** Why an order of this group is not taken; null if it is. */
export function groupRefusal(account: Account, groupId: string | undefined): string | null {
  if (groupId === undefined) {
    return null;
  }
  const group = account.groups.get(groupId);
  return group === undefined ? 'order_group_not_found' : group.triggered ? 'order_group_triggered' : null;
}

/** @param count micro-contracts that were matched. */
export function countMatched(group: OrderGroup | undefined, count: bigint, now: Date): void {
  if (group !== undefined) {
    group.matched = [...group.matched.filter(({ at }) => now.getTime() - at < WINDOW_MS), { at: now.getTime(), count }];
    group.triggered ||= group.matched.reduce((sum, one) => sum + one.count, 0n) >= group.limit;
  }
}

/** @param path behind `/portfolio/order_groups/` */
export function orderGroups(account: Account, method: string, path: string): Answer {
  const [id = '', verb] = path.split('/');
  const group = account.groups.get(id);
  if (group === undefined) {
    return NONE;
  }
  if (method === 'GET' && verb === undefined) {
    return ok({ is_auto_cancel_enabled: true, contracts_limit_fp: decimal(group.limit, 2), orders: [] });
  }
  if (method === 'PUT' && (verb === 'trigger' || verb === 'reset')) {
    group.triggered = verb === 'trigger';
    group.matched = [];
    return ok({});
  }
  return NONE;
}
