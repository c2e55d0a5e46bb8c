/**
 * Admits requests: key, operator, aggregator header, scope and rate in one batched call. Each batch reads everything
 * from the database again, so that a revocation or a suspension takes effect at once; only the text of a state that the
 * database confirms as unchanged is not sent again. Requests of a caller that makes many are counted in advance, and
 * admitted by that lease without a call while nothing can have changed.
 */
import { createBatcher } from '../../core/batcher.ts';
import type { Deadline } from '../../core/batching/deadline.ts';
import { createMinuteCounts } from '../../core/minute-counts.ts';
import { meteredAddress } from '../../core/net/client-address.ts';
import type { Sql } from '../../db/client.ts';
import { isUnstorableInput } from '../../db/database-errors.ts';
import type { Operator } from '../operator.ts';
import { giveBackRequest } from '../rate-counters.ts';
import { type RateWindow, windowOf } from '../rate-window.ts';
import { type CallAnswer, callAdmission, type GroupAnswer, type KeyOutcome, UNKNOWN_KEY } from './admission-call.ts';
import { type BudgetLeases, TERM_MS } from './budget-leases.ts';
import { type AdmissionRequest, callerOf, createKnownCallers } from './known-callers.ts';
import { type Group, groupEqual, partition, renewalsBeside } from './request-groups.ts';
import { untilDecided } from './until-decided.ts';

export type AdmissionOutcome = KeyOutcome | 'rate_limited';

/** All fields but the outcome and the rate are present only if the key is known. */
export interface Admission {
  readonly outcome: AdmissionOutcome;
  readonly keyId: string;
  /** The operator whose ceiling the request counts toward: the key's operator, or the aggregator above it. */
  readonly holderId: string;
  readonly scopes: readonly string[];
  /** The operator on whose behalf the request acts. */
  readonly operator: Operator;
  readonly rate: RateWindow;
  /** The minute in which the request was counted, in seconds since 1970. */
  readonly countedIn: number;
}

export interface AdmissionOptions {
  /** Receives how many requests a call is about, for the metrics. */
  readonly onBatch?: (size: number) => void;
  /** A request was admitted by a lease, for the metrics. */
  readonly onLeased?: () => void;
  /** Without it the database is asked about every request. */
  readonly leases?: BudgetLeases;
}

/** A request that was counted, for `giveBack`. */
export interface CountedRequest {
  readonly keyId: string;
  readonly operatorId: string;
  readonly holderId: string;
  readonly countedIn: number;
}

export interface Admit {
  (request: AdmissionRequest, deadline?: Deadline): Promise<Admission>;
  /** The operator that holds the key, as at the last request with this key and header; undefined if this process remembers none. */
  lastHolderOf(caller: Pick<AdmissionRequest, 'keyHash' | 'actingFor'>): string | undefined;
  /** The request consumes no budget after all: a scope that only its body names is missing (specification "Authentication" 7). */
  giveBack(request: CountedRequest): Promise<void>;
}

const MAX_BATCH = 1000;
/** All strangers that wait together. */
const MAX_STRANGERS = 20_000;
/** Strangers from one address and minute that the database is asked about. */
const STRANGERS_A_MINUTE = 6_000;
const UNKNOWN: ReadonlySet<AdmissionOutcome> = new Set(['invalid_key', 'revoked_key', 'expired_key']);
const NOT_ASKED: Admission = {
  ...UNKNOWN_KEY,
  outcome: 'invalid_key',
  rate: windowOf(0, 0, -1, 0),
  countedIn: 0,
};

