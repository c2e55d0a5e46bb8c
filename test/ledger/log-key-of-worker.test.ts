/** The key that signs a log is the worker's. The API shows who signed, and needs no more for it than what the worker stored. */
import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyCheckpoint } from '../../src/core/log-format/notes.ts';
import { verifyFeed } from '../../src/ledger/log/prove-log.ts';
import { loadLogSigner, logVerifierKey, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld, type World } from '../support/world.ts';

const folder = temporaryFolder('inlay-log-key');
let world: World;
beforeAll(async () => {
  // an API that can read no key of the log
  world = await openWorld({ environment: { INLAY_LOG_KEY_FILE: join(folder, 'not-there.pem') } });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

// contract 24.3
test('an API without the key of the log shows the checkpoint and the key that verifies it', async () => {
  const { operatorId } = world.operator;
  const logKeyFile = join(folder, 'log.pem');
  writeFileSync(logKeyFile, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const signer = loadLogSigner({ ...world.context.environment, logKeyFile }, world.context.secrets);
  await world.buy(await world.openMarket('log-key'), 'ana');
  await sealFeeds(world.sql, signer);
  const { status, body } = await world.request('GET', '/api/v1/reconciliation/checkpoint');
  expect([status, body.verifierKey]).toEqual([200, logVerifierKey(operatorId, signer)]);
  expect(verifyCheckpoint(body.checkpoint, body.verifierKey)).toMatchObject({ size: body.size });
  expect(await verifyFeed(world.sql, operatorId, body.verifierKey)).toMatchObject({ ok: true });
  // another key in its place opens nothing
  const other = logVerifierKey(
    operatorId,
    loadLogSigner({ ...world.context.environment, logKeyFile: undefined }, world.context.secrets),
  );
  await world.sql`update feed_log_heads set verifier_key = ${other} where operator_id = ${operatorId}`;
  expect(await verifyFeed(world.sql, operatorId, body.verifierKey)).toMatchObject({ ok: false });
});
