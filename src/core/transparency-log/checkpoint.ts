/**
 * Checkpoints of C2SP tlog-checkpoint: the size and the root of a log. The origin is `inlay/<operatorId>` (contract 24.2),
 * and the name of the signer is the origin.
 */
import { HASH_BYTES } from './merkle-tree.ts';
import { NoteError, type NoteSigner, signNote, splitNote, verifyNote } from './signed-note.ts';

export interface Checkpoint {
  readonly origin: string;
  /** The number of leaves, which is the sequence number of the newest item in the tree. */
  readonly size: number;
  readonly root: Buffer;
}

export const originOf = (operatorId: string): string => `inlay/${operatorId}`;

export function signCheckpoint(checkpoint: Checkpoint, signer: NoteSigner): string {
  return signNote(checkpointText(checkpoint), checkpoint.origin, signer);
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** @throws NoteError if the signature is not valid or the text is not a checkpoint */
export function verifyCheckpoint(note: string, key: string): Checkpoint {
  return readCheckpointText(verifyNote(note, key));
}

/**
 * Reads a note without checking its signatures.
 * @throws NoteError
 */
export function readCheckpoint(note: string): Checkpoint {
  return readCheckpointText(splitNote(note).text);
}

function readCheckpointText(text: string): Checkpoint {
  const [origin = '', digits = '', base64 = ''] = text.split('\n');
  const root = Buffer.from(base64, 'base64');
  if (origin === '' || !/^(0|[1-9][0-9]{0,15})$/.test(digits) || root.length !== HASH_BYTES) {
    throw new NoteError('not a checkpoint');
  }
  return { origin, size: Number(digits), root };
}
