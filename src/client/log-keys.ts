/**
 * The keys that a reader of the feed knows, and checkpoints opened with them. The keys of a log are a chain, so from any key that was
 * trusted the reader arrives at the newest, and what it has learnt it does not forget.
 */
import { type Checkpoint, readCheckpoint, verifyCheckpoint } from '../core/transparency-log/checkpoint.ts';
import { type KeyChange, keyAt } from '../core/transparency-log/log-keys.ts';
import { NoteError, readVerifierKey } from '../core/transparency-log/signed-note.ts';
import type { InlayClient } from './create-client.ts';

/** The feed is not what the service signed. Apply nothing more, keep your state, and call support. */
export class FeedRewritten extends Error {
  override name = 'FeedRewritten';
}

export interface KnownKeys {
  /** The key that is trusted: the one that was given, or that of the first checkpoint; null before that. */
  readonly verifierKey: string | null;
  /** Changes of the key that are known; each is proven by the key before it. */
  readonly keys?: readonly KeyChange[];
}

/** @throws FeedRewritten if a change that is known is another now */
export async function withNewerKeys<State extends KnownKeys>(client: InlayClient, state: State): Promise<State> {
  const keys = await listKeyChanges(client);
  if ((state.keys ?? []).some(({ note }, place) => note !== keys[place]?.note)) {
    throw new FeedRewritten('The keys of the log are not those of before.');
  }
  return keys.length === (state.keys ?? []).length ? state : { ...state, keys };
}

/** All changes of the log's key; whoever uses them verifies them. */
export async function listKeyChanges(client: InlayClient): Promise<readonly KeyChange[]> {
  return (await client.get('/api/v1/reconciliation/log-keys')).keys;
}

/** Whether a known key, in force at the size of the checkpoint, signed it. */
export function isOpenedBy(keys: KnownKeys, note: string): boolean {
  try {
    read(note, keys);
    return true;
  } catch (error) {
    if (error instanceof NoteError) {
      return false;
    }
    throw error;
  }
}

/** @throws NoteError unless the checkpoint is signed with the key that the log had at its size */
function read(note: string, { verifierKey: trusted, keys = [] }: KnownKeys): Checkpoint {
  if (trusted === null) {
    throw new NoteError('its key is not known');
  }
  const { name } = readVerifierKey(trusted);
  const checkpoint = verifyCheckpoint(note, keyAt(name, trusted, keys, readCheckpoint(note).size));
  if (checkpoint.origin !== name) {
    throw new NoteError(`it is of ${checkpoint.origin}`);
  }
  return checkpoint;
}

/** @throws FeedRewritten */
export function readVerified(note: string, keys: KnownKeys): Checkpoint {
  try {
    return read(note, keys);
  } catch (error) {
    if (error instanceof NoteError) {
      throw new FeedRewritten(`The checkpoint is not that of this log: ${error.message}.`);
    }
    throw error;
  }
}
