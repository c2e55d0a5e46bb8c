/**
 * Proofs of RFC 6962: that a leaf is in a tree (inclusion), and that a tree is the beginning of a larger one
 * (consistency). This file names the ranges whose hashes a proof consists of.
 */
import { type LeafRange, splitPoint } from './merkle-tree.ts';

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
