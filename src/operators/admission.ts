/**
 * Admits requests: key, operator, aggregator header, scope and rate in one batched call. It keeps nothing from one batch to the
 * next, so that a revocation or a suspension counts at once.
 */
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
  subject_granted: number;
  granted: number;
  operator: string;
}

export interface AdmissionOptions {
  /** Told the size of each batch, for the metrics. */
  readonly onBatch?: (size: number) => void;
}

const MAX_BATCH = 1000;
const PARSED_OPERATORS = 1000;

export function createAdmission(
  sql: Sql,
  { onBatch }: AdmissionOptions = {},
): (request: AdmissionRequest) => Promise<Admission> {
  const readOperator = createOperatorReader();

  async function admit(requests: readonly AdmissionRequest[]): Promise<Admission[]> {
    onBatch?.(requests.length);
    const groups = new Map<string, { first: AdmissionRequest; members: number[] }>();
    for (const [index, request] of requests.entries()) {
      const identity = `${request.keyHash} ${request.actingFor ?? ''} ${request.scopes.join(' ')}`;
      const group = groups.get(identity);
      if (group === undefined) {
        groups.set(identity, { first: request, members: [index] });
      } else {
        group.members.push(index);
      }
    }
    const wanted = [...groups.values()];
    const parameter = JSON.stringify(
      wanted.map(({ first, members }) => ({
        hash: first.keyHash,
        acting: first.actingFor,
        scopes: first.scopes,
        count: members.length,
      })),
    );
    // Through text: the driver would encode a string a second time for a jsonb parameter.
    const rows = await sql<AdmittedGroup[]>`select * from admit_requests(${parameter}::text::jsonb)`;
    const admissions: Admission[] = new Array(requests.length);
    for (const row of rows) {
      const operator = row.outcome === 'admitted' ? readOperator(row.operator) : (undefined as unknown as Operator);
      for (const [position, index] of (wanted[row.group_no - 1]?.members ?? []).entries()) {
        admissions[index] = memberOf(row, operator, position);
      }
    }
    return admissions;
  }

  // Two in flight: one waits for the network while the other counts; more would only wait on the same rows.
  return createBatcher(admit, { maxBatch: MAX_BATCH, concurrency: 2 });
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

/** Parses each state of an operator once; keyed by the whole row, so a changed row can never meet an old parse. */
function createOperatorReader(): (text: string) => Operator {
  const parsed = new Map<string, Operator>();
  return (text) => {
    const known = parsed.get(text);
    if (known !== undefined) {
      return known;
    }
    if (parsed.size >= PARSED_OPERATORS) {
      parsed.clear();
    }
    const operator = parseOperator(text);
    parsed.set(text, operator);
    return operator;
  };
}
