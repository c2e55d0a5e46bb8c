/**
 * Shows the proofs of a log: that it holds an item, that a smaller log is its beginning (contract 24.3), and that the feed of today is the
 * one in the signed log. It changes nothing.
 */
import { refuse } from '../../core/errors.ts';
import {
  consistencyRanges,
  foldSubtrees,
  hashItem,
  inclusionRanges,
  type LeafRange,
  subtreesOf,
} from '../../core/log-format/merkle.ts';
import { NoteError, originOf, readCheckpoint, verifyCheckpoint } from '../../core/log-format/notes.ts';
import { type LogFault, type ReplayedItem, replayLog, type StoredTile } from '../../core/log-format/replay-log.ts';
import { findTile, hashWithin, tileOf } from '../../core/log-format/tiles.ts';
import type { Sql } from '../../db/client.ts';
import { countFeed, findHead, type LogHead, listItems, listLevel, listTiles } from './log-store.ts';
import { isSignedBy, logKeyAt } from './sign-log.ts';

/** @throws unknown_checkpoint if the operator's log has no checkpoint yet */
export async function getHead(sql: Sql, operatorId: string): Promise<LogHead> {
  const head = await findHead(sql, operatorId);
  if (head === undefined) {
    throw refuse('unknown_checkpoint');
  }
  return head;
}

export interface InclusionProof {
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly root: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

/**
 * Proves that the log holds an item.
 * @param sequence the number of the item, from 1
 * @param size the size of the log that holds it; by default that of the newest checkpoint
 * @throws unknown_checkpoint if the log is smaller; invalid_request if `sequence` is beyond `size`
 */
export async function proveInclusion(
  sql: Sql,
  operatorId: string,
  sequence: number,
  size: number | undefined,
): Promise<InclusionProof> {
  const of = await sizeWith(sql, operatorId, size, 'sequence', sequence);
  const leaf = { start: sequence - 1, end: sequence };
  const { first, ...proof } = await prove(sql, operatorId, of, leaf, inclusionRanges(sequence - 1, of));
  return { ...proof, leafHash: first };
}

export interface ConsistencyProof {
  readonly size: number;
  readonly fromRoot: Uint8Array;
  readonly root: Uint8Array;
  readonly hashes: readonly Uint8Array[];
}

/**
 * Proves that the log of `from` items is the beginning of the log of `size` items.
 * @throws unknown_checkpoint if the log is smaller than `size`; invalid_request if `from` is beyond it
 */
export async function proveConsistency(
  sql: Sql,
  operatorId: string,
  from: number,
  size: number | undefined,
): Promise<ConsistencyProof> {
  const of = await sizeWith(sql, operatorId, size, 'from', from);
  const { first, ...proof } = await prove(sql, operatorId, of, { start: 0, end: from }, consistencyRanges(from, of));
  return { ...proof, fromRoot: first };
}

/** The size of the log to prove against, by default the newest one. It must reach `value`. */
async function sizeWith(sql: Sql, operatorId: string, size: number | undefined, path: string, value: number) {
  const head = await getHead(sql, operatorId);
  const of = size ?? head.size;
  requireSize(of, head);
  if (value > of) {
    throw refuse('invalid_request', `${path} is beyond size ${of}.`, { detail: [{ path }] });
  }
  return of;
}

/** @param first the range that is proven. Its hash and the root of the whole log are returned with the proof. */
async function prove(sql: Sql, operatorId: string, size: number, first: LeafRange, ranges: readonly LeafRange[]) {
  const [hash, root, ...hashes] = await hashRanges(sql, operatorId, [first, { start: 0, end: size }, ...ranges]);
  return { size, first: hash as Uint8Array, root: root as Uint8Array, hashes };
}

/**
 * The root of the log when it had that many items.
 * @throws unknown_checkpoint if the log is smaller
 */
export async function rootAt(sql: Sql, operatorId: string, size: number): Promise<Uint8Array> {
  requireSize(size, await getHead(sql, operatorId));
  const [root] = await hashRanges(sql, operatorId, [{ start: 0, end: size }]);
  return root as Uint8Array;
}

function requireSize(size: number, head: LogHead): void {
  if (size > head.size) {
    throw refuse('unknown_checkpoint', `The newest checkpoint is of ${head.size} items.`, { size: head.size });
  }
}

/** The hash of each range, from tiles that are read in one statement. */
async function hashRanges(sql: Sql, operatorId: string, ranges: readonly LeafRange[]): Promise<Uint8Array[]> {
  const parts = ranges.map(subtreesOf);
  const names = new Map(parts.flat().map((subtree) => [JSON.stringify(tileOf(subtree)), tileOf(subtree)]));
  const tiles = await listTiles(sql, operatorId, [...names.values()]);
  return parts.map((subtrees) =>
    foldSubtrees(
      subtrees.map((subtree) => {
        const name = tileOf(subtree);
        const tile = findTile(tiles, name);
        if (tile === undefined) {
          throw new Error(`tile ${name.level}/${name.index} of the log of ${operatorId} is missing`);
        }
        return hashWithin(tile, subtree);
      }),
    ),
  );
}

export interface FeedVerdict {
  readonly operatorId: string;
  readonly ok: boolean;
  /** Items that the newest checkpoint covers. */
  readonly size: number;
  readonly fault: LogFault | null;
}

/**
 * Compares an operator's feed with its log: every item, every tile, and the signature of the newest checkpoint. Items that
 * wait for the log must all be there.
 * @param key a verifier key of the log; the keys before and after it follow from the log
 * @param expected an earlier or outside checkpoint to compare the feed with, instead of the stored one
 */
export async function verifyFeed(sql: Sql, operatorId: string, key: string, expected?: string): Promise<FeedVerdict> {
  const head = await findHead(sql, operatorId);
  const note = expected ?? head?.note;
  if (note === undefined) {
    const fault = await checkRest(sql, operatorId, 0);
    return { operatorId, ok: fault === null, size: 0, fault };
  }
  const { size } = readCheckpoint(note);
  const fault =
    (await checkNote(sql, note, operatorId, key)) ??
    checkHead(head, size) ??
    (await replay(sql, operatorId, note)) ??
    (await checkRest(sql, operatorId, head?.size ?? 0));
  return { operatorId, ok: fault === null, size, fault };
}

async function checkNote(sql: Sql, note: string, operatorId: string, key: string): Promise<LogFault | null> {
  try {
    const signing = await logKeyAt(sql, operatorId, key, readCheckpoint(note).size);
    const { origin } = verifyCheckpoint(note, signing);
    return origin === originOf(operatorId) ? null : faultOf(`the checkpoint is of ${origin}`);
  } catch (error) {
    if (error instanceof NoteError) {
      return faultOf(`the checkpoint is not signed as it should be: ${error.message}`);
    }
    throw error;
  }
}

/** The stored head must agree with its note. */
function checkHead(head: LogHead | undefined, size: number): LogFault | null {
  if (head === undefined || head.size < size) {
    return faultOf(`the log ends at item ${head?.size ?? 0}, before the checkpoint of ${size} items`);
  }
  const signed = readCheckpoint(head.note);
  if (signed.size !== head.size || !signed.root.equals(head.root)) {
    return faultOf('the stored size and root are not those of the newest checkpoint');
  }
  if (!isSignedBy(head.note, head.verifierKey)) {
    return faultOf('the stored key does not verify the newest checkpoint');
  }
  return null;
}

async function replay(sql: Sql, operatorId: string, note: string): Promise<LogFault | null> {
  try {
    return await replayLog(items(sql, operatorId), readCheckpoint(note), storedTiles(sql, operatorId));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return faultOf(`an item is not the JSON that was appended to the log: ${error.message}`);
    }
    throw error;
  }
}

