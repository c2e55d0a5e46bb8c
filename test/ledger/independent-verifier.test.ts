/**
 * Checkpoints and proofs, checked by programs that know nothing of us. The verifier of Sigstore's logs, which comes with npm,
 * implements C2SP signed notes and inclusion proofs of RFC 6962; it is skipped where npm has no such part. Consistency proofs are
 * checked by an implementation of RFC 9162, whose tree and proofs are those of RFC 6962.
 */
import { createPublicKey } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { RFC9162 } from '@transmute/rfc9162';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leafText } from '../../src/core/log-format/merkle.ts';
import { readVerifierKey } from '../../src/core/log-format/notes.ts';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { openWorld, type World } from '../support/world.ts';

interface Checkpoint {
  readonly origin: string;
  readonly logSize: bigint;
  readonly logHash: Buffer;
}
interface Sigstore {
  verifyCheckpoint(
    entry: { inclusionProof: { checkpoint: { envelope: string } } },
    logs: readonly { logID: Buffer; baseURL: string; publicKey: ReturnType<typeof createPublicKey> }[],
  ): Checkpoint;
  verifyMerkleInclusion(
    entry: { canonicalizedBody: Buffer; inclusionProof: { logIndex: string; hashes: readonly Buffer[] } },
    checkpoint: Checkpoint,
  ): void;
}

const folder = findVerifier();

/** The npm that runs this test, or the first one of the path. */
function findVerifier(): string | undefined {
  const { npm_execpath: running = '', PATH: path = '' } = process.env;
  return [running, ...path.split(delimiter).map((one) => join(one, 'npm'))]
    .filter((program) => existsSync(program))
    .map((program) => join(dirname(realpathSync(program)), '../node_modules/@sigstore/verify/dist/tlog'))
    .find((found) => ['merkle.js', 'checkpoint.js'].every((file) => existsSync(join(found, file))));
}

function loadVerifier(): Sigstore {
  const load = createRequire(import.meta.url);
  return { ...load(join(folder as string, 'merkle.js')), ...load(join(folder as string, 'checkpoint.js')) };
}

describe.skipIf(folder === undefined)("the verifier of Sigstore's logs (skipped where npm does not have it)", () => {
  let world: World;
  let sigstore: Sigstore;
  beforeAll(async () => {
    sigstore = loadVerifier();
    world = await openWorld();
    const market = await world.openMarket('sigstore');
    for (let index = 0; index < 12; index += 1) {
      await world.buy(market, `user-${index % 3}`);
    }
    const { environment, secrets } = world.context;
    await sealFeeds(world.sql, loadLogSigner(environment, secrets));
  });
  afterAll(() => world.close());

  const get = async (path: string) => (await world.request('GET', `/api/v1/reconciliation/${path}`)).body;
  const readCheckpoint = (envelope: string, verifierKey: string) => {
    const { name, hash, publicKey: bytes } = readVerifierKey(verifierKey);
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const entry = { inclusionProof: { checkpoint: { envelope } } };
    return sigstore.verifyCheckpoint(entry, [{ logID: hash, baseURL: name, publicKey }]);
  };

  // contract 24.2
  test('accepts the signed checkpoint, and no other text under its signature', async () => {
    const { checkpoint, verifierKey, size, root } = await get('checkpoint');
    const read = readCheckpoint(checkpoint, verifierKey);
    expect({ ...read }).toMatchObject({ origin: `inlay/${world.operator.operatorId}`, logSize: BigInt(size) });
    expect(read.logHash.toString('base64')).toBe(root);
    const altered = checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`);
    expect(() => readCheckpoint(altered, verifierKey)).toThrow('invalid checkpoint signature');
  });

  // contract 24.1, contract 24.3
  test('accepts the inclusion proof of every item at several sizes, and of no other item', async () => {
    const { checkpoint, verifierKey, size } = await get('checkpoint');
    const signed = readCheckpoint(checkpoint, verifierKey);
    const { items } = await get('feed?limit=500');
    for (const item of items) {
      const canonicalizedBody = Buffer.from(leafText(item));
      for (const of of [size, Math.max(item.sequence, Math.floor(size / 2))]) {
        const { proof, root } = await get(`proof?sequence=${item.sequence}&size=${of}`);
        const tree = { ...signed, logSize: BigInt(of), logHash: Buffer.from(root, 'base64') };
        const hashes = proof.map((text: string) => Buffer.from(text, 'base64'));
        const inclusionProof = { logIndex: `${item.sequence - 1}`, hashes };
        sigstore.verifyMerkleInclusion({ canonicalizedBody, inclusionProof }, of === size ? signed : tree);
        const other = Buffer.from(leafText({ ...item, occurredAt: '2001-01-01T00:00:00.000Z' }));
        const forged = { canonicalizedBody: other, inclusionProof };
        expect(() => sigstore.verifyMerkleInclusion(forged, tree)).toThrow('does not match');
      }
    }
    expect(items.length).toBeGreaterThan(40);
  });
});

describe('an implementation of RFC 9162 from npm', () => {
  let world: World;
  let size: number;
  beforeAll(async () => {
    world = await openWorld();
    const market = await world.openMarket('rfc-9162');
    for (let index = 0; index < 40; index += 1) {
      await world.buy(market, `user-${index % 3}`);
    }
    const { environment, secrets } = world.context;
    await sealFeeds(world.sql, loadLogSigner(environment, secrets));
    size = (await get('checkpoint')).size;
  });
  afterAll(() => world.close());

  const get = async (path: string) => (await world.request('GET', `/api/v1/reconciliation/${path}`)).body;
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
  const isPowerOf2 = (n: number) => (n & (n - 1)) === 0;

  /** It leaves out step 2 of RFC 9162, 2.1.4.2: the proof of a size that is a power of two begins with the first root. */
  function accepts(first: number, second: number, fromRoot: Uint8Array, root: Uint8Array, proof: Uint8Array[]) {
    const consistency_path = isPowerOf2(first) ? [fromRoot, ...proof] : proof;
    const sizes = { log_id: '', tree_size_1: first, tree_size_2: second };
    return RFC9162.verifyConsistencyProof(fromRoot, root, { ...sizes, consistency_path });
  }

  // contract 24.3
  test('accepts the consistency proofs of many pairs of sizes, and none with another root or hash', async () => {
    expect(size).toBeGreaterThan(150);
    const sizes = [1, 2, 3, 4, 7, 8, 50, 63, 64, 65, 96, 127, 128, 129, size - 1, size];
    let checked = 0;
    for (const [at, first] of sizes.entries()) {
      for (const second of sizes.slice(at + 1).filter((_, n) => n % 3 === at % 3)) {
        const answer = await get(`proof?from=${first}&size=${second}`);
        const [fromRoot, root] = [bytes(answer.fromRoot), bytes(answer.root)];
        const proof: Uint8Array[] = answer.proof.map(bytes);
        expect([first, second, await accepts(first, second, fromRoot, root, proof)]).toEqual([first, second, true]);
        const other = new Uint8Array(32);
        expect(await accepts(first, second, other, root, proof)).toBe(false);
        expect(await accepts(first, second, fromRoot, other, proof)).toBe(false);
        expect(await accepts(first, second, fromRoot, root, [...proof.slice(0, -1), other])).toBe(false);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(30);
  });
});
