/**
 * The keys that a reader of the feed knows, and checkpoints opened with them. The key list is in the log, so from any key that was
 * trusted the reader arrives at the newest, and what it has learnt it does not forget.
 */
import { type Checkpoint, readCheckpoint, verifyCheckpoint } from '../core/transparency-log/checkpoint.ts';
import type { FeedItemJson } from '../core/transparency-log/feed-leaf.ts';
import { KEY_CHANGED, type KeyChange, keyAt, readKeyChange } from '../core/transparency-log/log-keys.ts';
import { NoteError, readVerifierKey } from '../core/transparency-log/signed-note.ts';
import type { InlayClient } from './create-client.ts';
import type { FeedItem } from './shapes.ts';

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

const PAGE = 500;

/** Each change is signed by the key before, and its item is verified like all others when it is read. */
export async function withNewerKeys<State extends KnownKeys>(client: InlayClient, state: State): Promise<State> {
  return addKeys(state, await listKeyChanges(client));
}

/** @throws FeedRewritten if a change that is known is another now */
export function addKeys<State extends KnownKeys>(state: State, changes: readonly KeyChange[]): State {
  const known = state.keys ?? [];
  const last = known.at(-1)?.sequence ?? 0;
  const different = changes.find(
    (change) =>
      change.sequence <= last &&
      !known.some(({ sequence, note }) => sequence === change.sequence && note === change.note),
  );
  if (different !== undefined) {
    throw new FeedRewritten(`Item ${different.sequence} changes the key of the log in another way than before.`);
  }
  const newer = changes.filter(({ sequence }) => sequence > last);
  return newer.length === 0 ? state : { ...state, keys: [...known, ...newer] };
}

/** All changes of the log's key, from the feed. @throws KeyChangeRefused if one is malformed */
export async function listKeyChanges(client: InlayClient): Promise<KeyChange[]> {
  const changes: KeyChange[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.get('/api/v1/reconciliation/feed', {
      query: { limit: PAGE, cursor, type: [KEY_CHANGED] },
    });
    changes.push(...readKeyChanges(page.items));
    if (!page.hasMore) {
      return changes;
    }
    cursor = page.nextCursor;
  }
}

/** The changes among some facts. @throws KeyChangeRefused if one is malformed */
export function readKeyChanges(facts: readonly FeedItem[]): KeyChange[] {
  return facts.flatMap((item) => readKeyChange(item as unknown as FeedItemJson) ?? []);
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
