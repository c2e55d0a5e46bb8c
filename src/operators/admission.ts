/**
 * Admits requests: key, operator, aggregator header, scope and rate in one batched call. It keeps nothing from one batch to the
 * next, so that a revocation or a suspension counts at once.
 */
import { LRUCache } from 'lru-cache';
import { createBatcher } from '../core/batcher.ts';
import type { Sql } from '../db/client.ts';
import { type Operator, parseOperator } from './operator.ts';
import { type RateWindow, windowOf } from './rate-window.ts';

export interface AdmissionRequest {
  /** SHA-256 of the key, lower-case hex. */
  readonly keyHash: string;
  /** The operator named by the aggregator header, or null. */
  readonly actingFor: string | null;
  readonly scopes: readonly string[];
}

export type AdmissionOutcome =
  | 'admitted'
  | 'rate_limited'
  | 'invalid_key'
  | 'revoked_key'
  | 'operator_suspended'
  | 'operator_not_permitted'
  | 'insufficient_scope';

export interface Admission {
  readonly outcome: AdmissionOutcome;
  readonly keyId: string;
  readonly holderId: string;
  readonly scopes: readonly string[];
  /** The operator acted for. Only there when `admitted`. */
  readonly operator: Operator;
  readonly rate: RateWindow;
}

interface AdmittedGroup {
  group_no: number;
  outcome: AdmissionOutcome;
  key_id: string;
  holder_id: string;
  scopes: string[];
  rate_limit: number;
  reset_seconds: number;
  counted_before: number;
  granted: number;
  version: string;
  /** null where the version is the one that was sent as known. */
  operator: string | null;
}

interface Group {
  readonly request: AdmissionRequest;
  /** Places of the batch. */
  readonly members: number[];
  readonly known: KnownOperator | undefined;
}

interface KnownOperator {
  readonly version: string;
  readonly operator: Operator;
}

export interface AdmissionOptions {
  /** Told the size of each batch, for the metrics. */
  readonly onBatch?: (size: number) => void;
}

const MAX_BATCH = 1000;
const KNOWN_OPERATORS = 5000;

export function createAdmission(
  sql: Sql,
  { onBatch }: AdmissionOptions = {},
): (request: AdmissionRequest) => Promise<Admission> {
  /** Operators as they were read last, by key and acting operator. Each batch asks the database whether they are still so. */
  const known = new LRUCache<string, KnownOperator>({ max: KNOWN_OPERATORS });

  async function admit(requests: readonly AdmissionRequest[]): Promise<Admission[]> {
    onBatch?.(requests.length);
    const groups = groupEqual(requests, known);
    const rows = await sql<AdmittedGroup[]>`
      select group_no, outcome, key_id, holder_id, scopes, rate_limit, reset_seconds, counted_before, granted, version, operator
        from admit_requests(
          ${groups.map(({ request }) => request.keyHash)}::text[],
          ${groups.map(({ request }) => request.actingFor)}::text[],
          ${groups.map(({ request }) => request.scopes.join(' '))}::text[],
          ${groups.map(({ members }) => members.length)}::integer[],
          ${groups.map((group) => group.known?.version ?? null)}::text[])`;
    const admissions: Admission[] = new Array(requests.length);
    for (const row of rows) {
      const group = groups[row.group_no - 1] as Group;
      const operator = operatorOf(row, group, known);
      for (const [position, index] of group.members.entries()) {
        admissions[index] = memberOf(row, operator, position);
      }
    }
    return admissions;
  }

  // Two in flight: one waits for the network while the other counts; more would only wait on the same rows.
  return createBatcher(admit, { maxBatch: MAX_BATCH, concurrency: 2 });
}

function groupEqual(requests: readonly AdmissionRequest[], known: LRUCache<string, KnownOperator>): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, request] of requests.entries()) {
    const caller = callerOf(request);
    const identity = `${caller} ${request.scopes.join(' ')}`;
    const group = groups.get(identity);
    if (group === undefined) {
      groups.set(identity, { request, members: [index], known: known.get(caller) });
    } else {
      group.members.push(index);
    }
  }
  return [...groups.values()];
}

function callerOf({ keyHash, actingFor }: AdmissionRequest): string {
  return actingFor === null ? keyHash : `${keyHash} ${actingFor}`;
}

function operatorOf(row: AdmittedGroup, group: Group, known: LRUCache<string, KnownOperator>): Operator {
  if (row.operator !== null) {
    const operator = parseOperator(row.operator);
    known.set(callerOf(group.request), { version: row.version, operator });
    return operator;
  }
  // A refusal has no operator; nothing reads it there.
  return group.known?.operator as Operator;
}

function memberOf(row: AdmittedGroup, operator: Operator, position: number): Admission {
  const admitted = row.outcome === 'admitted';
  return {
    outcome: admitted && position >= row.granted ? 'rate_limited' : row.outcome,
    keyId: row.key_id,
    holderId: row.holder_id,
    scopes: row.scopes,
    operator,
    // A refusal before the counting consumed nothing and shows the budget as it stands.
    rate: windowOf(row.rate_limit, row.counted_before, admitted ? position : -1, row.reset_seconds),
  };
}
