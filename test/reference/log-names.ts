/**
 * The log of the recorded feed under the names that were fixed: hashes and signatures depend on every letter of an item, so the
 * checkpoints and proofs of the service are made again over the items as they are shown, by the rules of RFC 6962 and C2SP.
 */
import {
  consistencyRanges,
  hashItem,
  hashNode,
  inclusionRanges,
  type LeafRange,
  splitPoint,
} from '../../src/core/log-format/merkle.ts';
import { type NoteSigner, signCheckpoint, signKeyChange, verifierKey } from '../../src/core/log-format/notes.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { LogKeys } from './books-story.ts';

/** @param items the whole feed @returns what the service answers about the log of these items, for any answer about a log of the same sizes */
export function createLogNames(items: readonly AnyJson[], { first, second }: LogKeys): (answer: AnyJson) => AnyJson {
  const leaves = items.map(hashItem);
  const hashOf = ({ start, end }: LeafRange): Buffer => {
    if (end - start === 1) {
      return leaves[start] as Buffer;
    }
    const middle = start + splitPoint(end - start);
    return hashNode(hashOf({ start, end: middle }), hashOf({ start: middle, end }));
  };
  const rootOf = (size: number) => hashOf({ start: 0, end: size });
  const base64 = (hash: Buffer) => hash.toString('base64');
  let changedAt = Number.POSITIVE_INFINITY;

  const keysOf = (answer: AnyJson) => ({
    ...answer,
    keys: answer.keys.map(({ size }: AnyJson) => {
      changedAt = size;
      return signKeyChange(answer.origin, size, first, second);
    }),
  });
  const checkpointOf = (answer: AnyJson) => {
    const { origin, size } = answer;
    const signer: NoteSigner = size > changedAt ? second : first;
    const root = rootOf(size);
    return {
      ...answer,
      root: base64(root),
      checkpoint: signCheckpoint({ origin, size, root }, signer),
      verifierKey: verifierKey(origin, signer.publicKey),
    };
  };
  const proofOf = (answer: AnyJson) => {
    const { kind, sequence, from, size } = answer;
    const ranges = kind === 'inclusion' ? inclusionRanges(sequence - 1, size) : consistencyRanges(from, size);
    return {
      ...answer,
      ...(kind === 'inclusion'
        ? { leafHash: base64(leaves[sequence - 1] as Buffer) }
        : { fromRoot: base64(rootOf(from)) }),
      root: base64(rootOf(size)),
      proof: ranges.map((range) => base64(hashOf(range))),
    };
  };
  return (answer) => ('keys' in answer ? keysOf : 'checkpoint' in answer ? checkpointOf : proofOf)(answer);
}