export function createAdmission(sql: Sql, { onBatch, onLeased, leases }: AdmissionOptions = {}): Admit {
  const known = createKnownCallers(TERM_MS);
  const strangers = createMinuteCounts(Date.now);

  /** @returns undefined for each request that is to be asked about again */
  async function admitBatch(requests: readonly AdmissionRequest[]): Promise<(Admission | undefined)[]> {
    const now = performance.now();
    const admissions = requests.map((request) => byLease(request, now));
    const groups = groupEqual(requests, admissions, known, leases, now);
    if (groups.length === 0) {
      return admissions;
    }
    onBatch?.(groups.reduce((sum, { count }) => sum + count, 0));
    const callers = new Set(groups.map(({ request }) => callerOf(request)));
    const renewals = renewalsBeside(callers, known, leases, now);
    await leases?.end(new Set([...callers, ...renewals.map(({ request }) => callerOf(request))]), now);
    // a lease is asked for last: it would hold up whatever else is asked for the same caller
    const [alone, others] = partition(groups);
    for (const asked of [others, [...alone, ...renewals]]) {
      if (asked.length > 0) {
        await ask(asked, admissions);
      }
    }
    return admissions;
  }

  async function ask(asked: readonly Group[], admissions: (Admission | undefined)[]): Promise<void> {
    const answer = await callAdmission(sql, asked, known, TERM_MS);
    for (const [place, one] of answer.groups.entries()) {
      const { request, members } = asked[place] as Group;
      if (one.lease !== undefined) {
        leases?.grant(callerOf(request), one.lease);
      }
      for (const [position, index] of members.entries()) {
        admissions[index] = memberOf(one, position, answer);
      }
    }
  }

  function byLease(request: AdmissionRequest, now: number): Admission | undefined {
    const leased = leases?.take(request, now);
    if (leased === undefined) {
      return undefined;
    }
    onLeased?.();
    const { keyId, holderId, scopes, operator } = leased.state;
    return { outcome: 'admitted', keyId, holderId, scopes, operator, rate: leased.rate, countedIn: leased.minute };
  }

  /** They have no leases, and no budget is counted in advance for them. */
  async function admitStrangers(requests: readonly AdmissionRequest[]): Promise<(Admission | undefined)[]> {
    const admissions: (Admission | undefined)[] = new Array(requests.length);
    onBatch?.(requests.length);
    await ask(groupEqual(requests, admissions, known, undefined, performance.now()), admissions);
    return admissions;
  }

  // One call in flight: a second one would halve the batches, and would wait for the same rows.
  const enqueue = createBatcher(admitBatch, {
    name: 'admit requests',
    maxBatch: MAX_BATCH,
    concurrency: 1,
    retryAlone: isUnstorableInput,
  });

  const enqueueStranger = createBatcher(admitStrangers, {
    name: 'admit strangers',
    maxBatch: MAX_STRANGERS,
    maxWaiting: MAX_STRANGERS,
    concurrency: 1,
    retryAlone: isUnstorableInput,
  });

  async function admit(request: AdmissionRequest, deadline?: Deadline): Promise<Admission> {
    const now = performance.now();
    const caller = callerOf(request);
    const remembered = known.peek(caller);
    if (remembered === undefined) {
      return admitStranger(request, caller, deadline);
    }
    remembered.heat.note(now);
    return byLease(request, now) ?? (await untilDecided(() => enqueue(request, deadline)));
  }

  /**
   * A caller that this process does not remember: its key is unknown or revoked, or this is its first request here. Strangers have a
   * queue of their own, so that others never wait for many of them, and above a number from one address none is asked about.
   */
  async function admitStranger(request: AdmissionRequest, caller: string, deadline?: Deadline): Promise<Admission> {
    const address = meteredAddress(request.address ?? null);
    if (strangers.add(address, '') > STRANGERS_A_MINUTE) {
      return NOT_ASKED;
    }
    let refused = false;
    try {
      const admission = await untilDecided(() =>
        known.peek(caller) === undefined ? enqueueStranger(request, deadline) : enqueue(request, deadline),
      );
      refused = UNKNOWN.has(admission.outcome);
      return admission;
    } finally {
      if (!refused) {
        strangers.add(address, '', -1);
      }
    }
  }

  return Object.assign(admit, {
    lastHolderOf: (caller: Pick<AdmissionRequest, 'keyHash' | 'actingFor'>) =>
      known.peek(callerOf(caller))?.state.holderId,
    async giveBack(request: CountedRequest) {
      const { keyId, operatorId, countedIn } = request;
      if (leases?.giveBackOne(`k:${keyId}:${operatorId}`, countedIn) !== true) {
        await giveBackRequest(sql, request);
      }
    },
  });
}

/** @returns undefined if the group is not decided */
function memberOf(
  { outcome, countedBefore, granted, state }: GroupAnswer,
  position: number,
  { minute, resetSeconds }: CallAnswer,
): Admission | undefined {
  if (outcome === 'undecided') {
    return undefined;
  }
  const { keyId, holderId, scopes, operator, rateLimit } = state;
  const isCounted = outcome === 'admitted';
  return {
    outcome: isCounted && position >= granted ? 'rate_limited' : outcome,
    keyId,
    holderId,
    scopes,
    operator,
    // A request that was refused before the counting consumed nothing and shows the budget unchanged.
    rate: windowOf(rateLimit, countedBefore, isCounted ? position : -1, resetSeconds),
    countedIn: minute,
  };
}
