/**
 * Verifies the feed while it is read: every item is hashed as a leaf of the operator's log, and the root of all items so far must be
 * the one that the service signed. This proves that each item is in the log, and that each checkpoint continues the one before.
 */
import { appendHashes, type FeedItemJson, type GrowingRoot, hashItem, rootOf } from '../core/log-format/merkle.ts';
import {
  type Checkpoint,
  type KeyChange,
  keyAt,
  NoteError,
  readCheckpoint,
  readVerifierKey,
  verifyCheckpoint,
} from '../core/log-format/notes.ts';
import { ApiError, type InlayClient } from './create-client.ts';
import type { FeedCheckpoint, FeedItem } from './shapes.ts';

/** The feed differs from the one that the service signed. Apply nothing more, keep your state, and call support. */
export class FeedRewritten extends Error {
  override name = 'FeedRewritten';
}

/** The keys of a log are a chain, so a reader reaches the newest key from any key that it trusted. It forgets none that it has seen. */
interface KnownKeys {
  /** The key that is trusted: the given one, or that of the first checkpoint; null before that. */
  readonly verifierKey: string | null;
  /** The known changes of the key; each is proven by the key before it. */
  readonly keys?: readonly KeyChange[];
}

/** The verified part of the feed, as JSON. It is part of the state that you store with your ledger. */
export interface LogState extends KnownKeys {
  /** The newest checkpoint whose items were all read and have its root; null before the first. */
  readonly checkpoint: string | null;
  /** A newer checkpoint whose items are not all read yet. */
  readonly target: string | null;
  /** Number of items that are counted in `subtrees`. */
  readonly size: number;
  /** Hashes, base64. */
  readonly subtrees: readonly string[];
  /** Hashes of the items after those, which no checkpoint covers yet, base64. */
  readonly later: readonly string[];
}

interface Page {
  readonly facts: readonly FeedItem[];
  /** Number of the last item so far, these included. */
  readonly sequence: number;
  readonly hasMore: boolean;
}

/**
 * Reads the checkpoint to verify next. Call it before a page is read, so that the page has all items of the checkpoint or is followed
 * by another page.
 * @param key the verifier key that you stored; null trusts the key that the service names on the first call
 * @throws FeedRewritten if the newest checkpoint is not signed with the key, is of another log, or goes back
 */
export async function fetchTarget(client: InlayClient, log: LogState | null, key: string | null): Promise<LogState> {
  const begun = log ?? { verifierKey: key, checkpoint: null, target: null, size: 0, subtrees: [], later: [] };
  const answer = begun.target === null ? await findCheckpoint(client) : undefined;
  if (answer === undefined) {
    return begun;
  }
  const given = { ...begun, verifierKey: key ?? begun.verifierKey ?? answer.verifierKey };
  const state = isOpenedBy(given, answer.checkpoint) ? given : await withNewerKeys(client, given);
  const { size, root } = readVerified(answer.checkpoint, state);
  if (state.checkpoint !== null) {
    const last = readVerified(state.checkpoint, state);
    if (size < last.size || (size === last.size && !root.equals(last.root))) {
      throw new FeedRewritten(
        size < last.size
          ? `The log went back from ${last.size} to ${size} items.`
          : `The log of ${size} items has another root than before.`,
      );
    }
    if (size === last.size) {
      return state;
    }
  }
  return { ...state, target: answer.checkpoint };
}

/** @returns undefined for some seconds after the first item of a new operator */
async function findCheckpoint(client: InlayClient): Promise<FeedCheckpoint | undefined> {
  try {
    return await client.get('/api/v1/reconciliation/checkpoint');
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unknown_checkpoint') {
      return undefined;
    }
    throw error;
  }
}

/** @returns the state after the page. @throws FeedRewritten if the items so far are not those of the checkpoint */
export function verifyPage(state: LogState, { facts, sequence, hasMore }: Page): LogState {
  const hashes = facts.map((fact) => hashItem(fact as unknown as FeedItemJson));
  const later = [...state.later.map(bytes), ...hashes];
  const log: GrowingRoot = { size: state.size, subtrees: state.subtrees.map(bytes) };
  if (state.target === null) {
    return { ...state, later: later.map(text) };
  }
  const target = readVerified(state.target, state);
  const due = Math.max(0, target.size - log.size);
  const grown = appendHashes(log, later.slice(0, due));
  const rest = { size: grown.size, subtrees: grown.subtrees.map(text), later: later.slice(due).map(text) };
  if (grown.size < target.size) {
    if (!hasMore) {
      throw new FeedRewritten(`The feed ends with item ${sequence}, its checkpoint has ${target.size} items.`);
    }
    return { ...state, ...rest };
  }
  if (Buffer.compare(rootOf(grown), target.root) !== 0) {
    const from = state.checkpoint === null ? 1 : readVerified(state.checkpoint, state).size + 1;
    throw new FeedRewritten(`Items ${from} to ${target.size} are not those that the service signed.`);
  }
  return { ...state, ...rest, checkpoint: state.target, target: null };
}

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
const text = (hash: Buffer): string => hash.toString('base64');

/** @throws FeedRewritten if a known change of the key differs now */
async function withNewerKeys<State extends KnownKeys>(client: InlayClient, state: State): Promise<State> {
  const keys = await listKeyChanges(client);
  if ((state.keys ?? []).some(({ note }, place) => note !== keys[place]?.note)) {
    throw new FeedRewritten('The keys of the log are not those of before.');
  }
  return keys.length === (state.keys ?? []).length ? state : { ...state, keys };
}

/** @returns all changes of the log's key, not verified */
export async function listKeyChanges(client: InlayClient): Promise<readonly KeyChange[]> {
  return (await client.get('/api/v1/reconciliation/log-keys')).keys;
}

/** Whether the key that was in force at the size of the checkpoint is known and signed it. */
function isOpenedBy(keys: KnownKeys, note: string): boolean {
  try {
    openCheckpoint(note, keys);
    return true;
  } catch (error) {
    if (error instanceof NoteError) {
      return false;
    }
    throw error;
  }
}

/** @throws NoteError unless the checkpoint is signed with the key that the log had at its size */
function openCheckpoint(note: string, { verifierKey: trusted, keys = [] }: KnownKeys): Checkpoint {
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
function readVerified(note: string, keys: KnownKeys): Checkpoint {
  try {
    return openCheckpoint(note, keys);
  } catch (error) {
    if (error instanceof NoteError) {
      throw new FeedRewritten(`The checkpoint is not that of this log: ${error.message}.`);
    }
    throw error;
  }
}