/** Items that are counted and not in the log yet: behind one that is missing, the log would never grow again. */
async function checkRest(sql: Sql, operatorId: string, size: number): Promise<LogFault | null> {
  const counted = await countFeed(sql, operatorId);
  let last = size;
  for await (const { sequence } of items(sql, operatorId, size)) {
    if (sequence !== last + 1) {
      break;
    }
    last = sequence;
  }
  const reason = `the item is missing, although ${counted} are counted`;
  return last < counted ? { sequence: last + 1, itemId: null, reason } : null;
}

const PAGE = 2_000;

async function* items(sql: Sql, operatorId: string, from = 0): AsyncIterable<ReplayedItem> {
  let after = from;
  for (;;) {
    const page = await listItems(sql, operatorId, after, PAGE);
    for (const item of page) {
      yield { sequence: Number(item['sequence']), itemId: String(item['id']), hash: hashItem(item) };
    }
    if (page.length < PAGE) {
      return;
    }
    after = Number(page[page.length - 1]?.['sequence']);
  }
}

const TILES_AHEAD = 64;

/** Tiles of level 0 are read ahead, the few above them one by one. */
function storedTiles(sql: Sql, operatorId: string): StoredTile {
  let ahead = new Map<number, Buffer>();
  return async ({ level, index }) => {
    if (level > 0) {
      const [tile] = await listTiles(sql, operatorId, [{ level, index }]);
      return tile?.hashes ?? Buffer.alloc(0);
    }
    if (!ahead.has(index)) {
      const tiles = await listLevel(sql, operatorId, 0, index, TILES_AHEAD);
      ahead = new Map(tiles.map((tile) => [tile.index, tile.hashes]));
    }
    return ahead.get(index) ?? Buffer.alloc(0);
  };
}

function faultOf(reason: string): LogFault {
  return { sequence: null, itemId: null, reason };
}
