/**
 * The root of a log that is read from its beginning: of all leaves so far only the hashes of the complete subtrees are kept, about
 * as many as the size has binary digits.
 */
import { foldSubtrees, hashNode } from './merkle-tree.ts';

export interface GrowingRoot {
  /** Leaves so far. */
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
