/** Changes the key of an operator's log to the newest one that is configured, by a link of its chain that both keys sign. */
import { keyAt, NoteError, originOf, signKeyChange } from '../../core/log-format/notes.ts';
import type { Sql } from '../../db/client.ts';
import { appendKeyChange, findHead, listKeyChanges } from './feed-log.ts';
import { findSigner, type LogSigner, logVerifierKey, signersOf } from './log-signer.ts';

/** The change names the size of the log, so it is signed again when the log has grown meanwhile. */
const ATTEMPTS = 100;

export interface KeyRotation {
  /** `none`: the log has no checkpoint yet, and the first one will have the newest key. */
  readonly outcome: 'changed' | 'unchanged' | 'none';
  readonly verifierKey: string;
  /** Items in the log when the key took over; null for the first key. */
  readonly size: number | null;
}

export interface KeyLoss {
  /** The key before is lost and cannot sign; verifiers must be given the new key. */
  readonly unproven?: boolean;
  /** Others may have the key before, which the chain says from now on. */
  readonly compromised?: boolean;
}

/**
 * @throws NoteError if the log is signed with a key that is not configured, or the newest key was replaced before
 */
export async function rotateLogKey(
  sql: Sql,
  operatorId: string,
  signer: LogSigner,
  { unproven = false, compromised = false }: KeyLoss = {},
): Promise<KeyRotation> {
  const key = logVerifierKey(operatorId, signer);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const head = await findHead(sql, operatorId);
    if (head === undefined) {
      return { outcome: 'none', verifierKey: key, size: null };
    }
    const changes = await listKeyChanges(sql, operatorId);
    const last = changes.at(-1);
    const previous =
      last === undefined
        ? findSigner(operatorId, head.note, signer)
        : signersOf(signer).find((one) => logVerifierKey(operatorId, one) === last.verifierKey);
    if (previous?.publicKey.equals(signer.publicKey)) {
      return { outcome: 'unchanged', verifierKey: key, size: last?.size ?? null };
    }
    if (previous === undefined && !unproven) {
      throw new NoteError(
        `the log of ${operatorId} is signed with a key that is not configured; see INLAY_LOG_KEY_FILE_PREVIOUS`,
      );
    }
    const change = signKeyChange(originOf(operatorId), head.size, previous ?? null, signer, compromised);
    keyAt(originOf(operatorId), key, [...changes, change], head.size);
    if (await appendKeyChange(sql, operatorId, changes.length + 1, change)) {
      return { outcome: 'changed', verifierKey: key, size: change.size };
    }
  }
  throw new NoteError(`the log of ${operatorId} always grew meanwhile; repeat`);
}
