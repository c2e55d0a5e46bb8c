/** Proofs out of a log: that it holds an item, and that a log of an earlier size is its beginning (contract 24.3). */
import { refuse } from '../../core/errors.ts';
import {
  consistencyRanges,
  foldSubtrees,
  inclusionRanges,
  type LeafRange,
  subtreesOf,
} from '../../core/log-format/merkle.ts';
import { findTile, hashWithin, tileOf } from '../../core/log-format/tiles.ts';
import type { Sql } from '../../db/client.ts';
import { findHead, type LogHead, listTiles } from './feed-log.ts';

/** @throws unknown_checkpoint if nothing of the operator was sealed yet. */
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
 * @param sequence of the item, from 1.
 * @param size of the log that is to hold it; the newest checkpoint's where it is left out.
 * @throws unknown_checkpoint if the log is smaller; invalid_request if `sequence` is beyond `size`.
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

/** @throws unknown_checkpoint if the log is smaller than `size`; invalid_request if `from` is beyond it. */
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

/** The size of the log that the proof is of: the newest one if none is named. It must reach `value`. */
async function sizeWith(sql: Sql, operatorId: string, size: number | undefined, path: string, value: number) {
  const head = await getHead(sql, operatorId);
  const of = size ?? head.size;
  requireSize(of, head);
  if (value > of) {
    throw refuse('invalid_request', `${path} is beyond size ${of}.`, { detail: [{ path }] });
  }
  return of;
}

/** @param first the range that the proof is about; its hash and the root of the whole log are returned with the proof */
async function prove(sql: Sql, operatorId: string, size: number, first: LeafRange, ranges: readonly LeafRange[]) {
  const [hash, root, ...hashes] = await hashRanges(sql, operatorId, [first, { start: 0, end: size }, ...ranges]);
  return { size, first: hash as Uint8Array, root: root as Uint8Array, hashes };
}

/** The root of the log when it had that many items. @throws unknown_checkpoint if the log is smaller. */
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
