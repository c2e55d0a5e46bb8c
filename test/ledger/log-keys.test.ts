/**
 * The key of a log is replaced, and everyone who has the first one arrives at the newest: the service, our verifiers, the one in
 * Python, the reader of the client and a witness. A change that nobody may make is refused by each of them.
 */

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { type FeedState, followFeed } from '../../src/client/follow-feed.ts';
import { originOf, signCheckpoint } from '../../src/core/transparency-log/checkpoint.ts';
import { type KeyChange, KeyChangeRefused, keyAt, signKeyChange } from '../../src/core/transparency-log/log-keys.ts';
import { signerFromSeed, verifierKey } from '../../src/core/transparency-log/signed-note.ts';
import { findHead, listKeyChanges } from '../../src/ledger/transparency-log/feed-log.ts';
import { currentLogKey, loadLogSigner, logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { rotateLogKey } from '../../src/ledger/transparency-log/rotate-key.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { verifyFeed } from '../../src/ledger/transparency-log/verify-feed.ts';
import { addWitness } from '../../src/ledger/transparency-log/witness-feed.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'inlay-log-keys-'));

describe('the key list alone', () => {
  const origin = originOf('op_1');
  const [first, second, third, stranger] = [1, 2, 3, 4].map((byte) => signerFromSeed(Buffer.alloc(32, byte))) as [
    ReturnType<typeof signerFromSeed>,
    ReturnType<typeof signerFromSeed>,
    ReturnType<typeof signerFromSeed>,
    ReturnType<typeof signerFromSeed>,
  ];
  const keyOf = (signer: typeof first) => verifierKey(origin, signer.publicKey);
  let changes: KeyChange[];
  beforeAll(async () => {
    changes = [signKeyChange(origin, 10, first, second), signKeyChange(origin, 20, second, third)];
  });

  test('any key of the log leads to the key of each size', () => {
    for (const trusted of [first, second, third]) {
      expect([9, 10, 19, 20, 21].map((size) => keyAt(origin, keyOf(trusted), changes, size))).toEqual(
        [first, second, second, third, third].map(keyOf),
      );
    }
    expect(keyAt(origin, keyOf(stranger), [], 5)).toBe(keyOf(stranger));
  });

  test('a key that is not of the log leads nowhere', () => {
    expect(() => keyAt(origin, keyOf(stranger), changes, 5)).toThrow('not proven');
  });

  test.each<[string, () => Promise<readonly KeyChange[]> | readonly KeyChange[], RegExp]>([
    ['signed by a stranger', async () => [signKeyChange(origin, 10, stranger, second)], /not proven/],
    [
      'with the signature of a stranger for that of the first key',
      async () => [{ ...signKeyChange(origin, 10, stranger, second), previousKey: keyOf(first) }],
      /item 10 changes the key of the log, but no valid signature/,
    ],
    [
      'without the signature of the new key',
      () => [{ ...(changes[0] as KeyChange), note: (changes[0] as KeyChange).note.replace(/\n[^\n]+\n$/, '\n') }],
      /no valid signature/,
    ],
    [
      'whose note names another key',
      () => [{ ...(changes[0] as KeyChange), verifierKey: keyOf(stranger) }],
      /says something else/,
    ],
    ['moved to another item', () => [{ ...(changes[0] as KeyChange), sequence: 11 }], /says something else/],
    [
      'signed by a key that was replaced',
      async () => [changes[0] as KeyChange, signKeyChange(origin, 20, first, third)],
      /the key that it replaces does not sign/,
    ],
    [
      'back to a key that was replaced',
      async () => [changes[0] as KeyChange, signKeyChange(origin, 20, second, first)],
      /brings back a key/,
    ],
  ])('a change %s is refused', async (_title, make, reason) => {
    const made = await make();
    expect(() => keyAt(origin, keyOf(first), made, 30)).toThrow(reason);
  });

  test('after a change without the lost key only the new key is proven', async () => {
    const lost = [signKeyChange(origin, 10, null, second)];
    expect(keyAt(origin, keyOf(second), lost, 30)).toBe(keyOf(second));
    expect(() => keyAt(origin, keyOf(first), lost, 30)).toThrow('not proven');
    const forged = [{ ...(lost[0] as KeyChange), verifierKey: keyOf(stranger) }];
    expect(() => keyAt(origin, keyOf(stranger), forged, 30)).toThrow(KeyChangeRefused);
  });
});

let world: World;
let market: TestMarket;
let command: RunCommand;
let firstKey: string;
let kept: FeedState;
const keyFiles = ['second', 'third'].map((name) => {
  const path = join(folder, `${name}.pem`);
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  return path;
}) as [string, string];
const SECRET = 'a secret that only tests know';

/** The configured keys before and after each change: derived, then a file, then another file. */
const signerOf = (logKeyFile?: string, previousLogKeyFile?: string, previous: readonly string[] = []) =>
  loadLogSigner(
    { ...world.context.environment, logKeyFile, previousLogKeyFile },
    { current: world.context.secrets.current, previous },
  );
const seal = (signer = signerOf()) => sealFeeds(world.sql, signer);
const follow = async (from: FeedState, key?: string) => {
  const client = createClient({ baseUrl: world.url, apiKey: world.key });
  let state = from;
  const apply = (_facts: readonly unknown[], next: FeedState) => {
    state = JSON.parse(JSON.stringify(next)) as FeedState;
  };
  await followFeed(client, { from, apply, verify: key === undefined ? {} : { key } });
  return state;
};

beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('log-keys');
  await world.buy(market, 'ana');
  await seal();
  firstKey = logVerifierKey(world.operator.operatorId, signerOf());
  kept = await follow({ cursor: null, sequence: 0 });
  command = await world.commands({ INLAY_SECRET: SECRET, INLAY_LOG_KEY_FILE: keyFiles[0] });
}, 120_000);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (...args: Parameters<RunCommand>) => {
  const { exitCode, stdout } = await command(...args);
  return { code: exitCode, stdout, json: () => JSON.parse(stdout) };
};
const witness = () =>
  run('feed', 'witness', '--key-file', join(folder, 'w.pem'), '--state', join(folder, 'w.json'), '--json');

