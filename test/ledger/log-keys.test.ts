/**
 * The key of a log is replaced, and everyone who has the first one arrives at the newest: the service, our verifiers, the one in
 * Python and the reader of the client. A change that nobody may make is refused by each of them.
 */

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { type FeedState, followFeed } from '../../src/client/follow-feed.ts';
import {
  type KeyChange,
  keyAt,
  NoteError,
  originOf,
  signCheckpoint,
  signerFromSeed,
  signKeyChange,
  verifierKey,
} from '../../src/core/log-format/notes.ts';
import {
  appendKeyChange,
  appendToLog,
  findHead,
  type LogHead,
  listKeyChanges,
} from '../../src/ledger/log/log-store.ts';
import { verifyFeed } from '../../src/ledger/log/prove-log.ts';
import {
  currentLogKey,
  loadLogSigner,
  logVerifierKey,
  rotateLogKey,
  sealFeeds,
} from '../../src/ledger/log/sign-log.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld, type World } from '../support/world.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const folder = temporaryFolder('inlay-log-keys');

// contract 24.7
describe('the chain alone', () => {
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
      expect([10, 11, 20, 21, 22].map((size) => keyAt(origin, keyOf(trusted), changes, size))).toEqual(
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
      /no valid signature/,
    ],
    [
      'without the signature of the new key',
      () => [{ ...(changes[0] as KeyChange), note: (changes[0] as KeyChange).note.replace(/\n[^\n]+\n$/, '\n') }],
      /no valid signature/,
    ],
    [
      'whose note names another key',
      () => [{ ...(changes[0] as KeyChange), verifierKey: keyOf(stranger) }],
      /note contradicts it/,
    ],
    ['moved to another size', () => [{ ...(changes[0] as KeyChange), size: 11 }], /note contradicts it/],
    [
      'that somebody calls compromised',
      () => [{ ...(changes[0] as KeyChange), compromised: true }],
      /note contradicts it/,
    ],
    [
      'at fewer items than the one before',
      async () => [changes[0] as KeyChange, signKeyChange(origin, 9, second, third)],
      /changed at 9 items, but after that at 10/,
    ],
    [
      'signed by a key that was replaced',
      async () => [changes[0] as KeyChange, signKeyChange(origin, 20, first, third)],
      /the key that it replaces does not sign/,
    ],
    [
      'back to a key that was replaced',
      async () => [changes[0] as KeyChange, signKeyChange(origin, 20, second, first)],
      /to a key that was replaced/,
    ],
  ])('a change %s is refused', async (_title, make, reason) => {
    const made = await make();
    expect(() => keyAt(origin, keyOf(first), made, 30)).toThrow(reason);
  });

  // contract 24.8
  test('a key that was given up as compromised is marked so by the key before and the new one', () => {
    const given = signKeyChange(origin, 10, first, second, true);
    expect(given).toMatchObject({ size: 10, compromised: true });
    expect(keyAt(origin, keyOf(first), [given], 11)).toBe(keyOf(second));
    expect(() => keyAt(origin, keyOf(first), [{ ...given, compromised: false }], 11)).toThrow(/note contradicts it/);
  });

  test('after a change without the lost key only the new key is proven', async () => {
    const lost = [signKeyChange(origin, 10, null, second)];
    expect(keyAt(origin, keyOf(second), lost, 30)).toBe(keyOf(second));
    expect(() => keyAt(origin, keyOf(first), lost, 30)).toThrow('not proven');
    const forged = [{ ...(lost[0] as KeyChange), verifierKey: keyOf(stranger) }];
    expect(() => keyAt(origin, keyOf(stranger), forged, 30)).toThrow(NoteError);
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

test('with a new key configured the log goes on with the old one, until the command changes it', async () => {
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
    size: change?.size,
    verifierKey: logVerifierKey(world.operator.operatorId, signerOf(keyFiles[0])),
  });
  const head = await findHead(world.sql, world.operator.operatorId);
  expect(change).toMatchObject({ size: head?.size, previousKey: firstKey, compromised: false });
  // the newest checkpoint keeps its signature, and the key that is shown with it is the one that opens it
  expect(await currentLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[0]))).toBe(firstKey);
  const again = (await run('ledger', 'rotate-key', '--operator', 'demo', '--yes', '--json')).json();
  expect(again.operators).toMatchObject([{ outcome: 'unchanged', size: change?.size }]);
  await world.buy(market, 'ben');
  await seal(signerOf(keyFiles[0]));
  await rotateLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[1], keyFiles[0]), { compromised: true });
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

