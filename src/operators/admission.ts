/**
 * Admits requests: key, operator, aggregator header, scope and rate in one batched call. Each batch reads everything
 * from the database again, so that a revocation or a suspension takes effect at once; only the text of a state that the
 * database confirms as unchanged is not sent again.
 */
import { LRUCache } from 'lru-cache';
import { createBatcher } from '../core/batcher.ts';
import type { Deadline } from '../core/batching/deadline.ts';
import type { Sql } from '../db/client.ts';
import { type Operator, parseOperator } from './operator.ts';
import { type RateWindow, windowOf } from './rate-window.ts';

export interface AdmissionRequest {
  /** SHA-256 of the key, lower-case hex. */
  readonly keyHash: string;
  /** The operator named by the aggregator header, or null. */
  readonly actingFor: string | null;
  readonly scopes: readonly string[];
  /** A scope that is sufficient without the others. */
  readonly sufficientScope?: string | undefined;
  /** The address of the client. A key that is bound to addresses refuses an unknown one. */
  readonly address?: string;
}

export type AdmissionOutcome =
  | 'admitted'
  | 'rate_limited'
  | 'invalid_key'
  | 'revoked_key'
  | 'expired_key'
  | 'address_not_allowed'
  | 'operator_suspended'
  | 'operator_not_permitted'
  | 'insufficient_scope';

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
  /** Receives the size of each batch, for the metrics. */
  readonly onBatch?: (size: number) => void;
}

/** What `admit_requests` returns about a key and the operator acted for. */
interface KeyState {
  readonly keyId: string;
  readonly holderId: string;
  readonly scopes: readonly string[];
  readonly rateLimit: number;
  readonly operator: Operator;
}

interface Known {
  readonly version: string;
  readonly state: KeyState;
}

interface Group {
  readonly request: AdmissionRequest;
  /** Indexes in the batch. */
  readonly members: number[];
  readonly known: Known | undefined;
}

type Answer = [
  outcome: AdmissionOutcome,
  countedBefore: number,
  granted: number,
  version: string | null,
  state: (Omit<KeyState, 'operator'> & { operator: string }) | null,
];

const MAX_BATCH = 1000;
const MAX_KNOWN = 5000;
const UNKNOWN_KEY: Omit<KeyState, 'operator'> = { keyId: '', holderId: '', scopes: [], rateLimit: 0 };

export interface Admit {
  (request: AdmissionRequest, deadline?: Deadline): Promise<Admission>;
  /** For whom the last request with this key and header acted; undefined if this process does not remember one. */
  lastOperatorOf(caller: Pick<AdmissionRequest, 'keyHash' | 'actingFor'>): string | undefined;
}

export function createAdmission(sql: Sql, { onBatch }: AdmissionOptions = {}): Admit {
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN });

  async function admit(requests: readonly AdmissionRequest[]): Promise<Admission[]> {
    onBatch?.(requests.length);
    const groups = groupEqual(requests, known);
    const wanted = JSON.stringify(groups.map(describe));
    // As text: the driver would encode a string a second time for a jsonb parameter.
    const [row] = await sql<[{ answer: string }]>`select admit_requests(${wanted}::text::jsonb) as answer`;
    const [resetSeconds, answers, countedIn] = JSON.parse(row.answer) as [number, Answer[], number];
    const admissions: Admission[] = new Array(requests.length);
    for (const [place, group] of groups.entries()) {
      const answer = answers[place] as Answer;
      const state = keyStateOf(answer, group, known);
      for (const [position, index] of group.members.entries()) {
        admissions[index] = { ...memberOf(answer, state, position, resetSeconds), countedIn };
      }
    }
    return admissions;
  }

  // One call in flight: a second one would halve the batches, and would wait for the same rows.
  const enqueue = createBatcher(admit, { name: 'admit requests', maxBatch: MAX_BATCH, concurrency: 1 });
  return Object.assign((request: AdmissionRequest, deadline?: Deadline) => enqueue(request, deadline), {
    lastOperatorOf: (caller: Pick<AdmissionRequest, 'keyHash' | 'actingFor'>) =>
      known.peek(callerOf(caller))?.state.operator.operatorId,
  });
}

function groupEqual(requests: readonly AdmissionRequest[], known: LRUCache<string, Known>): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, request] of requests.entries()) {
    const caller = callerOf(request);
    const identity = `${caller} ${request.address ?? ''} ${request.sufficientScope ?? ''} ${request.scopes.join(' ')}`;
    const group = groups.get(identity);
    if (group === undefined) {
      groups.set(identity, { request, members: [index], known: known.get(caller) });
    } else {
      group.members.push(index);
    }
  }
  return [...groups.values()];
}

function callerOf({ keyHash, actingFor }: Pick<AdmissionRequest, 'keyHash' | 'actingFor'>): string {
  return actingFor === null ? keyHash : `${keyHash} ${actingFor}`;
}

function describe({ request, members, known }: Group): unknown[] {
  const { keyHash, actingFor, scopes, address = null, sufficientScope = null } = request;
  return [keyHash, actingFor, scopes.join(' '), members.length, known?.version ?? null, address, sufficientScope];
}

function keyStateOf(answer: Answer, group: Group, known: LRUCache<string, Known>): KeyState {
  const [, , , version, sent] = answer;
  if (sent !== null && version !== null) {
    const state = { ...sent, operator: parseOperator(sent.operator) };
    // A refusal to act for an operator is not cached, because the caller chooses the name freely.
    if (answer[0] !== 'operator_not_permitted') {
      known.set(callerOf(group.request), { version, state });
    }
    return state;
  }
  // The fields of an unknown key are never read.
  return group.known?.state ?? (UNKNOWN_KEY as KeyState);
}

function memberOf(
  [outcome, countedBefore, granted]: Answer,
  { keyId, holderId, scopes, operator, rateLimit }: KeyState,
  position: number,
  resetSeconds: number,
): Omit<Admission, 'countedIn'> {
  const isCounted = outcome === 'admitted';
  return {
    outcome: isCounted && position >= granted ? 'rate_limited' : outcome,
    keyId,
    holderId,
    scopes,
    operator,
    // A request that was refused before the counting consumed nothing and shows the budget unchanged.
    rate: windowOf(rateLimit, countedBefore, isCounted ? position : -1, resetSeconds),
  };
}
