/** The log's arithmetic against independent statements of it: RFC 6962's recursive definitions, its test vectors, and Go's notes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  consistencyRanges,
  foldSubtrees,
  hashLeaf,
  hashNode,
  inclusionRanges,
  type LeafRange,
  leafText,
  splitPoint,
  subtreesOf,
} from '../../src/core/log-format/merkle.ts';
import {
  NoteError,
  readCheckpoint,
  signCheckpoint,
  signerFromSeed,
  signNote,
  verifierKey,
  verifyCheckpoint,
  verifyNote,
} from '../../src/core/log-format/notes.ts';
import {
  appendLeaves,
  findTile,
  hashWithin,
  listOpenTiles,
  rootOfTiles,
  type Tile,
  tileOf,
} from '../../src/core/log-format/tiles.ts';
import { provesConsistency, provesInclusion, rootOf } from '../support/merkle.ts';
import { hasPython } from '../support/python-operator.ts';

const leaf = (n: number) => hashLeaf(`item ${n}`);
const leavesOf = (size: number) => Array.from({ length: size }, (_, n) => leaf(n));

/** MTH(D[n]) as RFC 6962 2.1 defines it. */
function definedRoot(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) {
    return createHash('sha256').digest();
  }
  if (leaves.length === 1) {
    return leaves[0] as Buffer;
  }
  const k = splitPoint(leaves.length);
  return hashNode(definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)));
}

/** Stored tiles, grown in steps as a worker does. */
function grow(steps: readonly number[]): { size: number; tiles: Map<string, Tile> } {
  const tiles = new Map<string, Tile>();
  let size = 0;
  for (const step of steps) {
    const open = listOpenTiles(size).map(({ level, index }) => tiles.get(`${level}/${index}`) as Tile);
    for (const tile of appendLeaves(
      size,
      open,
      Array.from({ length: step }, (_, n) => leaf(size + n)),
    )) {
      tiles.set(`${tile.level}/${tile.index}`, tile);
    }
    size += step;
  }
  return { size, tiles };
}

const hashOf = (tiles: Map<string, Tile>, range: LeafRange) =>
  foldSubtrees(
    subtreesOf(range).map((subtree) => {
      const { level, index } = tileOf(subtree);
      return hashWithin(tiles.get(`${level}/${index}`) as Tile, subtree);
    }),
  );

describe('the tree', () => {
  // contract 24.1
  test('has the roots of the reference vectors of RFC 6962 implementations', () => {
    // certificate-transparency-go, merkletree tests: the roots over these eight entries
    const entries = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    const hashes = entries.map((hex) => hashLeaf(Buffer.from(hex, 'hex')));
    expect(roots.map((_, n) => Buffer.from(rootOf(hashes.slice(0, n + 1))).toString('hex'))).toEqual(roots);
  });

  test('is the same whether it is computed whole or grown in tiles, in any steps', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 }), (steps) => {
        const { size, tiles } = grow(steps);
        const open = listOpenTiles(size).map(({ level, index }) => tiles.get(`${level}/${index}`) as Tile);
        const root = definedRoot(leavesOf(size)).toString('hex');
        expect(Buffer.from(rootOfTiles(size, open)).toString('hex')).toBe(root);
        expect(Buffer.from(rootOf(leavesOf(size))).toString('hex')).toBe(root);
      }),
      { numRuns: 40 },
    );
  });

  test('keeps 256 hashes to a tile, and a second level above full ones', () => {
    const { tiles } = grow([100, 66_000]);
    expect(listOpenTiles(66_100).map(({ level, index, width }) => [level, index, width])).toEqual([
      [0, 258, 52],
      [1, 1, 2],
      [2, 0, 1],
    ]);
    expect(findTile([...tiles.values()], { level: 1, index: 0 })?.hashes.length).toBe(256 * 32);
  });
});

