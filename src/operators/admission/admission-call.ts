/** The statement that admits: groups of equal requests in, an answer for each group out. */
import type { Sql } from '../../db/client.ts';
import { parseOperator } from '../operator.ts';
import { createBudgetLease } from './budget-lease.ts';
import type { HeldLease } from './budget-leases.ts';
import {
  type AdmissionRequest,
  callerOf,
  type KeyState,
  type KnownCaller,
  type KnownCallers,
  noteAdmitted,
} from './known-callers.ts';

/** Why a request is not admitted by its key. Whether there is budget left is decided for each request. */
export type KeyOutcome =
  | 'admitted'
  | 'invalid_key'
  | 'revoked_key'
  | 'expired_key'
  | 'address_not_allowed'
  | 'operator_suspended'
  | 'operator_not_permitted'
  | 'insufficient_scope';

/** Equal requests, in the order in which they are counted. */
export interface RequestGroup {
  readonly request: AdmissionRequest;
  /** How many; none renews a lease only. */
  readonly count: number;
  readonly known: KnownCaller | undefined;
  /** How many more to count in advance. */
  readonly block: number;
}

export interface GroupAnswer {
  /** `undecided`: another process has leased what decides. Nothing was counted; ask again soon. */
  readonly outcome: KeyOutcome | 'undecided';
  readonly countedBefore: number;
  readonly granted: number;
  readonly state: KeyState;
  readonly lease: HeldLease | undefined;
}

export interface CallAnswer {
  readonly groups: readonly GroupAnswer[];
  /** The minute that was counted in, in seconds since 1970. */
  readonly minute: number;
  readonly resetSeconds: number;
}

type SentLease = [requests: number, end: string, ms: number];
type SentGroup = [
  outcome: KeyOutcome | 'undecided',
  countedBefore: number,
  granted: number,
  version: string | null,
  state: (Omit<KeyState, 'operator'> & { operator: string }) | null,
  lease: SentLease | null,
];
type SentAnswer = [resetSeconds: number, groups: SentGroup[], minute: number, leftMs: number];

/** The fields of an unknown key are never read. */
export const UNKNOWN_KEY = { keyId: '', holderId: '', scopes: [], rateLimit: 0 } as unknown as KeyState;

/** @param termMs how long a lease lasts */
export async function callAdmission(
  sql: Sql,
  groups: readonly RequestGroup[],
  known: KnownCallers,
  termMs: number,
): Promise<CallAnswer> {
  const askedAt = performance.now();
  const wanted = JSON.stringify(groups.map((group) => describe(group, termMs)));
  // As text: the driver would encode a string a second time for a jsonb parameter.
  const [row] = await sql<[{ answer: string }]>`select admit_requests(${wanted}::text::jsonb) as answer`;
  const [resetSeconds, answers, minute, leftMs] = JSON.parse(row.answer) as SentAnswer;

  function readGroup(group: RequestGroup, answer: SentGroup): GroupAnswer {
    const [outcome, countedBefore, granted, , , sentLease] = answer;
    const caller = knownAfter(group, answer, known);
    if (caller !== undefined && outcome === 'admitted') {
      noteAdmitted(caller, group.request);
    }
    const state = caller?.state ?? stateOf(answer);
    const lease = caller === undefined || sentLease === null ? undefined : leaseOf(group, caller, answer, sentLease);
    return { outcome, countedBefore, granted, state, lease };
  }

  function leaseOf(group: RequestGroup, caller: KnownCaller, answer: SentGroup, sent: SentLease): HeldLease {
    const { keyId, holderId, rateLimit, operator } = caller.state;
    const [requests, end, ms] = sent;
    const lease = createBudgetLease({
      subject: `k:${keyId}:${operator.operatorId}`,
      tenant: `t:${holderId}`,
      minute,
      end,
      endsAt: askedAt + ms,
      minuteEndsAt: askedAt + leftMs,
      limit: rateLimit,
      countedBefore: answer[1] + group.count,
      requests,
    });
    return { lease, known: caller };
  }

  return {
    groups: answers.map((answer, place) => readGroup(groups[place] as RequestGroup, answer)),
    minute,
    resetSeconds,
  };
}

function describe({ request, count, known, block }: RequestGroup, termMs: number): unknown[] {
  const { keyHash, actingFor, scopes, address = null, sufficientScope = null } = request;
  const asked = [keyHash, actingFor, scopes.join(' '), count, known?.version ?? null, address, sufficientScope, block];
  return block > 0 && known !== undefined ? [...asked, termMs, known.state.holderId] : asked;
}

/** What a key that ended is refused with. It is not kept, and such a caller is a stranger again. */
const ENDED = new Set<string>(['revoked_key', 'expired_key']);

/** What is known of the caller after the answer. A refusal to act for an operator is not kept, because the caller chooses the name freely. */
function knownAfter(
  { request, known }: RequestGroup,
  answer: SentGroup,
  callers: KnownCallers,
): KnownCaller | undefined {
  const [outcome, , , version, sent] = answer;
  if (sent === null || version === null) {
    return known;
  }
  if (ENDED.has(outcome)) {
    callers.forget(callerOf(request));
    return undefined;
  }
  return outcome === 'operator_not_permitted' ? undefined : callers.set(callerOf(request), version, stateOf(answer));
}

function stateOf([, , , , sent]: SentGroup): KeyState {
  return sent === null ? UNKNOWN_KEY : { ...sent, operator: parseOperator(sent.operator) };
}
