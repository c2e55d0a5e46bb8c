/**
 * Proofs of RFC 6962: that a leaf is in a tree (inclusion), and that a tree is the beginning of a larger one
 * (consistency). To make a proof, this file names the ranges whose hashes it consists of. A witness checks that of consistency.
 */
import { hashNode, type LeafRange, splitPoint } from './merkle-tree.ts';

/**
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

/** @param from number of leaves of the smaller tree, at least 1 and at most `size` */
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
 * Whether `proof` shows that the tree with `from` leaves is the beginning of the tree with `size` leaves (RFC 9162,
 * 2.1.4.2).
 */
export function provesConsistency(
  from: number,
  size: number,
  fromRoot: Uint8Array,
  root: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (from === size) {
    return proof.length === 0 && Buffer.compare(fromRoot, root) === 0;
  }
  if (from < 1 || from > size || proof.length === 0) {
    return false;
  }
  const path = isPowerOfTwo(from) ? [fromRoot, ...proof] : [...proof];
  let [node, last] = [from - 1, size - 1];
  while (node % 2 === 1) {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  const [first = fromRoot, ...rest] = path;
  let [smaller, larger] = [first, first];
  for (const sibling of rest) {
    if (last === 0) {
      return false;
    }
    if (node % 2 === 1 || node === last) {
      smaller = hashNode(sibling, smaller);
      larger = hashNode(sibling, larger);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      larger = hashNode(larger, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && Buffer.compare(smaller, fromRoot) === 0 && Buffer.compare(larger, root) === 0;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
