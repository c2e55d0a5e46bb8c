/** Witnesses of a log: cosignatures that are checked and kept, and a command that refuses to sign a second past. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cosignCheckpoint,
  NoteError,
  signerFromKey,
  verifyCosignature,
  verifyNote,
  witnessKey,
} from '../../src/core/log-format/notes.ts';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

/** A cosignature has whole seconds. */
const AT = new Date(Math.floor(Date.now() / 1000) * 1000);
const keyPair = () => signerFromKey(generateKeyPairSync('ed25519').privateKey);

let world: World;
let market: TestMarket;
let run: RunCommand;
let folder: string;

beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('witness');
  run = await world.commands();
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
  const { environment, secrets } = world.context;
  await sealFeeds(world.sql, loadLogSigner(environment, secrets));
}

const newest = async () => (await world.request('GET', '/api/v1/reconciliation/checkpoint')).body;
const send = (verifierKey: string, checkpoint: string) =>
  world.request('POST', '/api/v1/reconciliation/witness', { body: { verifierKey, checkpoint } });

const bind = (name: string, key: string) => run('ledger/witness', 'add', name, key, '--operator', 'demo', '--json');
const unbind = (name: string) => run('ledger/witness', 'remove', name, '--operator', 'demo', '--yes', '--json');

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
    const bound = await bind('auditor', key);
    expect([bound.exitCode, bound.json]).toMatchObject([0, { witness: 'auditor', verifierKey: key }]);
    expect(first.witnesses).toEqual([]);
    expect((await newest()).witnesses).toEqual([]);
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
      'of another log': cosignCheckpoint(
        checkpoint.replace(world.operator.operatorId, 'op_other'),
        'auditor',
        signer,
        AT,
      ),
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
    expect([stolen.status, stolen.body.message]).toEqual([
      400,
      expect.stringContaining('No witness with this key is bound'),
    ]);
    expect((await send('nonsense', 'nonsense')).status).toBe(400);
  });
});

describe('a key of a reader writes no witnesses', () => {
  const signer = keyPair();
  const key = witnessKey('bound.example', signer.publicKey);
  const shown = async () => (await newest()).witnesses.map(({ witness }: { witness: string }) => witness);

  // contract 24.5, contract 24.6
  test('what the service operator has not bound is refused, whatever its name and key', async () => {
    const reader = await world.issueKey(world.operator, { scopes: ['ledger:read'] });
    const { checkpoint } = await newest();
    for (const name of ['auditor.example', 'bound.example', '<script>', '\u202Egnp.exe']) {
      const own = keyPair();
      const { status, body } = await world.request('POST', '/api/v1/reconciliation/witness', {
        key: reader.apiKey,
        body: {
          verifierKey: witnessKey(name, own.publicKey),
          checkpoint: cosignCheckpoint(checkpoint, name, own, AT),
        },
      });
      expect([name, status, body.error]).toEqual([name, 400, 'invalid_request']);
    }
    expect(await shown()).not.toContain('auditor.example');
    expect((await bind('bound.example', key)).exitCode).toBe(0);
    const handed = await world.request('POST', '/api/v1/reconciliation/witness', {
      key: reader.apiKey,
      body: { verifierKey: key, checkpoint: cosignCheckpoint(checkpoint, 'bound.example', signer, AT) },
    });
    expect([handed.status, await shown()]).toEqual([200, expect.arrayContaining(['bound.example'])]);
  });

  // contract 24.6
  test('a cosignature is of the last 300 seconds by the clock of the database', async () => {
    const { checkpoint } = await newest();
    const [{ now = AT } = {}] = await world.sql<{ now: Date }[]>`select clock_timestamp() as now`;
    const at = async (seconds: number) => {
      const when = new Date(now.getTime() + seconds * 1000);
      return (await send(key, cosignCheckpoint(checkpoint, 'bound.example', signer, when))).status;
    };
    expect(await at(-290)).toBe(200);
    expect(await at(-310)).toBe(400);
    expect(await at(3_600)).toBe(400);
  });

  // contract 24.6
  test.each([2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 10n ** 11n])(
    'a time of %s seconds is refused, and no error of the service',
    async (seconds) => {
      const { checkpoint } = await newest();
      const text = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1);
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(seconds);
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), signer.privateKey);
      const [, hash = ''] = key.split('+');
      const bytes = Buffer.concat([Buffer.from(hash, 'hex'), time, signature]).toString('base64');
      const answer = await send(key, `${text}\n\u2014 bound.example ${bytes}\n`);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  // contract 24.5
  test('a log has at most 16 witnesses, a name one key, and a key its own name', async () => {
    const others = Array.from({ length: 16 }, (_, index) => `w${index}.example`);
    const codes: number[] = [];
    for (const name of others) {
      codes.push((await bind(name, witnessKey(name, keyPair().publicKey))).exitCode);
    }
    // auditor and bound.example are there
    expect(codes).toEqual([...Array(14).fill(0), 2, 2]);
    expect((await bind('bound.example', witnessKey('bound.example', keyPair().publicKey))).json.message).toContain(
      'another key',
    );
    expect((await bind('bound.example', key)).exitCode).toBe(0);
    for (const name of others.slice(0, 14)) {
      expect((await unbind(name)).exitCode).toBe(0);
    }
    expect((await unbind('w0.example')).exitCode).toBe(3);
    expect((await bind('other.example', key)).exitCode).toBe(2);
    expect((await bind('<script>', witnessKey('<script>', keyPair().publicKey))).exitCode).toBe(2);
    expect((await bind('w.example', (await newest()).verifierKey)).exitCode).toBe(2);
    expect(await shown()).toEqual(['auditor', 'bound.example']);
  });
});

describe('inlay feed witness', () => {
  const witness = (...flags: string[]) =>
    run('feed', 'witness', '--key-file', join(folder, 'key.pem'), '--state', join(folder, 'state'), '--json', ...flags);

  test('makes its key, cosigns, and cosigns what continues it', async () => {
    const unbound = await witness();
    expect([unbound.exitCode, unbound.json.error]).toEqual([1, 'invalid_request']);
    expect((await bind('witness', unbound.json.verifierKey)).exitCode).toBe(0);
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
      update journal set side = 'NO' where sequence = 2;
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
