/**
 * Signs the logs of feeds: appends the items that no checkpoint covers and signs the new size, changes the key of a log, and loads the
 * keys, which live outside the database. It runs behind the money statements and costs them nothing; of racing workers one appends and the
 * others drop their work.
 */
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Environment, EnvironmentError } from '../../core/environment.ts';
import { type FeedItemJson, hashItem } from '../../core/log-format/merkle.ts';
import {
  type KeyChange,
  keyAt,
  NoteError,
  type NoteSigner,
  originOf,
  signCheckpoint,
  signerFromKey,
  signerFromSeed,
  signKeyChange,
  verifierKey,
  verifyNote,
} from '../../core/log-format/notes.ts';
import { appendLeaves, listOpenTiles, rootOfTiles, type Tile } from '../../core/log-format/tiles.ts';
import { deriveKey, type Secrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import {
  appendKeyChange,
  appendToLog,
  findHead,
  type LogDebt,
  type LogHead,
  listItems,
  listKeyChanges,
  listTiles,
  listUnsealed,
} from './log-store.ts';

/** Items of one append. It bounds the memory of a round and how long the event loop is blocked (measured: about 20 ms). */
const BATCH = 1_000;

/**
 * Extends the logs of all operators to the ends of their feeds.
 * @param keepGoing returns false once the worker closes
 * @returns how many items were added to logs
 * @throws the first error, after the other logs have been extended
 */
export async function sealFeeds(sql: Sql, signer: LogSigner, keepGoing: () => boolean = () => true): Promise<number> {
  let sealed = 0;
  const failures: unknown[] = [];
  for (const debt of await listUnsealed(sql)) {
    try {
      let size = debt.sealed;
      while (keepGoing() && (size === null || size < debt.items)) {
        const next = await sealBatch(sql, signer, { ...debt, sealed: size });
        if (next === null) {
          break;
        }
        if (next === size) {
          throw new Error(`the feed of ${debt.operatorId} has no item ${next + 1}, although ${debt.items} are counted`);
        }
        sealed += next - (size ?? 0);
        size = next;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return sealed;
}

/** Extends the log of one operator to at least `through` items, while workers may append to it as well. */
export async function sealFeedThrough(sql: Sql, signer: LogSigner, operatorId: string, through: number): Promise<void> {
  for (;;) {
    const sealed = (await findHead(sql, operatorId))?.size ?? null;
    if (sealed !== null && sealed >= through) {
      return;
    }
    const size = await sealBatch(sql, signer, { operatorId, sealed, items: through });
    if (size !== null && size < through && size === sealed) {
      throw new Error(`the feed of ${operatorId} has no item ${size + 1}`);
    }
  }
}

/** @returns the new size, or null if another worker appended first */
async function sealBatch(sql: Sql, signer: LogSigner, { operatorId, sealed }: LogDebt): Promise<number | null> {
  const from = sealed ?? 0;
  const [{ changed, size, root }, head, keys] = await Promise.all([
    growLog(sql, operatorId, from, BATCH),
    findHead(sql, operatorId),
    listKeyChanges(sql, operatorId),
  ]);
  if ((head?.size ?? null) !== sealed) {
    return null;
  }
  const signing = signerNow(operatorId, head, keys, signer);
  const note = signCheckpoint({ origin: originOf(operatorId), size, root }, signing);
  const verifierKey = logVerifierKey(operatorId, signing);
  const growth = { operatorId, from, size, root, note, verifierKey, keys: keys.length, tiles: changed };
  return (await appendToLog(sql, growth)) ? size : null;
}

async function growLog(sql: Sql, operatorId: string, from: number, limit: number) {
  const [items, open] = await Promise.all([
    listItems(sql, operatorId, from, limit),
    listTiles(sql, operatorId, listOpenTiles(from)),
  ]);
  refuseGaps(operatorId, from, items);
  const changed = appendLeaves(from, open, items.map(hashItem));
  const size = from + items.length;
  const tiles = listOpenTiles(size).map(
    ({ level, index }) =>
      changed.find((tile) => tile.level === level && tile.index === index) ??
      (open.find((tile) => tile.level === level && tile.index === index) as Tile),
  );
  return { changed, size, root: Buffer.from(rootOfTiles(size, tiles)) };
}

/** A log with a gap could never be repaired, so no item after a gap is appended. */
function refuseGaps(operatorId: string, from: number, items: readonly FeedItemJson[]): void {
  const wrong = items.findIndex((item, n) => item['sequence'] !== from + n + 1);
  if (wrong >= 0) {
    throw new Error(`the feed of ${operatorId} has no item ${from + wrong + 1}`);
  }
}

/** The configured key that signs the log now. A chain that does not verify is never extended. */
function signerNow(
  operatorId: string,
  head: LogHead | undefined,
  changes: readonly KeyChange[],
  signer: LogSigner,
): NoteSigner {
  const newest = changes.at(-1)?.verifierKey;
  if (newest !== undefined) {
    const size = (head?.size ?? 0) + 1;
    return getSigner(operatorId, keyAt(originOf(operatorId), newest, changes, size), signer);
  }
  if (head === undefined) {
    return signer;
  }
  const before = findSigner(operatorId, head.note, signer);
  return getSigner(operatorId, before === undefined ? null : logVerifierKey(operatorId, before), signer);
}

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
  /** The key before is lost and cannot sign, so verifiers must be given the new key. */
  readonly unproven?: boolean;
  /** Others may have the key before; the chain records this. */
  readonly compromised?: boolean;
}

/**
 * Changes the key of an operator's log to the newest configured one, by a link of its chain that both keys sign.
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

const PURPOSE = 'feed log signature';

/**
 * The newest key, and those that signed before and are still configured. A log is signed with an earlier key until
 * `rotateLogKey` has changed it.
 */
export interface LogSigner extends NoteSigner {
  readonly earlier?: readonly NoteSigner[];
}

/**
 * Loads the keys from files, or derives them from INLAY_SECRET.
 * @throws EnvironmentError if a setting does not name a readable Ed25519 key
 */
export function loadLogSigner(
  { logKeyFile, previousLogKeyFile }: Environment,
  { current, previous = [] }: Pick<Secrets, 'current'> & Partial<Pick<Secrets, 'previous'>>,
): LogSigner {
  const configured = loadKey('INLAY_LOG_KEY_FILE', logKeyFile);
  const before = loadKey('INLAY_LOG_KEY_FILE_PREVIOUS', previousLogKeyFile);
  const derived = [current, ...previous].map((secret) => signerFromSeed(deriveKey(secret, PURPOSE)));
  const [newest, ...others] = [...(configured === undefined ? [] : [configured]), ...derived];
  const earlier = [...(before === undefined ? [] : [before]), ...others];
  return { ...(newest as NoteSigner), earlier };
}

function loadKey(setting: string, file: string | undefined): NoteSigner | undefined {
  if (file === undefined) {
    return undefined;
  }
  try {
    return signerFromKey(createPrivateKey(readFileSync(file)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError(`${setting}: ${reason}`);
  }
}

/** The newest key as the verifier key of one operator's log, in the form of C2SP signed-note. */
export function logVerifierKey(operatorId: string, signer: NoteSigner): string {
  return verifierKey(originOf(operatorId), signer.publicKey);
}

/**
 * The key that the chain of an operator's log has for its newest checkpoint, or, without a chain, the configured key that
 * signed it. It is the newest key if the log has no checkpoint, or if no configured key signed it, so that it does not verify.
 */
export async function currentLogKey(sql: Sql, operatorId: string, signer: LogSigner): Promise<string> {
  const [head, changes] = await Promise.all([findHead(sql, operatorId), listKeyChanges(sql, operatorId)]);
  const changed = changes.findLast(({ size }) => head !== undefined && size < head.size)?.verifierKey;
  const signed = head && findSigner(operatorId, head.note, signer);
  return changed ?? changes[0]?.previousKey ?? logVerifierKey(operatorId, signed ?? signer);
}

/**
 * The key whose signature the checkpoint of that size has, from the chain of the log.
 * @param trusted any key of the log
 * @throws NoteError
 */
export async function logKeyAt(sql: Sql, operatorId: string, trusted: string, size: number): Promise<string> {
  return keyAt(originOf(operatorId), trusted, await listKeyChanges(sql, operatorId), size);
}

/** The configured signer of that verifier key. @throws NoteError if there is none */
export function getSigner(operatorId: string, key: string | null, signer: LogSigner): NoteSigner {
  const found = signersOf(signer).find((one) => logVerifierKey(operatorId, one) === key);
  if (found === undefined) {
    throw new NoteError(
      `the log of ${operatorId} is signed with a key that is not configured; see INLAY_LOG_KEY_FILE_PREVIOUS`,
    );
  }
  return found;
}

/** Which of the configured keys signed a note of an operator's log. */
function findSigner(operatorId: string, note: string, signer: LogSigner): NoteSigner | undefined {
  return signersOf(signer).find((one) => isSignedBy(note, logVerifierKey(operatorId, one)));
}

/** All keys that are configured, the newest first. */
function signersOf(signer: LogSigner): readonly NoteSigner[] {
  return [signer, ...(signer.earlier ?? [])];
}

/** Whether a note has the signature of that verifier key. */
export function isSignedBy(note: string, key: string): boolean {
  try {
    verifyNote(note, key);
    return true;
  } catch (error) {
    if (error instanceof NoteError) {
      return false;
    }
    throw error;
  }
}
