/**
 * The Merkle tree of RFC 6962 over SHA-256: how leaves and nodes are hashed, and which complete subtrees form a range
 * of leaves. It stores nothing; `tiles.ts` defines where the hashes of complete subtrees are stored.
 */
import { createHash } from 'node:crypto';

export const HASH_BYTES = 32;

const LEAF_PREFIX = Buffer.of(0);
const NODE_PREFIX = Buffer.of(1);

/** The root of a tree without leaves. */
export const EMPTY_ROOT = createHash('sha256').digest();

/** @param entry the bytes of one leaf. */
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