test('with a new key configured the log goes on with the old one, until the command changes it', async () => {
  await addWitness(world.sql, world.operator.operatorId, 'witness', (await witness()).json().verifierKey);
  expect((await witness()).json()).toMatchObject({ ok: true });
  await world.buy(market, 'ana');
  await seal(signerOf(keyFiles[0]));
  expect(await currentLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[0]))).toBe(firstKey);
  const { json, code } = await run('ledger', 'rotate-key', '--yes', '--json');
  expect(code).toBe(0);
  const [change] = await listKeyChanges(world.sql, world.operator.operatorId);
  expect(json().operators).toContainEqual({
    operatorId: world.operator.operatorId,
    slug: 'demo',
    outcome: 'changed',
    sequence: change?.sequence,
    verifierKey: logVerifierKey(world.operator.operatorId, signerOf(keyFiles[0])),
  });
  const again = (await run('ledger', 'rotate-key', '--operator', 'demo', '--yes', '--json')).json();
  expect(again.operators).toMatchObject([{ outcome: 'unchanged', sequence: change?.sequence }]);
  await world.buy(market, 'ben');
  await seal(signerOf(keyFiles[0]));
  await rotateLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[1], keyFiles[0]));
  await world.buy(market, 'ben');
  await seal(signerOf(keyFiles[1], keyFiles[0]));
  expect(await listKeyChanges(world.sql, world.operator.operatorId)).toHaveLength(2);
});

test('a signer that was rolled back, and one without the old key, sign nothing', async () => {
  await world.buy(market, 'ana');
  const head = await findHead(world.sql, world.operator.operatorId);
  await expect(seal(signerOf())).rejects.toThrow('not configured');
  const unknown = loadLogSigner(
    { ...world.context.environment, logKeyFile: undefined },
    { current: 'a secret of another service' },
  );
  await expect(rotateLogKey(world.sql, world.operator.operatorId, unknown)).rejects.toThrow('not configured');
  expect(await findHead(world.sql, world.operator.operatorId)).toEqual(head);
  await seal(signerOf(keyFiles[1]));
});

test('the service, the client and a witness arrive at the newest key from the first one', async () => {
  expect(await verifyFeed(world.sql, world.operator.operatorId, firstKey)).toMatchObject({ ok: true, fault: null });
  const caught = await follow(kept, firstKey);
  expect(caught.log).toMatchObject({ verifierKey: firstKey, keys: [{}, {}], target: null, later: [] });
  expect(await follow({ cursor: null, sequence: 0 }, firstKey)).toMatchObject({ log: { size: caught.log?.size } });
  expect((await witness()).json()).toMatchObject({ ok: true, size: caught.log?.size });
  const shown = await world.request('GET', '/api/v1/reconciliation/feed?type=log.key_changed');
  expect(shown.body.items).toHaveLength(2);
  expect((await run('ledger', 'verify', '--operator', 'demo', '--key', firstKey)).code).toBe(0);
  const foreign = verifierKey(originOf(world.operator.operatorId), Buffer.alloc(32, 7));
  expect((await run('ledger', 'verify', '--operator', 'demo', '--key', foreign)).code).toBe(5);
  expect((await run('reconciliation', 'run', '--operator', 'demo')).code).toBe(0);
});