describe('proofs', () => {
  test('of inclusion and consistency hold for every tree of up to 70 leaves, and for no other leaf or root', {
    tags: 'proof',
  }, () => {
    const { tiles } = grow([70]);
    for (let size = 1; size <= 70; size += 1) {
      const root = definedRoot(leavesOf(size));
      for (let index = 0; index < size; index += 1) {
        const proof = inclusionRanges(index, size).map((range) => hashOf(tiles, range));
        expect(provesInclusion(leaf(index), index, size, proof, root)).toBe(true);
        expect(provesInclusion(leaf(index + 1), index, size, proof, root)).toBe(false);
      }
      for (let from = 1; from <= size; from += 1) {
        const proof = consistencyRanges(from, size).map((range) => hashOf(tiles, range));
        const fromRoot = definedRoot(leavesOf(from));
        expect(provesConsistency(from, size, fromRoot, root, proof)).toBe(true);
        if (from < size) {
          const forged = definedRoot([leaf(999), ...leavesOf(size).slice(1)]);
          expect(provesConsistency(from, size, fromRoot, forged, proof)).toBe(false);
        }
      }
    }
  });

  test.skipIf(!hasPython)('of consistency are judged the same by the operator in Python', () => {
    const { tiles } = grow([40]);
    const base64 = (hash: Uint8Array) => Buffer.from(hash).toString('base64');
    const judged = [];
    for (let size = 2; size <= 40; size += 1) {
      for (let from = 1; from < size; from += 1) {
        const proof = consistencyRanges(from, size).map((range) => base64(hashOf(tiles, range)));
        const [old, now] = [base64(definedRoot(leavesOf(from))), base64(definedRoot(leavesOf(size)))];
        const rewritten = base64(definedRoot([leaf(999), ...leavesOf(size).slice(1)]));
        judged.push([from, old, size, now, proof, true], [from, old, size, rewritten, proof, false]);
        judged.push([from, rewritten, size, now, proof, false], [from, old, size, now, proof.slice(1), false]);
      }
    }
    const program = `import json, sys
from log import continues, decode
print([n for n, (a, b, c, d, e, due) in enumerate(json.load(sys.stdin)) if continues(a, decode(b), c, decode(d), [decode(x) for x in e]) != due])`;
    const ran = spawnSync('python3', ['-B', '-c', program], {
      cwd: new URL('../../fixtures/operator-python', import.meta.url),
      input: JSON.stringify(judged),
      encoding: 'utf8',
    });
    expect([ran.stdout, ran.stderr]).toEqual(['[]\n', '']);
  });

  test('hold in large trees that were grown in tiles', () => {
    const { size, tiles } = grow([1, 255, 300, 66_000]);
    const root = rootOf(leavesOf(size));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: size - 1 }), (index) => {
        const proof = inclusionRanges(index, size).map((range) => hashOf(tiles, range));
        expect(provesInclusion(leaf(index), index, size, proof, root)).toBe(true);
        expect(provesInclusion(leaf(index), index, size, proof.slice(1), root)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the text of a leaf', () => {
  test('is that of the example of RFC 8785, key order by UTF-16 units included, without the cursor', () => {
    const example = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(leafText({ ...example, cursor: 'c1' })).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const keys = JSON.parse('{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}');
    expect(Object.values(JSON.parse(leafText(keys)))).toEqual([4, 2, 6, 7, 1, 5, 3]);
  });

  test('is one for one value, however it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (fact) => {
        const text = leafText({ fact } as never);
        expect(leafText(JSON.parse(JSON.stringify({ fact }, null, 3)))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ fact })));
      }),
    );
    expect(() => leafText({ fact: Number.NaN })).toThrow('NaN');
  });
});

describe('signed notes and checkpoints', () => {
  const signer = signerFromSeed(Buffer.alloc(32, 7));
  const key = verifierKey('inlay/op_1', signer.publicKey);

  test('opens the note of the reference implementation', () => {
    // golang.org/x/mod/sumdb/note, package documentation
    const go = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const text = `If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n`;
    const note = `${text}\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
    expect(verifyNote(note, go)).toBe(text);
    expect(() => verifyNote(note.replace('answer', 'anther'), go)).toThrow(NoteError);
  });

  // contract 24.2
  test('says origin, size and root, and refuses any change of them and any other key', async () => {
    const checkpoint = { origin: 'inlay/op_1', size: 12, root: Buffer.from(rootOf(leavesOf(12))) };
    const note = signCheckpoint(checkpoint, signer);
    expect(verifyCheckpoint(note, key)).toEqual(checkpoint);
    expect(readCheckpoint(note)).toEqual(checkpoint);
    const other = verifierKey('inlay/op_1', signerFromSeed(Buffer.alloc(32, 8)).publicKey);
    expect(() => verifyCheckpoint(note, other)).toThrow(NoteError);
    for (const changed of [note.replace('\n12\n', '\n13\n'), note.replaceAll('op_1', 'op_2'), note.slice(0, -3)]) {
      expect(() => verifyCheckpoint(changed, key)).toThrow(NoteError);
    }
    const foreign = signNote('no checkpoint\n', 'inlay/op_1', signer);
    expect(() => verifyCheckpoint(foreign, key)).toThrow(NoteError);
  });
});
