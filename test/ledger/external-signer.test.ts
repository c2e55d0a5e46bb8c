/** Checkpoints signed by a program: what it signs, what happens while it fails, and that nothing but its signature is stored. */
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCheckpoint } from '../../src/core/transparency-log/checkpoint.ts';
import { NoteError } from '../../src/core/transparency-log/signed-note.ts';
import { signWithProgram } from '../../src/ledger/transparency-log/external-signer.ts';
import { findHead } from '../../src/ledger/transparency-log/feed-log.ts';
import { loadLogSigner, logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { verifyFeed } from '../../src/ledger/transparency-log/verify-feed.ts';
import { checkLogSigner } from '../../src/operations/check-log-signer.ts';
import { startWorld, type World } from '../reconciliation/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'inlay-signer-'));
let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.buy(await world.market('signer'), 'ana');
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

let programs = 0;

/** An executable file with that script of Node. */
function program(script: string): string {
  programs += 1;
  const path = join(folder, `signer-${programs}`);
  writeFileSync(path, `#!${process.execPath}\n${script}\n`);
  chmodSync(path, 0o700);
  return path;
}

function pemFiles() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  programs += 1;
  const [secret, open] = [join(folder, `key-${programs}.pem`), join(folder, `public-${programs}.pem`)];
  writeFileSync(secret, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  writeFileSync(open, publicKey.export({ format: 'pem', type: 'spki' }));
  return { secret, open };
}

/** A program that signs with the key in the file. */
const signing = (secret: string) =>
  program(`const { sign, createPrivateKey } = require('node:crypto');
const { readFileSync } = require('node:fs');
process.stdout.write(sign(null, readFileSync(0), createPrivateKey(readFileSync(${JSON.stringify(secret)}))).toString('base64') + '\\n');`);

function environmentOf(logSigner: string, logKeyFile: string) {
  return { ...world.service.context.environment, logSigner, logKeyFile };
}

/** One key for all tests: a log goes on with the key that it has. */
const pem = pemFiles();

test('a program signs the checkpoints, and its public key verifies them', async () => {
  const { secret, open } = pem;
  const environment = environmentOf(signing(secret), open);
  const signer = loadLogSigner(environment, world.service.context.secrets);
  await sealFeeds(world.service.sql, signer);
  const key = logVerifierKey(world.operatorId, signer);
  expect(await verifyFeed(world.service.sql, world.operatorId, key)).toMatchObject({ ok: true });
  expect(await checkLogSigner(environment)).toMatchObject({ ok: true });
});

test('while the program fails the last checkpoint stays, doctor says why, and the next run continues', async () => {
  const { sql, context } = world.service;
  const { secret, open } = pem;
  const before = await findHead(sql, world.operatorId);
  await world.buy(await world.market('signer-fails'), 'ana');
  const locked = environmentOf(program("process.stderr.write('the module is locked'); process.exit(3);"), open);
  await expect(sealFeeds(sql, loadLogSigner(locked, context.secrets))).rejects.toThrow(
    /ended with 3: the module is locked/,
  );
  expect(await findHead(sql, world.operatorId)).toEqual(before);
  expect(await checkLogSigner(locked)).toMatchObject({
    ok: false,
    detail: expect.stringContaining('the module is locked'),
  });
  await sealFeeds(sql, loadLogSigner(environmentOf(signing(secret), open), context.secrets));
  const after = await findHead(sql, world.operatorId);
  expect(readCheckpoint(after?.note ?? '').size).toBeGreaterThan(before?.size ?? 0);
});

test('a signature of another key is not stored', async () => {
  const { sql, context } = world.service;
  await world.buy(await world.market('signer-other'), 'ana');
  const before = await findHead(sql, world.operatorId);
  const foreign = environmentOf(signing(pemFiles().secret), pem.open);
  await expect(sealFeeds(sql, loadLogSigner(foreign, context.secrets))).rejects.toThrow(NoteError);
  expect(await findHead(sql, world.operatorId)).toEqual(before);
});

test.each([
  ['that takes too long', 'setTimeout(() => {}, 60_000);', 'no signature within 0.5 s', 500],
  ['that prints something else', "process.stdout.write('yes');", 'printed no Ed25519 signature', 20_000],
  ['that reads nothing and fails', 'process.exit(1);', 'ended with 1', 20_000],
])('a program %s signs nothing', async (_what, script, reason, deadlineMs) => {
  await expect(signWithProgram(program(script), Buffer.alloc(1_000_000), deadlineMs)).rejects.toThrow(reason);
});

test('a program that is missing, and a program without a public key, are errors that name the setting', async () => {
  await expect(signWithProgram(join(folder, 'none'), Buffer.from('x'))).rejects.toThrow('INLAY_LOG_SIGNER');
  const { environment, secrets } = world.service.context;
  expect(() => loadLogSigner({ ...environment, logSigner: '/bin/true', logKeyFile: undefined }, secrets)).toThrow(
    'INLAY_LOG_KEY_FILE',
  );
});