test('a reader that has seen the change refuses a checkpoint of the old key, and one without the change', async () => {
  const caught = await follow(kept, firstKey);
  const root = Buffer.alloc(32, 5);
  const size = (caught.log?.size ?? 0) + 1;
  const note = signCheckpoint({ origin: originOf(world.operator.operatorId), size, root }, signerOf());
  await world.sql`update feed_log_heads set note = ${note} where operator_id = ${world.operator.operatorId}`;
  try {
    await expect(follow(caught, firstKey)).rejects.toMatchObject({ name: 'FeedRewritten' });
    await expect(follow(caught)).rejects.toMatchObject({ name: 'FeedRewritten' });
  } finally {
    const newest = signCheckpoint(
      {
        origin: originOf(world.operator.operatorId),
        size: size - 1,
        root: (await findHead(world.sql, world.operator.operatorId))?.root as Buffer,
      },
      signerOf(keyFiles[1]),
    );
    await world.sql`update feed_log_heads set note = ${newest} where operator_id = ${world.operator.operatorId}`;
  }
  expect(await verifyFeed(world.sql, world.operator.operatorId, firstKey)).toMatchObject({ ok: true });
});

describe('from export and checkpoint alone', () => {
  let feed: string;
  let checkpoint: string;
  const damaged = async (change: (line: string) => string) => {
    const lines = (await readFile(feed, 'utf8')).split('\n');
    const path = join(folder, 'damaged.jsonl');
    await writeFile(path, lines.map((line) => (line.includes('"log.key_changed"') ? change(line) : line)).join('\n'));
    return path;
  };
  /** A change that a stranger made, in the place of the first one. */
  const forged = async (line: string) => {
    const item = JSON.parse(line);
    const [stranger, other] = [signerFromSeed(Buffer.alloc(32, 7)), signerFromSeed(Buffer.alloc(32, 8))];
    const { sequence, ...detail } = signKeyChange(originOf(world.operator.operatorId), item.sequence, stranger, other);
    return JSON.stringify({ ...item, sequence, detail: { ...detail, previousKey: item.detail.previousKey } });
  };

  beforeAll(async () => {
    feed = join(folder, 'facts.jsonl');
    checkpoint = join(folder, 'checkpoint.json');
    await writeFile(feed, (await run('feed', 'tail', '--json')).stdout);
    await run('feed', 'checkpoint', '--out', checkpoint);
  });

  const ours = async (path: string, key: string) => {
    const { code, json } = await run('feed', 'verify', path, '--checkpoint', checkpoint, '--key', key, '--json');
    return { code, fault: json().fault };
  };

  test('feed verify follows the keys, and names a change that does not fit', async () => {
    const newest = await currentLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[1]));
    for (const key of [firstKey, newest]) {
      expect(await ours(feed, key)).toEqual({ code: 0, fault: null });
    }
    const [{ sequence } = { sequence: 0 }] = await listKeyChanges(world.sql, world.operator.operatorId);
    const line = (await readFile(feed, 'utf8')).split('\n').find((one) => one.includes('"log.key_changed"')) as string;
    const replacement = await forged(line);
    const path = await damaged((one) => (one === line ? replacement : one));
    expect(await ours(path, firstKey)).toMatchObject({ code: 5, fault: { sequence } });
    const foreign = verifierKey(originOf(world.operator.operatorId), Buffer.alloc(32, 7));
    expect(await ours(feed, foreign)).toMatchObject({ code: 5 });
  });

  test.skipIf(!hasPython)('the verifier in Python does the same', async () => {
    const theirs = (path: string, key: string) =>
      spawnSync('python3', ['tools/verify/verify.py', path, checkpoint, '--key', key], { encoding: 'utf8' });
    const newest = await currentLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[1]));
    for (const key of [firstKey, newest]) {
      expect(theirs(feed, key)).toMatchObject({ status: 0, stderr: '' });
    }
    const [{ sequence } = { sequence: 0 }] = await listKeyChanges(world.sql, world.operator.operatorId);
    const line = (await readFile(feed, 'utf8')).split('\n').find((one) => one.includes('"log.key_changed"')) as string;
    const replacement = await forged(line);
    const path = await damaged((one) => (one === line ? replacement : one));
    expect(theirs(path, firstKey)).toMatchObject({ status: 1, stderr: '' });
    expect(theirs(path, firstKey).stdout).toMatch(/does not fit/);
    expect(theirs(await damaged((one) => one.replace('"verifierKey":"', '"verifierKey":"x')), firstKey).status).toBe(1);
    expect(sequence).toBeGreaterThan(1);
    const foreign = verifierKey(originOf(world.operator.operatorId), Buffer.alloc(32, 7));
    expect(theirs(feed, foreign).stdout).toMatch(/trusted key is not proven/);
    expect(theirs(join(folder, 'checkpoint.json'), firstKey).status).toBe(1);
  });
});