test('a checkpoint of who did not know the newest key is not stored, and neither is a second change at one place', async () => {
  const { operatorId } = world.operator;
  const head = (await findHead(world.sql, operatorId)) as LogHead;
  const same = {
    operatorId,
    from: head.size,
    size: head.size,
    root: head.root,
    note: head.note,
    verifierKey: head.verifierKey,
    tiles: [],
  };
  expect(await appendToLog(world.sql, { ...same, keys: 1 })).toBe(false);
  expect(await appendToLog(world.sql, { ...same, keys: 2 })).toBe(true);
  const change = signKeyChange(
    originOf(operatorId),
    head.size,
    signerOf(keyFiles[1]),
    signerFromSeed(Buffer.alloc(32, 9)),
  );
  expect(await appendKeyChange(world.sql, operatorId, 2, change)).toBe(false);
  expect(await appendKeyChange(world.sql, operatorId, 3, { ...change, size: head.size - 1 })).toBe(false);
  expect(await listKeyChanges(world.sql, operatorId)).toHaveLength(2);
});

test('the service and the client arrive at the newest key from the first one', async () => {
  expect(await verifyFeed(world.sql, world.operator.operatorId, firstKey)).toMatchObject({ ok: true, fault: null });
  const caught = await follow(kept, firstKey);
  expect(caught.log).toMatchObject({ verifierKey: firstKey, keys: [{}, {}], target: null, later: [] });
  expect(await follow({ cursor: null, sequence: 0 }, firstKey)).toMatchObject({ log: { size: caught.log?.size } });
  const second = logVerifierKey(world.operator.operatorId, signerOf(keyFiles[0]));
  expect((await world.request('GET', '/api/v1/reconciliation/log-keys')).body).toEqual({
    origin: originOf(world.operator.operatorId),
    keys: [
      expect.objectContaining({ previousKey: firstKey, verifierKey: second, compromised: false }),
      expect.objectContaining({ previousKey: second, compromised: true }),
    ],
  });
  const refused = await world.request('GET', '/api/v1/reconciliation/feed?type=log.key_changed');
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_type', supported: { length: 8 } } });
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
  /** The checkpoint file with another chain. */
  const damaged = async (change: (keys: KeyChange[]) => readonly KeyChange[]) => {
    const stored = JSON.parse(await readFile(checkpoint, 'utf8'));
    const path = join(folder, 'damaged.json');
    await writeFile(path, JSON.stringify({ ...stored, keys: change(stored.keys) }));
    return path;
  };
  /** A change that a stranger made, in the place of the first one. */
  const forged = ([first, ...others]: KeyChange[]): KeyChange[] => {
    const [stranger, other] = [signerFromSeed(Buffer.alloc(32, 7)), signerFromSeed(Buffer.alloc(32, 8))];
    const { previousKey, size } = first as KeyChange;
    return [{ ...signKeyChange(originOf(world.operator.operatorId), size, stranger, other), previousKey }, ...others];
  };
  const foreign = () => verifierKey(originOf(world.operator.operatorId), Buffer.alloc(32, 7));

  beforeAll(async () => {
    feed = join(folder, 'facts.jsonl');
    checkpoint = join(folder, 'checkpoint.json');
    await writeFile(feed, (await run('feed', 'tail', '--json')).stdout);
    await run('feed', 'checkpoint', '--out', checkpoint);
  });

  const ours = async (path: string, key: string) => {
    const { code, json } = await run('feed', 'verify', feed, '--checkpoint', path, '--key', key, '--json');
    return { code, fault: json().fault };
  };

  test('feed verify follows the keys, and names a change that does not fit', async () => {
    const newest = await currentLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[1]));
    for (const key of [firstKey, newest]) {
      expect(await ours(checkpoint, key)).toEqual({ code: 0, fault: null });
    }
    const refused = { code: 5, fault: { reason: expect.stringMatching(/not signed with that key/) } };
    expect(await ours(await damaged(forged), firstKey)).toMatchObject(refused);
    expect(await ours(await damaged((keys) => keys.slice(0, 1)), firstKey)).toMatchObject(refused);
    expect(await ours(checkpoint, foreign())).toMatchObject(refused);
  });

  test.skipIf(!hasPython)('the verifier in Python does the same', async () => {
    const theirs = (path: string, key: string) =>
      spawnSync('python3', ['tools/verify/verify.py', feed, path, '--key', key], { encoding: 'utf8' });
    const newest = await currentLogKey(world.sql, world.operator.operatorId, signerOf(keyFiles[1]));
    for (const key of [firstKey, newest]) {
      expect(theirs(checkpoint, key)).toMatchObject({ status: 0, stderr: '' });
    }
    const refused = { status: 1, stderr: '', stdout: expect.stringMatching(/does not fit/) };
    expect(theirs(await damaged(forged), firstKey)).toMatchObject(refused);
    expect(theirs(await damaged((keys) => keys.slice(0, 1)), firstKey)).toMatchObject(refused);
    expect(
      theirs(await damaged((keys) => keys.map((key) => ({ ...key, compromised: !key.compromised }))), firstKey),
    ).toMatchObject(refused);
    expect(theirs(checkpoint, foreign()).stdout).toMatch(/trusted key is not proven/);
    expect(spawnSync('python3', ['tools/verify/verify.py', checkpoint, checkpoint, '--key', firstKey]).status).toBe(1);
  });
});
