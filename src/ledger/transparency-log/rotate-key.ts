/** Changes the key of an operator's log to the newest one that is configured, by an item of the feed that both keys sign. */
import { newId } from '../../core/ids.ts';
import { originOf } from '../../core/transparency-log/checkpoint.ts';
import { signKeyChange } from '../../core/transparency-log/log-keys.ts';
import { NoteError, type NoteSigner } from '../../core/transparency-log/signed-note.ts';
import type { Sql } from '../../db/client.ts';
import { findHead, listKeyChanges } from './feed-log.ts';
import { findSigner, type LogSigner, logVerifierKey, signersOf } from './log-signer.ts';

/** The note names the number of its item, so it is signed again when another item was written first. */
const ATTEMPTS = 1_000;

export interface KeyRotation {
  /** `none`: the log has no checkpoint yet, and the first one will have the newest key. */
  readonly outcome: 'changed' | 'unchanged' | 'none';
  readonly verifierKey: string;
  /** Number of the item that changed the key. */
  readonly sequence: number | null;
}

/**
 * @param unproven the key before is lost and cannot sign, and verifiers must be given the new key
 * @throws NoteError if the log is signed with a key that is not configured, or other items were always written first
 */
export async function rotateLogKey(
  sql: Sql,
  operatorId: string,
  signer: LogSigner,
  unproven = false,
): Promise<KeyRotation> {
  const verifierKey = logVerifierKey(operatorId, signer);
  const head = await findHead(sql, operatorId);
  if (head === undefined) {
    return { outcome: 'none', verifierKey, sequence: null };
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const position = await findPosition(sql, operatorId);
    const last = (await listKeyChanges(sql, operatorId)).at(-1);
    const previous = findCurrent(operatorId, last?.verifierKey, head.note, signer);
    if (previous?.publicKey.equals(signer.publicKey)) {
      return { outcome: 'unchanged', verifierKey, sequence: last?.sequence ?? null };
    }
    if (previous === undefined && !unproven) {
      throw new NoteError(
        `the log of ${operatorId} is signed with a key that is not configured; see INLAY_LOG_KEY_FILE_PREVIOUS`,
      );
    }
    const { sequence, ...detail } = signKeyChange(originOf(operatorId), position + 1, previous ?? null, signer);
    const [row] = await sql<{ changed: boolean }[]>`
      select change_log_key(${operatorId}, ${sequence}, ${newId('lky')}, ${JSON.stringify(detail)}::text::json) as changed`;
    if (row?.changed === true) {
      return { outcome: 'changed', verifierKey, sequence };
    }
  }
  throw new NoteError(`other items of ${operatorId} were always written first; pause its trading and repeat`);
}

/** @param key that the newest item of the key list names */
function findCurrent(
  operatorId: string,
  key: string | undefined,
  note: string,
  signer: LogSigner,
): NoteSigner | undefined {
  return key === undefined
    ? findSigner(operatorId, note, signer)
    : signersOf(signer).find((one) => logVerifierKey(operatorId, one) === key);
}

async function findPosition(sql: Sql, operatorId: string): Promise<number> {
  const [row] = await sql<{ position: number }[]>`
    select sequence::float8 as position from operator_ledgers where operator_id = ${operatorId}`;
  return row?.position ?? 0;
}
