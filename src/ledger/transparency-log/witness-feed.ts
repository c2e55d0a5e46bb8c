/**
 * Cosignatures of witnesses (C2SP tlog-cosignature). Anyone may witness: an operator of its own log, an auditor. A witness
 * keeps the last checkpoint that it saw and signs a newer one only if it continues that one, so a log that is shown
 * differently to two people cannot have the witness's signature twice.
 */
import { refuse } from '../../core/errors.ts';
import { originOf, readCheckpoint } from '../../core/transparency-log/checkpoint.ts';
import { type Cosignature, verifyCosignature } from '../../core/transparency-log/cosignature.ts';
import { NoteError } from '../../core/transparency-log/signed-note.ts';
import { asOperator } from '../../db/as-operator.ts';
import type { Sql } from '../../db/client.ts';
import { proveConsistency } from './prove-feed.ts';

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
      from feed_log_witnesses where operator_id = ${operatorId} order by name`,
  );
}

/**
 * Keeps a cosignature. An older one than the one that is kept changes nothing.
 * @param reads the pool that reads as the operator; `sql` writes
 * @param note a checkpoint of the operator's log with the signature of the witness
 * @throws invalid_request if the signature is not valid, the checkpoint is of another log or differs from it, or the name
 *   belongs to another key; unknown_checkpoint if the log is not that long
 */
export async function addCosignature(
  sql: Sql,
  reads: Sql,
  operatorId: string,
  { verifierKey, checkpoint }: { readonly verifierKey: string; readonly checkpoint: string },
): Promise<WitnessedCheckpoint> {
  const { cosignature, size, root } = readCosigned(operatorId, verifierKey, checkpoint);
  const { fromRoot } = await proveConsistency(reads, operatorId, size, size);
  if (!root.equals(fromRoot)) {
    throw refuse('invalid_request', `The log of ${size} items has another root.`, {
      detail: [{ path: 'checkpoint' }],
      root: Buffer.from(fromRoot).toString('base64'),
    });
  }
  const { witness, note, cosignedAt } = cosignature;
  const [kept] = await sql<WitnessedCheckpoint[]>`
    insert into feed_log_witnesses as known (operator_id, name, verifier_key, size, note, cosigned_at)
    values (${operatorId}, ${witness}, ${verifierKey}, ${size}, ${note}, ${cosignedAt})
    on conflict (operator_id, name) do update
      set (size, note, cosigned_at, received_at) = (
        select v.size, v.note, v.cosigned_at, clock_timestamp()
        from (values (excluded.size, excluded.note, excluded.cosigned_at), (known.size, known.note, known.cosigned_at))
          as v(size, note, cosigned_at) order by v.size desc, v.cosigned_at desc limit 1)
      where known.verifier_key = excluded.verifier_key
    returning name as witness, verifier_key as "verifierKey", size::float8 as size, note, cosigned_at as "cosignedAt"`;
  if (kept === undefined) {
    throw refuse('invalid_request', `${witness} is the name of a witness with another key.`, {
      detail: [{ path: 'verifierKey' }],
    });
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
