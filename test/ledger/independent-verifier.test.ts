/**
 * Checkpoints and inclusion proofs, checked by the verifier of Sigstore's logs, which comes with npm and knows nothing of us: it
 * implements C2SP signed notes and RFC 6962 on its own. It checks no consistency proofs. Skipped where npm has no such part.
 */
import { createPublicKey } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leafText } from '../../src/core/transparency-log/feed-leaf.ts';
import { readVerifierKey } from '../../src/core/transparency-log/signed-note.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { startWorld, type World } from '../reconciliation/world.ts';

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
    world = await startWorld();
    const market = await world.market('sigstore');
    for (let index = 0; index < 12; index += 1) {
      await world.buy(market, `user-${index % 3}`);
    }
    const { environment, secrets } = world.service.context;
    await sealFeeds(world.service.sql, loadLogSigner(environment, secrets));
  });
  afterAll(() => world.close());

  const get = async (path: string) => (await world.service.request('GET', `/api/v1/reconciliation/${path}`)).body;
  const readCheckpoint = (envelope: string, verifierKey: string) => {
    const { name, hash, publicKey: bytes } = readVerifierKey(verifierKey);
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const entry = { inclusionProof: { checkpoint: { envelope } } };
    return sigstore.verifyCheckpoint(entry, [{ logID: hash, baseURL: name, publicKey }]);
  };

  test('accepts the signed checkpoint, and no other text under its signature', async () => {
    const { checkpoint, verifierKey, size, root } = await get('checkpoint');
    const read = readCheckpoint(checkpoint, verifierKey);
    expect({ ...read }).toMatchObject({ origin: `inlay/${world.operatorId}`, logSize: BigInt(size) });
    expect(read.logHash.toString('base64')).toBe(root);
    const altered = checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`);
    expect(() => readCheckpoint(altered, verifierKey)).toThrow('invalid checkpoint signature');
  });

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
