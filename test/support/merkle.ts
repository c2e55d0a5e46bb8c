/** How somebody who has only leaves and a proof checks the log, as RFC 9162 writes it down: the counterpart of what the service makes. */
import { foldSubtrees, hashNode } from '../../src/core/log-format/merkle.ts';

/** The root of a tree of which all leaf hashes are known. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  let row: readonly Uint8Array[] = leaves;
  const peaks: Uint8Array[] = [];
  while (row.length > 0) {
    if (row.length % 2 === 1) {
      peaks.push(row[row.length - 1] as Uint8Array);
    }
    const above: Uint8Array[] = [];
    for (let at = 0; at + 1 < row.length; at += 2) {
      above.push(hashNode(row[at] as Uint8Array, row[at + 1] as Uint8Array));
    }
    row = above;
  }
  return foldSubtrees(peaks.reverse());
}

/**
 * Whether `proof` shows that the leaf has index `index` in the tree with `size` leaves and that root (RFC 9162,
 * 2.1.3.2).
 */
export function provesInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (index < 0 || index >= size) {
    return false;
  }
  let [node, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) {
      return false;
    }
    if (node % 2 === 1 || node === last) {
      hash = hashNode(sibling, hash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = hashNode(hash, sibling);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && Buffer.compare(hash, root) === 0;
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
