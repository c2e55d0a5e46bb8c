/** What an operator keeps, an export and a checkpoint, against a past that was rewritten: by our verifier and by the one in Python. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { hasPython } from '../support/python-operator.ts';
import { openChance } from '../support/random.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

const VERIFIER = 'tools/verify/verify.py';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

let world: World;
let folder: string;
let feed: string;
let checkpoint: string;
let lines: string[];

let command: RunCommand;
const run = async (args: readonly [topic: string, name: string, ...argv: string[]]) => {
  const { exitCode, stdout } = await command(...args);
  return { code: exitCode, stdout };
};

beforeAll(async () => {
  world = await openWorld();
  command = await world.commands();
  folder = await mkdtemp(join(tmpdir(), 'inlay-verify-'));
  const market = await world.openMarket('verify');
  for (let index = 0; index < 55; index += 1) {
    await world.buy(market, `user "${index % 3}" \\ ${index}`, index % 2 === 0 ? 'YES' : 'NO', 10 + index / 7);
  }
  await world.sell(market, 'user "0" \\ 0', 3.25);
  await world.resolve(market, 'SPLIT', 333_333n);
  const { environment, secrets } = world.context;
  await sealFeeds(world.sql, loadLogSigner(environment, secrets));
  feed = join(folder, 'facts.jsonl');
  checkpoint = join(folder, 'checkpoint.json');
  await writeFile(feed, (await run(['feed', 'tail', '--json'])).stdout);
  expect((await run(['feed', 'checkpoint', '--out', checkpoint])).code).toBe(0);
  lines = (await readFile(feed, 'utf8')).trimEnd().split('\n');
}, 120_000);
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

describe('inlay feed verify', () => {
  // contract 24.9
  test('takes what is as it was sealed, offline', async () => {
    const { stdout, code } = await run(['feed', 'verify', feed, '--checkpoint', checkpoint, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      size: lines.length,
      origin: `inlay/${world.operator.operatorId}`,
    });
    expect(code).toBe(0);
  });

  test('names a changed item and a missing one, and wants the key that was kept', async () => {
    const other = join(folder, 'other.jsonl');
    await writeFile(
      other,
      lines
        .map((line, n) => (n === 300 ? line.replace('"', '" ').replace('occurredAt":"2', 'occurredAt":"3') : line))
        .join('\n'),
    );
    const changed = await run(['feed', 'verify', other, '--checkpoint', checkpoint, '--json']);
    expect(JSON.parse(changed.stdout).fault).toMatchObject({ sequence: 301 });
    expect(changed.code).toBe(5);
    await writeFile(other, [...lines.slice(0, 8), ...lines.slice(9)].join('\n'));
    const missing = await run(['feed', 'verify', other, '--checkpoint', checkpoint, '--json']);
    expect(JSON.parse(missing.stdout).fault).toMatchObject({ sequence: 9, reason: 'the item is missing' });
    const key = `inlay/${world.operator.operatorId}+00000000+AQ==`;
    expect((await run(['feed', 'verify', feed, '--checkpoint', checkpoint, '--key', key])).code).toBe(5);
  });

  test('what is no checkpoint or no item is wrong usage', async () => {
    expect((await run(['feed', 'verify', feed, '--checkpoint', feed])).code).toBe(2);
    expect((await run(['feed', 'verify', checkpoint, '--checkpoint', checkpoint])).code).toBe(2);
    expect((await run(['feed', 'verify', join(folder, 'none'), '--checkpoint', checkpoint])).code).toBe(2);
  });
});

describe('inlay ledger', () => {
  // contract 39.22
  test('shows the checkpoint, proves an item, and holds the feed against a kept checkpoint', async () => {
    const shown = JSON.parse((await run(['ledger', 'checkpoint', '--operator', 'demo', '--json'])).stdout);
    expect(shown).toMatchObject({ origin: `inlay/${world.operator.operatorId}`, size: lines.length });
    const item = JSON.parse(lines[41] as string);
    const proven = JSON.parse((await run(['ledger', 'prove', '--operator', 'demo', '--item', '42', '--json'])).stdout);
    expect(JSON.parse(proven.leaf)).toMatchObject({ sequence: 42, id: item.id });
    expect((await run(['ledger', 'prove', '--operator', 'demo', '--item', 'nothing'])).code).toBe(3);
    const held = await run(['ledger', 'verify', '--operator', 'demo', '--expect', checkpoint, '--json']);
    expect(JSON.parse(held.stdout)).toMatchObject({ ok: true, operators: [{ log: { ok: true, size: lines.length } }] });
    const other = await run(['ledger', 'verify', '--operator', 'demo-live', '--expect', checkpoint]);
    expect(other.code).toBe(2);
  });
});

describe.skipIf(!hasPython)('the verifier in Python, from export and checkpoint alone', () => {
  test('a verifier outside the database agrees that all fits', () => {
    const said = execFileSync('python3', [VERIFIER, feed, checkpoint], { encoding: 'utf8' });
    expect(said).toBe(`${lines.length} items of inlay/${world.operator.operatorId} are those of the checkpoint.\n`);
  });

  test('it finds each of a thousand single-bit changes of the items, and names the item', async () => {
    const chance = openChance(20261122);
    const changes: [number, string][] = [];
    while (changes.length < 1000) {
      const at = chance.below(lines.length);
      const bytes = Buffer.from(lines[at] as string);
      const place = chance.below(bytes.length);
      bytes[place] = (bytes[place] as number) ^ (1 << chance.below(7));
      const changed = bytes.toString('utf8');
      if (saysSomethingElse(lines[at] as string, changed)) {
        changes.push([at, changed]);
      }
    }
    const file = join(folder, 'changes.json');
    await writeFile(file, JSON.stringify(changes));
    const script = `
import base64, json, sys
sys.path.insert(0, 'tools/verify')
import verify
lines = open(sys.argv[1], encoding='utf-8').read().splitlines()
kept = json.load(open(sys.argv[2], encoding='utf-8'))
size, root = kept['size'], base64.b64decode(verify.open_note(kept['checkpoint'], kept['verifierKey'])[2])
leaves = verify.stored_leaves(kept, size)
assert verify.root_of(leaves) == root
missed = []
for at, changed in json.load(open(sys.argv[3], encoding='utf-8')):
    item = json.loads(changed)
    if item.get('sequence') == at + 1 and verify.leaf_hash(item) == leaves[at]:
        missed.append([at, changed])
print(json.dumps(missed))`;
    const said = execFileSync('python3', ['-c', script, feed, checkpoint, file], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual([]);
    for (const [at, changed] of changes.slice(0, 5)) {
      const other = join(folder, 'changed.jsonl');
      await writeFile(other, lines.map((line, n) => (n === at ? changed : line)).join('\n'));
      const verdict = spawnSync('python3', [VERIFIER, other, checkpoint], { encoding: 'utf8' });
      expect(verdict.status).toBe(1);
      expect(verdict.stdout).toContain(`item ${at + 1} `);
    }
  });

  test('it refuses a forged signature, forged hashes and a checkpoint of another operator', async () => {
    const kept = JSON.parse(await readFile(checkpoint, 'utf8'));
    const forged = join(folder, 'forged.json');
    const check = async (changed: object) => {
      await writeFile(forged, JSON.stringify({ ...kept, ...changed }));
      return spawnSync('python3', [VERIFIER, feed, forged], { encoding: 'utf8' });
    };
    const note: string = kept.checkpoint;
    expect((await check({ checkpoint: note.replace(`\n${kept.size}\n`, `\n${kept.size - 1}\n`) })).stdout).toContain(
      'no valid signature',
    );
    expect((await check({ checkpoint: note.replaceAll(world.operator.operatorId, 'op_other') })).stdout).toContain(
      'no valid signature',
    );
    const [first, ...rest] = kept.tiles;
    const hashes = Buffer.from(first.hashes, 'base64');
    hashes[40] = (hashes[40] as number) ^ 1;
    expect((await check({ tiles: [{ ...first, hashes: hashes.toString('base64') }, ...rest] })).stdout).toContain(
      'not those that were signed',
    );
  });
});

describe.skipIf(!hasOpenssl)('openssl, which knows nothing of us (skipped without it)', () => {
  test('verifies the signature of a checkpoint with the verifier key, and of no other text', async () => {
    const { checkpoint: note, verifierKey } = JSON.parse(await readFile(checkpoint, 'utf8'));
    const [text = '', line = ''] = note.split('\n\n');
    const signature = Buffer.from(line.trimEnd().split(' ')[2] ?? '', 'base64').subarray(4);
    const key = Buffer.from(verifierKey.split('+').at(-1) ?? '', 'base64').subarray(1);
    const [keyFile, signatureFile, textFile] = [
      join(folder, 'key.der'),
      join(folder, 'signature'),
      join(folder, 'text'),
    ];
    await writeFile(keyFile, Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key]));
    await writeFile(signatureFile, signature);
    const keys = ['-pubin', '-keyform', 'DER', '-inkey', keyFile];
    for (const [signed, status] of [
      [`${text}\n`, 0],
      [`${text}x\n`, 1],
    ] as const) {
      await writeFile(textFile, signed);
      const args = ['pkeyutl', '-verify', ...keys, '-rawin', '-in', textFile, '-sigfile', signatureFile];
      expect(spawnSync('openssl', args).status).toBe(status);
    }
  });
});

/** A bit may change how a value is written and not what it says, and may leave no JSON at all. */
function saysSomethingElse(line: string, changed: string): boolean {
  try {
    const { cursor: _, ...before } = JSON.parse(line);
    const { cursor: __, ...after } = JSON.parse(changed);
    return JSON.stringify(before) !== JSON.stringify(after);
  } catch {
    return false;
  }
}
