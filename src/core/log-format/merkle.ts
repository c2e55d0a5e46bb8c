/**
 * The Merkle tree of a feed's log (RFC 6962, SHA-256): how an item becomes a leaf, how leaves become a root, and which
 * ranges form the proofs of inclusion and consistency. It stores nothing; `tiles.ts` defines where hashes are stored.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../json.ts';

/**
 * The proof that a leaf is in a tree.
 * @param index index of the leaf, from 0
 * @param size number of leaves of the tree
 * @returns the ranges whose hashes form the proof, in order
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitPoint(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/**
 * The proof that a tree is the beginning of a larger one.
 * @param from number of leaves of the smaller tree, at least 1 and at most `size`
 * @param size number of leaves of the larger tree
 * @returns the ranges whose hashes form the proof, in order
 */
export function consistencyRanges(from: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (from < end) {
    const middle = start + splitPoint(end - start);
    if (from <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  if (start > 0) {
    ranges.push({ start, end });
  }
  return ranges.reverse();
}

/**
 * The root of a log that is read from its beginning. Only the hashes of the complete subtrees are kept, about as many as
 * the size has binary digits.
 */
export interface GrowingRoot {
  /** The number of leaves so far. */
  readonly size: number;
  /** Hashes of the complete subtrees, from left to right (`subtreesOf`). */
  readonly subtrees: readonly Buffer[];
}

export function appendHashes({ size, subtrees }: GrowingRoot, leaves: readonly Buffer[]): GrowingRoot {
  const row = [...subtrees];
  leaves.forEach((leaf, place) => {
    let hash = leaf;
    // each trailing one of the binary size is a subtree as large as the new one
    for (let left = size + place; left % 2 === 1; left = Math.floor(left / 2)) {
      hash = hashNode(row.pop() as Buffer, hash);
    }
    row.push(hash);
  });
  return { size: size + leaves.length, subtrees: row };
}

export function rootOf({ subtrees }: GrowingRoot): Uint8Array {
  return foldSubtrees(subtrees);
}

export type FeedItemJson = JsonObject;

/** A feed item as a leaf of its operator's log: the RFC 8785 form without `cursor` (contract 24.1). */
export function leafText(item: FeedItemJson): string {
  const { cursor: _, ...fact } = item;
  return canonicalize(fact) as string;
}

export function hashItem(item: FeedItemJson): Buffer {
  return hashLeaf(leafText(item));
}

export const HASH_BYTES = 32;

const LEAF_PREFIX = Buffer.of(0);
const NODE_PREFIX = Buffer.of(1);

/** The root of a tree without leaves. */
const EMPTY_ROOT = createHash('sha256').digest();

/** @param entry the bytes of one leaf */
export function hashLeaf(entry: string | Uint8Array): Buffer {
  return createHash('sha256').update(LEAF_PREFIX).update(entry).digest();
}

export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(NODE_PREFIX).update(left).update(right).digest();
}

/** The leaves from `start` (inclusive) to `end` (exclusive). */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** A complete subtree: the 2^height leaves that begin at `index` * 2^height. */
export interface Subtree {
  readonly height: number;
  readonly index: number;
}

/** The complete subtrees that form a range, from left to right. The hash of the range folds them from the right. */
export function subtreesOf({ start, end }: LeafRange): Subtree[] {
  const subtrees: Subtree[] = [];
  let at = start;
  while (at < end) {
    let height = 0;
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= end) {
      height += 1;
    }
    subtrees.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return subtrees;
}

/**
 * The hash of a range that is one node of the tree.
 * @param hashes the hashes of `subtreesOf` the range, in that order
 */
export function foldSubtrees(hashes: readonly Uint8Array[]): Uint8Array {
  const [last, ...rest] = [...hashes].reverse();
  return rest.reduce<Uint8Array>((right, left) => hashNode(left, right), last ?? EMPTY_ROOT);
}

/** The largest power of two below `size`, at which RFC 6962 splits a tree of that size. */
export function splitPoint(size: number): number {
  let half = 1;
  while (half * 2 < size) {
    half *= 2;
  }
  return half;
}
