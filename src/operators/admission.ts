/**
 * Admits requests: key, operator, aggregator header, scope and rate, in the order of contract 10.11. Rights are remembered
 * for half a second (`callers.ts`) and requests are counted in memory (`rate-counters.ts`), so that a request of a busy
 * caller waits for no round trip.
 */
import { meteredAddress } from '../core/addresses.ts';
import { createMinuteCounts } from '../core/minute-counts.ts';
import type { Sql } from '../db/client.ts';
import { type Caller, type CallerOptions, createCallers, ofKey, type Presented } from './callers.ts';
import { isInRanges } from './keys.ts';
import type { Operator } from './operator.ts';
import type { RateCounters, RateWindow } from './rate-counters.ts';

/** Why a request is not admitted by its key. */
export type KeyOutcome =
  | 'admitted'
  | 'invalid_key'
  | 'revoked_key'
  | 'expired_key'
  | 'address_not_allowed'
  | 'operator_suspended'
  | 'operator_not_permitted'
  | 'insufficient_scope';

export type AdmissionOutcome = KeyOutcome | 'rate_limited';

export interface AdmissionRequest extends Presented {
  readonly scopes: readonly string[];
  /** A scope that is sufficient without the others. */
  readonly sufficientScope?: string | undefined;
  /** The address of the client. A key that is bound to addresses refuses an unknown one. */
  readonly address?: string | null;
}

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
  /** The minute in which the request was counted, in minutes since 1970. */
  readonly countedIn: number;
}

/** A request that was counted, for `giveBack`. */
export interface CountedRequest {
  readonly keyId: string;
  readonly operatorId: string;
  readonly holderId: string;
  readonly countedIn: number;
}

export interface Admit {
  (request: AdmissionRequest): Promise<Admission>;
  /** The operator that holds the key, as far as this process remembers one. */
  lastHolderOf(presented: Presented): string | undefined;
  /** Whether a request that was admitted would still be; it counts nothing. */
  again(request: AdmissionRequest): Promise<KeyOutcome>;
  /** The request consumes no budget after all: a scope that only its body names is missing (contract chapter 34). */
  giveBack(request: CountedRequest): void;
}

/** The most requests with unknown keys, per address and minute, for which the database is queried. */
const STRANGERS_A_MINUTE = 6_000;
/** The fields of an unknown key are never read. */
const UNKNOWN: Admission = {
  outcome: 'invalid_key',
  keyId: '',
  holderId: '',
  scopes: [],
  rate: { limit: 0, remaining: 0, resetSeconds: 1 },
  countedIn: 0,
} as unknown as Admission;

export function createAdmission(sql: Sql, counters: RateCounters, options: CallerOptions = {}): Admit {
  const callers = createCallers(sql, { ...options, onClock: counters.setClock });
  const strangers = createMinuteCounts(Date.now);
  /** How often each key named an operator for which it may not act. */
  const guesses = createMinuteCounts(Date.now);

  async function admit(request: AdmissionRequest): Promise<Admission> {
    if (callers.peek(request) !== undefined) {
      return decide(request, await callers.find(request));
    }
    const own = callers.peek(ofKey(request));
    if (own !== undefined && guesses.add(own.keyId, '', 0) >= own.rateLimit) {
      return refuseGuess(own);
    }
    const address = meteredAddress(request.address ?? null);
    if (strangers.add(address, '') > STRANGERS_A_MINUTE) {
      return UNKNOWN;
    }
    const admission = decide(request, await callers.find(request));
    if (!ENDED.has(admission.outcome)) {
      strangers.add(address, '', -1);
    }
    if (admission.outcome === 'operator_not_permitted') {
      guesses.add(admission.keyId, '');
    }
    return admission;
  }

  /** A key that has used its budget for guesses costs the database no more. */
  function refuseGuess({ keyId, holderId, scopes, operator, rateLimit }: Caller): Admission {
    const rate = counters.look(subjectOf(keyId, operator.operatorId), rateLimit);
    return { outcome: 'rate_limited', keyId, holderId, scopes, operator, rate, countedIn: 0 };
  }

  function decide(request: AdmissionRequest, caller: Caller | undefined): Admission {
    if (caller === undefined) {
      return UNKNOWN;
    }
    const outcome = outcomeOf(caller, request, new Date(counters.now()));
    const { keyId, holderId, scopes, operator, rateLimit: limit, rateCeiling: ceiling } = caller;
    const head = { keyId, holderId, scopes, operator };
    if (ENDED.has(outcome)) {
      // the holder of such a key is a stranger again
      callers.forget(request);
    }
    const subject = subjectOf(keyId, operator.operatorId);
    if (outcome !== 'admitted') {
      return { ...head, outcome, rate: counters.look(subject, limit), countedIn: 0 };
    }
    const { allowed, minute, ...rate } = counters.count({ subject, limit, tenant: { operatorId: holderId, ceiling } });
    return { ...head, outcome: allowed ? 'admitted' : 'rate_limited', rate, countedIn: minute };
  }

  return Object.assign(admit, {
    lastHolderOf: (presented: Presented) => callers.peek(presented)?.holderId,
    again: async (request: AdmissionRequest) => {
      const caller = await callers.find(request);
      return caller === undefined ? 'invalid_key' : outcomeOf(caller, request, new Date(counters.now()));
    },
    giveBack: ({ keyId, operatorId, holderId, countedIn }: CountedRequest) =>
      counters.giveBack(subjectOf(keyId, operatorId), holderId, countedIn),
  });
}

/** Outcomes that count as an unknown key. */
const ENDED: ReadonlySet<AdmissionOutcome> = new Set(['invalid_key', 'revoked_key', 'expired_key']);

/** A key has a separate budget for each operator that it acts for. */
export function subjectOf(keyId: string, operatorId: string): string {
  return `k:${keyId}:${operatorId}`;
}

/** Whether a key may make a request, apart from the rate, or the first reason against it. Pure. */
export function outcomeOf(caller: Caller, request: AdmissionRequest, now: Date): KeyOutcome {
  const { revokedAt, expiresAt, allowedAddresses, ownId, ownStatus, operator, scopes } = caller;
  const { actingFor, address = null, sufficientScope } = request;
  if (revokedAt !== null && revokedAt <= now) {
    return 'revoked_key';
  }
  if (expiresAt !== null && expiresAt <= now) {
    return 'expired_key';
  }
  if (allowedAddresses !== null && (address === null || !isInRanges(address, allowedAddresses))) {
    return 'address_not_allowed';
  }
  if (ownStatus !== 'active') {
    return 'operator_suspended';
  }
  if (actingFor !== null && actingFor !== ownId && actingFor !== operator.operatorId) {
    return 'operator_not_permitted';
  }
  if (operator.status !== 'active') {
    return 'operator_suspended';
  }
  const isEnough = sufficientScope !== undefined && scopes.includes(sufficientScope);
  return isEnough || request.scopes.every((scope) => scopes.includes(scope)) ? 'admitted' : 'insufficient_scope';
}
