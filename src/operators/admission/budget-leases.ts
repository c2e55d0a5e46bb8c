/**
 * The leases of this process (docs/access.md, "Leases of a budget"): who has one, and when it is given back: when it ends, when its
 * caller is asked about anyway, or when another process needs what is left of it. It does not ask for any.
 */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/client.ts';
import { type Listener, openListener } from '../../db/listener.ts';
import type { RateWindow } from '../rate-window.ts';
import type { BudgetLease } from './budget-lease.ts';
import { type AdmissionRequest, callerOf, type KeyState, type KnownCaller, kindOf } from './known-callers.ts';

/** A lease, and the state of the caller that it was granted in. */
export interface HeldLease {
  readonly lease: BudgetLease;
  readonly known: KnownCaller;
}

/** A request that a lease admits. */
export interface LeasedRequest {
  readonly state: KeyState;
  readonly rate: RateWindow;
  readonly minute: number;
}

export interface BudgetLeases {
  take(request: AdmissionRequest, now: number): LeasedRequest | undefined;
  /** How many requests of this caller to count in advance with the next call; 0 for none. */
  wanted(caller: string, known: KnownCaller, now: number): number;
  grant(caller: string, held: HeldLease): void;
  /** In use, and past half of its time: worth renewing with a call that is made anyway. */
  dueForRenewal(now: number): (readonly [caller: string, held: HeldLease])[];
  /** Gives back the leases of these callers, and all that have ended. Never rejects: what is not given back counts as used. */
  end(callers: Iterable<string>, now: number): Promise<void>;
  /** A request of this subject and minute is not counted after all. @returns false if no lease has one to give back */
  giveBackOne(subject: string, minute: number): boolean;
  close(): Promise<void>;
}

/** How long a change of a key waits for the leases that rest on it, at most. */
export const TERM_MS = 500;
const SWEEP_MS = 100;
/** A caller whose requests reach several processes is counted by the database for so long. */
const SHARED_MS = 30_000;
const MOST_SHARED = 5_000;
const CHANNEL = 'budget_leases';

/** @param databaseUrl of a session, for LISTEN; opened when the first lease is worth it */
export function openBudgetLeases(sql: Sql, databaseUrl: string): BudgetLeases {
  const held = new Map<string, HeldLease>();
  const shared = new LRUCache<string, true>({ max: MOST_SHARED, ttl: SHARED_MS });
  let listener: Listener | undefined;
  let sweep: NodeJS.Timeout | undefined;
  let isClosed = false;

  function listen(): Listener {
    listener ??= openListener({
      url: databaseUrl,
      applicationName: 'inlay-budgets',
      channels: [CHANNEL],
      onNotification: (_, name) => endAll(({ subject, tenant }) => name === subject || name === tenant, true),
      onConnected: () => {},
      // another server may take over, which knows nothing of them
      onLost: () => endAll(() => true),
    });
    return listener;
  }

  function endAll(concerns: (lease: BudgetLease) => boolean, areShared = false): void {
    const callers = [...held].filter(([, { lease }]) => concerns(lease)).map(([caller]) => caller);
    for (const caller of areShared ? callers : []) {
      shared.set(caller, true);
    }
    end(callers, performance.now()).catch(() => {});
  }

  /** From here on this process admits nothing by the leases. */
  function remove(callers: Iterable<string>, now: number): BudgetLease[] {
    const ended = new Set(callers);
    for (const [caller, { lease }] of held) {
      if (now >= lease.endsAt) {
        ended.add(caller);
      }
    }
    const removed: BudgetLease[] = [];
    for (const caller of ended) {
      const one = held.get(caller);
      if (one !== undefined) {
        held.delete(caller);
        removed.push(one.lease);
      }
    }
    return removed;
  }

  async function end(callers: Iterable<string>, now: number): Promise<void> {
    const leases = remove(callers, now).map(({ subject, tenant, minute, end, requests, used }) => {
      return [subject, tenant, minute, end, requests, requests - used];
    });
    if (leases.length > 0) {
      await sql`select return_budgets(${JSON.stringify(leases)}::text::jsonb)`.catch(() => {});
    }
  }

  function sweepLater(): void {
    sweep ??= setTimeout(() => {
      sweep = undefined;
      endAll(() => false);
      if (held.size > 0) {
        sweepLater();
      }
    }, SWEEP_MS).unref();
  }

  return {
    take(request, now) {
      const one = held.get(callerOf(request));
      if (one === undefined || !one.known.admitted.has(kindOf(request))) {
        return undefined;
      }
      const rate = one.lease.take(now);
      return rate && { state: one.known.state, rate, minute: one.lease.minute };
    },
    wanted(caller, known, now) {
      const requests = known.heat.expected(now);
      return requests > 0 && !isClosed && !shared.has(caller) && listen().connected ? requests : 0;
    },
    grant(caller, one) {
      held.set(caller, one);
      sweepLater();
    },
    dueForRenewal(now) {
      return [...held].filter(([, { lease }]) => lease.used > 0 && lease.endsAt - now < TERM_MS / 2);
    },
    end,
    giveBackOne(subject, minute) {
      const one = held.values().find(({ lease }) => lease.subject === subject && lease.minute === minute);
      return one?.lease.giveBack() === true;
    },
    async close() {
      isClosed = true;
      clearTimeout(sweep);
      await end([...held.keys()], performance.now());
      await listener?.close();
    },
  };
}
