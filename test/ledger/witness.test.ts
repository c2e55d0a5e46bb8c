/** Witnesses of a log: cosignatures that are checked and kept, and a command that refuses to sign a second past. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cosignCheckpoint, verifyCosignature, witnessKey } from '../../src/core/transparency-log/cosignature.ts';
import { NoteError, signerFromKey, verifyNote } from '../../src/core/transparency-log/signed-note.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { startWorld, type World } from '../reconciliation/world.ts';
import type { TestMarket } from '../support/market.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';

const AT = new Date('2026-11-22T10:00:00Z');
const keyPair = () => signerFromKey(generateKeyPairSync('ed25519').privateKey);

let world: World;
let market: TestMarket;
let run: RunCommand;
let folder: string;

beforeAll(async () => {
  world = await startWorld();
  market = await world.market('witness');
  run = await commandRunner({
    INLAY_API_URL: world.service.url,
    INLAY_API_KEY: world.service.key,
    XDG_CONFIG_HOME: '/nonexistent',
  });
  folder = await mkdtemp(join(tmpdir(), 'inlay-witness-'));
  await trade();
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

async function trade(): Promise<void> {
  await world.buy(market, 'ana');
  await seal();
}

async function seal(): Promise<void> {
  const { environment, secrets } = world.service.context;
  await sealFeeds(world.service.sql, loadLogSigner(environment, secrets));
}

const newest = async () => (await world.service.request('GET', '/api/v1/reconciliation/checkpoint')).body;
const send = (verifierKey: string, checkpoint: string) =>
  world.service.request('POST', '/api/v1/reconciliation/witness', { body: { verifierKey, checkpoint } });

describe('a cosignature', () => {
  test('is over the time and the checkpoint, and names its witness', async () => {
    const signer = keyPair();
    const key = witnessKey('w.example', signer.publicKey);
    const { checkpoint, verifierKey } = await newest();
    const note = cosignCheckpoint(checkpoint, 'w.example', signer, AT);
    expect(verifyCosignature(note, key)).toEqual({ witness: 'w.example', cosignedAt: AT, note });
    const changed = note.replace(/^(inlay\/.*\n)(\d+)/, (_, origin, size) => `${origin}${Number(size) + 1}`);
    expect(() => verifyCosignature(changed, key)).toThrow(NoteError);
    expect(() => verifyCosignature(note, witnessKey('w.example', keyPair().publicKey))).toThrow(NoteError);
    expect(() => verifyCosignature(note, verifierKey)).toThrow('not the key of a witness');
    // a key of a witness signs no notes
    expect(() => verifyNote(note, key)).toThrow(NoteError);
  });
});

describe('POST /reconciliation/witness', () => {
  const signer = keyPair();
  const key = witnessKey('auditor', signer.publicKey);

  test('keeps the newest checkpoint of a witness and shows it', async () => {
    const first = await newest();
    expect(first.witnesses).toEqual([]);
    const cosigned = cosignCheckpoint(first.checkpoint, 'auditor', signer, AT);
    const kept = await send(key, cosigned);
    expect([kept.status, kept.body]).toEqual([
      200,
      { witness: 'auditor', verifierKey: key, size: first.size, checkpoint: cosigned, cosignedAt: AT.toISOString() },
    ]);
    await trade();
    const second = await newest();
    expect(second.witnesses).toEqual([kept.body]);
    const again = await send(key, cosignCheckpoint(second.checkpoint, 'auditor', signer, AT));
    expect(again.body.size).toBe(second.size);
    // an older one does not take its place
    expect((await send(key, cosigned)).body).toEqual(again.body);
  });

  test('refuses what proves nothing', async () => {
    const { checkpoint, size } = await newest();
    const refusals = {
      'signed by another': cosignCheckpoint(checkpoint, 'auditor', keyPair(), AT),
      'without the signature of the witness': checkpoint,
      'of another log': cosignCheckpoint(checkpoint.replace(world.operatorId, 'op_other'), 'auditor', signer, AT),
      'with another root': cosignCheckpoint(
        checkpoint.replace(/\n[A-Za-z0-9+/]{43}=\n/, `\n${Buffer.alloc(32, 7).toString('base64')}\n`),
        'auditor',
        signer,
        AT,
      ),
    };
    for (const [what, note] of Object.entries(refusals)) {
      const { status, body } = await send(key, note);
      expect([what, status, body.error]).toEqual([what, 400, 'invalid_request']);
    }
    const ahead = cosignCheckpoint(checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`), 'auditor', signer, AT);
    expect([(await send(key, ahead)).status, (await send(key, ahead)).body.error]).toEqual([404, 'unknown_checkpoint']);
    const thief = keyPair();
    const stolen = await send(
      witnessKey('auditor', thief.publicKey),
      cosignCheckpoint(checkpoint, 'auditor', thief, AT),
    );
    expect([stolen.status, stolen.body.message]).toEqual([400, expect.stringContaining('another key')]);
    expect((await send('nonsense', 'nonsense')).status).toBe(400);
  });
});

describe('inlay feed witness', () => {
  const witness = (...flags: string[]) =>
    run('feed', 'witness', '--key-file', join(folder, 'key.pem'), '--state', join(folder, 'state'), '--json', ...flags);

  test('makes its key, cosigns, and cosigns what continues it', async () => {
    const first = await witness();
    expect([first.exitCode, first.json]).toMatchObject([0, { ok: true, witness: 'witness', fault: null }]);
    expect((await stat(join(folder, 'key.pem'))).mode & 0o777).toBe(0o600);
    expect((await witness()).json).toEqual(first.json);
    await trade();
    const second = await witness();
    expect(second.json.size).toBeGreaterThan(first.json.size);
    const { witnesses } = await newest();
    expect(witnesses).toContainEqual(expect.objectContaining({ witness: 'witness', size: second.json.size }));
  });

  test('what is no key or no state is wrong usage', async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'nothing');
    expect((await run('feed', 'witness', '--key-file', other, '--state', join(folder, 'none'))).exitCode).toBe(2);
    expect((await witness('--state', other)).exitCode).toBe(2);
  });

  test('never signs a second past: items, tiles and checkpoint rewritten together', async () => {
    await witness();
    const before = await readFile(join(folder, 'state'), 'utf8');
    await world.damage(`
      update feed_item_rows set detail = replace(detail::text, 'YES', 'NO')::json where position = 2;
      delete from feed_log_tiles;
      delete from feed_log_heads;`);
    await trade();
    const refused = await witness();
    expect([refused.exitCode, refused.json.ok, refused.json.fault]).toEqual([
      5,
      false,
      expect.stringContaining('are not those of the last checkpoint'),
    ]);
    expect(await readFile(join(folder, 'state'), 'utf8')).toBe(before);
  });
});
