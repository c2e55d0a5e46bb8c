/** What one round of admission asks for: groups of equal requests, the leases they ask for, and those to renew beside them. */
import type { RequestGroup } from './admission-call.ts';
import type { BudgetLeases } from './budget-leases.ts';
import { type AdmissionRequest, callerOf, type KnownCallers, kindOf } from './known-callers.ts';

export interface Group extends RequestGroup {
  /** Indexes in the batch. */
  readonly members: number[];
}

/** Groups of what no lease admitted. The first one of a caller asks for a lease. */
export function groupEqual(
  requests: readonly AdmissionRequest[],
  admitted: readonly (object | undefined)[],
  known: KnownCallers,
  leases: BudgetLeases | undefined,
  now: number,
): Group[] {
  const members = new Map<string, number[]>();
  for (const [index, request] of requests.entries()) {
    if (admitted[index] === undefined) {
      const name = `${callerOf(request)} ${kindOf(request)}`;
      const others = members.get(name);
      if (others === undefined) {
        members.set(name, [index]);
      } else {
        others.push(index);
      }
    }
  }
  const asking = new Set<string>();
  return [...members.values()].map((indexes) => {
    const request = requests[indexes[0] as number] as AdmissionRequest;
    const caller = callerOf(request);
    const state = known.get(caller);
    const block = state === undefined || asking.has(caller) ? 0 : (leases?.wanted(caller, state, now) ?? 0);
    asking.add(caller);
    return { request, members: indexes, count: indexes.length, known: state, block };
  });
}

/** The first group of each caller that is known, which the database answers by its short way, and all others. */
export function partition(groups: readonly Group[]): [alone: Group[], others: Group[]] {
  const seen = new Set<string>();
  const [alone, others]: [Group[], Group[]] = [[], []];
  for (const group of groups) {
    const caller = callerOf(group.request);
    (group.known === undefined || seen.has(caller) ? others : alone).push(group);
    seen.add(caller);
  }
  return [alone, others];
}

/** Groups without a request, for the leases that a call renews beside those that it was made for. */
export function renewalsBeside(
  callers: ReadonlySet<string>,
  known: KnownCallers,
  leases: BudgetLeases | undefined,
  now: number,
): Group[] {
  return (leases?.dueForRenewal(now) ?? []).flatMap(([caller, { known: state }]) => {
    const [request] = state.admitted.values();
    const block = callers.has(caller) ? 0 : (leases?.wanted(caller, state, now) ?? 0);
    return request === undefined || block === 0 || known.peek(caller) !== state
      ? []
      : [{ request, members: [], count: 0, known: state, block }];
  });
}
