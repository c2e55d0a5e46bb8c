/**
 * Cosignatures of witnesses (C2SP tlog-cosignature), which the service operator binds: an operator of its own log, an auditor. A
 * witness keeps the last checkpoint that it saw and signs a newer one only if it continues that one, so a log that is shown
 * differently to two people cannot have the witness's signature twice.
 */
import { refuse } from '../../core/errors.ts';
import {
  type Cosignature,
  isWitnessKey,
  NoteError,
  originOf,
  readCheckpoint,
  readVerifierKey,
  verifyCosignature,
} from '../../core/log-format/notes.ts';
import { asOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { proveConsistency } from './prove-log.ts';

const MOST_WITNESSES = 16;
/** How far the time of a cosignature may be from the database's clock. */
const FRESH = '300 seconds';
const WITNESS_NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,198}[A-Za-z0-9])?$/;

export interface WitnessedCheckpoint {
  readonly witness: string;
  readonly verifierKey: string;
  readonly size: number;
  readonly note: string;
  readonly cosignedAt: Date;
}

/** The newest checkpoint that each witness of an operator's log cosigned. */
export async function listWitnessed(sql: Sql, operatorId: string): Promise<WitnessedCheckpoint[]> {
  return asOperator<WitnessedCheckpoint[]>(
    sql,
    operatorId,
    sql`
      select name as witness, verifier_key as "verifierKey", size::float8 as size, note, cosigned_at as "cosignedAt"
      from feed_log_witnesses where operator_id = ${operatorId} and size is not null order by name`,
  );
}

/**
 * Binds a witness and its key to the log of an operator. Repeating it changes nothing.
 * @throws invalid_request if name and key do not fit, the name has another key, or the log has 16 witnesses
 */
export async function addWitness(sql: Sql, operatorId: string, name: string, verifierKey: string): Promise<void> {
  expectWitnessKey(name, verifierKey);
  await sql`
    insert into feed_log_witnesses (operator_id, name, verifier_key)
    select ledger.operator_id, ${name}, ${verifierKey} from operator_ledgers ledger
    where ledger.operator_id = ${operatorId}
      and (select count(*) from feed_log_witnesses where operator_id = ${operatorId}) < ${MOST_WITNESSES}
    on conflict (operator_id, name) do nothing`;
  const [bound] = await sql<{ verifierKey: string }[]>`
    select verifier_key as "verifierKey" from feed_log_witnesses where operator_id = ${operatorId} and name = ${name}`;
  if (bound === undefined) {
    throw refuse('invalid_request', `A log has at most ${MOST_WITNESSES} witnesses; remove one first.`);
  }
  if (bound.verifierKey !== verifierKey) {
    throw refuse('invalid_request', `${name} is the name of a witness with another key; remove that one first.`);
  }
}

/** @returns whether the log had such a witness. */
export async function removeWitness(sql: Sql, operatorId: string, name: string): Promise<boolean> {
  const removed = await sql`
    delete from feed_log_witnesses where operator_id = ${operatorId} and name = ${name} returning 1`;
  return removed.length > 0;
}

function expectWitnessKey(name: string, verifierKey: string): void {
  try {
    if (WITNESS_NAME.test(name) && isWitnessKey(verifierKey) && readVerifierKey(verifierKey).name === name) {
      return;
    }
  } catch (error) {
    if (!(error instanceof NoteError)) {
      throw error;
    }
  }
  throw refuse(
    'invalid_request',
    'The key is the verifier key of a witness, and the name is the one in it, such as a host name.',
  );
}

/**
 * Keeps a cosignature of a bound witness. An older one than the one that is kept changes nothing.
 * @param reads the pool that reads as the operator; `sql` writes
 * @param note a checkpoint of the operator's log with the signature of the witness
 * @throws invalid_request if no such witness is bound, the signature is not valid or not of the last five minutes, or the
 *   checkpoint is of another log or differs from it; unknown_checkpoint if the log is not that long
 */
export async function addCosignature(
  sql: Sql,
  reads: Sql,
  operatorId: string,
  { verifierKey, checkpoint }: { readonly verifierKey: string; readonly checkpoint: string },
): Promise<WitnessedCheckpoint> {
  const bound = await asOperator(
    reads,
    operatorId,
    reads`select 1 from feed_log_witnesses where operator_id = ${operatorId} and verifier_key = ${verifierKey}`,
  );
  if (bound.length === 0) {
    throw refuse('invalid_request', 'No witness with this key is bound to the log; the service operator binds it.', {
      detail: [{ path: 'verifierKey' }],
    });
  }
  const { cosignature, size, root } = readCosigned(operatorId, verifierKey, checkpoint);
  const { fromRoot } = await proveConsistency(reads, operatorId, size, size);
  if (!root.equals(fromRoot)) {
    throw refuse('invalid_request', `The log of ${size} items has another root.`, {
      detail: [{ path: 'checkpoint' }],
      root: Buffer.from(fromRoot).toString('base64'),
    });
  }
  const { note, cosignedAt } = cosignature;
  const [clock] = await sql<{ now: Date }[]>`
    select now() as now
    where ${cosignedAt}::timestamptz between clock_timestamp() - ${FRESH}::interval and clock_timestamp() + ${FRESH}::interval`;
  if (clock === undefined) {
    throw refuse('invalid_request', 'The cosignature is not of the last 300 seconds.', {
      detail: [{ path: 'checkpoint' }],
    });
  }
  const newer = sql`(coalesce(known.size, 0), known.cosigned_at) < (${size}::bigint, ${cosignedAt}::timestamptz)`;
  const [kept] = await sql<WitnessedCheckpoint[]>`
    update feed_log_witnesses known
    set size = greatest(known.size, ${size}::bigint), received_at = ${clock.now},
      note = case when ${newer} then ${note}::text else known.note end,
      cosigned_at = case when ${newer} then ${cosignedAt}::timestamptz else known.cosigned_at end
    where known.operator_id = ${operatorId} and known.verifier_key = ${verifierKey}
    returning name as witness, verifier_key as "verifierKey", size::float8 as size, note, cosigned_at as "cosignedAt"`;
  if (kept === undefined) {
    throw refuse('invalid_request', 'The witness was removed meanwhile.', { detail: [{ path: 'verifierKey' }] });
  }
  return kept;
}

interface Cosigned {
  readonly cosignature: Cosignature;
  readonly size: number;
  readonly root: Buffer;
}

function readCosigned(operatorId: string, verifierKey: string, checkpoint: string): Cosigned {
  const invalid = (message: string) => refuse('invalid_request', message, { detail: [{ path: 'checkpoint' }] });
  try {
    const cosignature = verifyCosignature(checkpoint, verifierKey);
    const { origin, size, root } = readCheckpoint(cosignature.note);
    if (origin !== originOf(operatorId)) {
      throw invalid(`The checkpoint is of ${origin}.`);
    }
    if (size < 1) {
      throw invalid('A checkpoint of no items needs no witness.');
    }
    return { cosignature, size, root };
  } catch (error) {
    if (error instanceof NoteError) {
      throw invalid(`The cosignature is not valid: ${error.message}.`);
    }
    throw error;
  }
}
