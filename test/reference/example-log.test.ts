/** The checkpoints, keys and proofs among the examples are those of the feed among the examples: a reader can verify them offline. */
import { beforeAll, expect, test } from 'vitest';
import {
  appendHashes,
  consistencyRanges,
  hashItem,
  hashNode,
  inclusionRanges,
  rootOf,
} from '../../src/core/log-format/merkle.ts';
import { type KeyChange, keyAt, verifyCheckpoint } from '../../src/core/log-format/notes.ts';
import type { AnyJson } from '../support/any-json.ts';
import { answersOf, readExamples } from './examples.ts';
import type { Examples } from './recording.ts';

let examples: Examples;
let items: AnyJson[];
beforeAll(() => {
  examples = readExamples();
  items = answersOf(examples, 'readReconciliationFeed')[0]?.body.items;
});

const bytes = (base64: string) => Buffer.from(base64, 'base64');

test('the first checkpoint covers the feed that is shown, and is signed with the first key', () => {
  const [checkpoint] = answersOf(examples, 'getFeedCheckpoint').map(({ body }) => body);
  const root = Buffer.from(rootOf(appendHashes({ size: 0, subtrees: [] }, items.map(hashItem))));
  expect(checkpoint).toMatchObject({ size: items.length, root: root.toString('base64') });
  expect(verifyCheckpoint(checkpoint.checkpoint, checkpoint.verifierKey)).toEqual({
    origin: checkpoint.origin,
    size: items.length,
    root,
  });
});

test('the second checkpoint is signed with the key to which the chain leads', () => {
  const [first, second] = answersOf(examples, 'getFeedCheckpoint').map(({ body }) => body);
  const keys = answersOf(examples, 'listLogKeys').at(-1)?.body.keys as KeyChange[];
  const key = keyAt(first.origin, first.verifierKey, keys, second.size);
  expect(key).toBe(second.verifierKey);
  expect(verifyCheckpoint(second.checkpoint, key).root).toEqual(bytes(second.root));
});

test('the proofs prove what they say', () => {
  const [inclusion, consistency] = answersOf(examples, 'getFeedProof').map(({ body }) => body);
  const { sequence, size, leafHash, root, proof } = inclusion;
  expect(leafHash).toBe(hashItem(items[sequence - 1]).toString('base64'));
  const ranges = inclusionRanges(sequence - 1, size);
  expect(proof).toHaveLength(ranges.length);
  const computed = ranges.reduce<Buffer>((hash, { start }, place) => {
    const other = bytes(proof[place]);
    return start > sequence - 1 ? hashNode(hash, other) : hashNode(other, hash);
  }, bytes(leafHash));
  expect(computed.toString('base64')).toBe(root);
  expect(consistency.proof).toHaveLength(consistencyRanges(consistency.from, consistency.size).length);
  expect(consistency.fromRoot).toBe(root);
});
