/** What this process remembers of callers: the state that the database confirmed last, and which requests it admitted. */
import { LRUCache } from 'lru-cache';
import type { Operator } from '../operator.ts';
import { type CallerHeat, createCallerHeat } from './caller-heat.ts';

export interface AdmissionRequest {
  /** SHA-256 of the key, lower-case hex. */
  readonly keyHash: string;
  /** The operator named by the aggregator header, or null. */
  readonly actingFor: string | null;
  readonly scopes: readonly string[];
  /** A scope that is sufficient without the others. */
  readonly sufficientScope?: string | undefined;
  /** The address of the client, as `inet` takes it. A key that is bound to addresses refuses an unknown one. */
  readonly address?: string | null;
}

/** What `admit_requests` returns about a key and the operator acted for. */
export interface KeyState {
  readonly keyId: string;
  readonly holderId: string;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly operator: Operator;
}

/** A caller in one state. */
export interface KnownCaller {
  readonly version: string;
  readonly state: KeyState;
  /** The kinds of requests that were admitted in this state, each with an example. */
  readonly admitted: Map<string, AdmissionRequest>;
  readonly heat: CallerHeat;
}

const MAX_KNOWN = 5_000;
/** An operator has few addresses and few sets of scopes. More are asked about again. */
const MOST_KINDS = 64;

export interface KnownCallers {
  get(caller: string): KnownCaller | undefined;
  /** Without counting as a use. */
  peek(caller: string): KnownCaller | undefined;
  forget(caller: string): void;
  /** The caller is in another state than before. */
  set(caller: string, version: string, state: KeyState): KnownCaller;
}

/** @param termMs how long a lease lasts */
export function createKnownCallers(termMs: number): KnownCallers {
  const known = new LRUCache<string, KnownCaller>({ max: MAX_KNOWN });
  return {
    get: (caller) => known.get(caller),
    peek: (caller) => known.peek(caller),
    forget: (caller) => {
      known.delete(caller);
    },
    set(caller, version, state) {
      const entry: KnownCaller = { version, state, admitted: new Map(), heat: createCallerHeat(termMs) };
      known.set(caller, entry);
      return entry;
    },
  };
}

/** The kind of request was admitted in this state, and is while the state lasts. */
export function noteAdmitted({ admitted }: KnownCaller, request: AdmissionRequest): void {
  if (admitted.size >= MOST_KINDS) {
    admitted.clear();
  }
  admitted.set(kindOf(request), request);
}

/** Who asks: a key, and for whom it acts. */
export function callerOf({ keyHash, actingFor }: Pick<AdmissionRequest, 'keyHash' | 'actingFor'>): string {
  return actingFor === null ? keyHash : `${keyHash} ${actingFor}`;
}

/** What is decided alike for one caller. */
export function kindOf({ address, sufficientScope, scopes }: AdmissionRequest): string {
  return `${address ?? ''} ${sufficientScope ?? ''} ${scopes.join(' ')}`;
}
