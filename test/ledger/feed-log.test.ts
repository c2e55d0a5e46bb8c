/** The log of a feed through HTTP and as its owner damages it: checkpoints, proofs, tiles, and each changed item named. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FeedItemJson, hashItem, leafText } from '../../src/core/log-format/merkle.ts';
import { signerFromSeed, verifyCheckpoint } from '../../src/core/log-format/notes.ts';
import { verifyFeed } from '../../src/ledger/log/prove-log.ts';
import { loadLogSigner, logVerifierKey, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { provesConsistency, provesInclusion, rootOf } from '../support/merkle.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let key: string;
const get = (path: string, options = {}) => world.request('GET', `/api/v1/reconciliation/${path}`, options);
const bytes = (base64: string) => Buffer.from(base64, 'base64');
const seal = () => sealFeeds(world.sql, loadLogSigner(world.context.environment, world.context.secrets));

beforeAll(async () => {
  world = await openWorld();
  const { environment, secrets } = world.context;
  key = logVerifierKey(world.operator.operatorId, loadLogSigner(environment, secrets));
});
afterAll(() => world.close());

async function readItems(): Promise<FeedItemJson[]> {
  const items: FeedItemJson[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await get(`feed?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...body.items);
    cursor = body.nextCursor;
    if (!body.hasMore) {
      return items;
    }
  }
}

const trade = async (times: number, name: string) => {
  const market = await world.openMarket(name);
  for (let index = 0; index < times; index += 1) {
    await world.buy(market, `user-${index % 3}`);
  }
};

describe('an operator proves the feed with published formats alone', () => {
  let early: { size: number; root: string };

  test('before anything is sealed there is no checkpoint', async () => {
    expect((await get('checkpoint')).body).toMatchObject({ error: 'unknown_checkpoint' });
  });

  // contract 24.1, contract 24.2
  test('the checkpoint is signed and has the root over the items as the feed shows them', async () => {
    await trade(3, 'log-1');
    await seal();
    const { body } = await get('checkpoint');
    expect(body.verifierKey).toBe(key);
    const checkpoint = verifyCheckpoint(body.checkpoint, body.verifierKey);
    expect(checkpoint).toMatchObject({ origin: `inlay/${world.operator.operatorId}`, size: body.size });
    const items = await readItems();
    expect(body.size).toBe(items.length);
    expect(Buffer.from(rootOf(items.map(hashItem))).toString('base64')).toBe(body.root);
    expect(items[0]).toHaveProperty('cursor');
    expect(leafText(items[0] as FeedItemJson)).not.toContain('"cursor"');
    early = body;
  });

  // contract 24.3
  test('every item has an inclusion proof, and the log of before is the beginning of the current log', async () => {
    await trade(60, 'log-2');
    await seal();
    const { body: checkpoint } = await get('checkpoint');
    const items = await readItems();
    expect(items.length).toBeGreaterThan(256);
    for (const sequence of [1, 2, 255, 256, 257, items.length]) {
      const { body } = await get(`proof?sequence=${sequence}&size=${checkpoint.size}`);
      const leaf = hashItem(items[sequence - 1] as FeedItemJson);
      expect(bytes(body.leafHash)).toEqual(leaf);
      const proof = body.proof.map(bytes);
      expect(provesInclusion(leaf, sequence - 1, checkpoint.size, proof, bytes(checkpoint.root))).toBe(true);
    }
    const { body } = await get(`proof?from=${early.size}&size=${checkpoint.size}`);
    const roots = [bytes(early.root), bytes(checkpoint.root)] as const;
    expect(provesConsistency(early.size, checkpoint.size, ...roots, body.proof.map(bytes))).toBe(true);
    expect(body).toMatchObject({ kind: 'consistency', fromRoot: early.root, root: checkpoint.root });
  });

  test('tiles and entry bundles follow C2SP tlog-tiles', async () => {
    const { body: checkpoint } = await get('checkpoint');
    const items = await readItems();
    const raw = async (path: string) => {
      const response = await fetch(`${world.url}/api/v1/reconciliation/log/${path}`, {
        headers: { authorization: `Bearer ${world.key}` },
      });
      return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
    };
    const full = await raw('tile/0/000');
    expect(full.body.toString('hex')).toBe(Buffer.concat(items.slice(0, 256).map(hashItem)).toString('hex'));
    expect(full.headers.get('cache-control')).toContain('immutable');
    const width = checkpoint.size - 256;
    expect((await raw(`tile/0/001.p/${width}`)).body.toString('hex')).toBe(
      Buffer.concat(items.slice(256).map(hashItem)).toString('hex'),
    );
    expect((await raw('tile/1/000.p/1')).body.length).toBe(32);
    expect((await raw('checkpoint')).body.toString()).toBe(checkpoint.checkpoint);
    const bundle = (await raw('tile/entries/000')).body;
    const first = bundle.subarray(2, 2 + bundle.readUInt16BE(0)).toString();
    expect(first).toBe(leafText(items[0] as FeedItemJson));
    for (const path of [
      'tile/0/001',
      'tile/9/000',
      'tile/0/1',
      'tile/0/000.p/256',
      'tile/0/000.p/0',
      'tile/entries/002',
    ]) {
      expect((await raw(path)).status, path).toBe(404);
    }
  });

  test('what cannot be proven is refused', async () => {
    for (const query of ['', 'sequence=1&from=1', 'sequence=0', 'sequence=x', 'from=99&size=5', 'sequence=9&size=3']) {
      expect((await get(`proof?${query}`)).body, query).toMatchObject({ error: 'invalid_request' });
    }
    expect((await get('proof?sequence=1&size=100000')).body).toMatchObject({ error: 'unknown_checkpoint' });
    const { apiKey } = await world.issueKey(world.operator, { scopes: ['markets:read'] });
    expect((await get('checkpoint', { key: apiKey })).status).toBe(403);
  });
});

describe('a rewritten past is found by a checkpoint that the database cannot forge', () => {
  const verify = (expected?: string) => verifyFeed(world.sql, world.operator.operatorId, key, expected);

  /** Undone afterwards, so that each damage stands alone. */
  async function damaged<T>(damage: string, repair: string, look: () => Promise<T>): Promise<T> {
    await world.damage(damage);
    try {
      return await look();
    } finally {
      await world.damage(repair);
    }
  }

  test.each([
    [
      'a time',
      "recorded_at = recorded_at + interval '1 millisecond'",
      "recorded_at = recorded_at - interval '1 millisecond'",
    ],
    ['a customer', "external_user_id = external_user_id || 'x'", 'external_user_id = left(external_user_id, -1)'],
    ['the money', 'trade_minor = trade_minor - 1', 'trade_minor = trade_minor + 1'],
    ['an id', 'digits = gen_random_uuid()', 'digits = null'],
  ])('%s of a row is changed: its first item is named', async (_, change, back) => {
    const [row] = await world.sql<{ sequence: bigint }[]>`
      select max(sequence) as sequence from journal
      where operator_id = ${world.operator.operatorId} and kind = 'order_executed' and sequence < 200`;
    const at = `where operator_id = '${world.operator.operatorId}' and sequence = ${row?.sequence}`;
    const verdict = await damaged(`update journal set ${change} ${at}`, `update journal set ${back} ${at}`, verify);
    expect(verdict).toMatchObject({ ok: false, fault: { sequence: Number(row?.sequence) } });
  });

  // contract 22.20
  test('item, tiles, head and checkpoint rewritten together are found by a checkpoint kept outside', async () => {
    const { body: kept } = await get('checkpoint');
    await world.damage(`
      delete from feed_log_tiles where operator_id = '${world.operator.operatorId}';
      delete from feed_log_heads where operator_id = '${world.operator.operatorId}';
      update journal set recorded_at = recorded_at + interval '1 second' where operator_id = '${world.operator.operatorId}' and sequence =
        (select min(sequence) from journal where operator_id = '${world.operator.operatorId}' and sequence >= 7)`);
    await seal();
    expect(await verify()).toMatchObject({ ok: true });
    expect(await verify(kept.checkpoint)).toMatchObject({ ok: false });
    await sealFeeds(world.sql, signerFromSeed(Buffer.alloc(32, 1)));
    await world.damage(`
      delete from feed_log_tiles where operator_id = '${world.operator.operatorId}';
      delete from feed_log_heads where operator_id = '${world.operator.operatorId}'`);
    await sealFeeds(world.sql, signerFromSeed(Buffer.alloc(32, 1)));
    expect(await verify()).toMatchObject({ ok: false, fault: { reason: expect.stringContaining('not signed') } });
  });
});

test('two workers seal side by side and every log has the root of its feed', async () => {
  const other = await openWorld();
  try {
    const market = await other.openMarket('race');
    const { sql, context } = other;
    const signer = loadLogSigner(context.environment, context.secrets);
    for (let round = 0; round < 5; round += 1) {
      await other.buy(market, 'ana');
      await Promise.all([sealFeeds(sql, signer), sealFeeds(sql, signer)]);
    }
    expect(
      await verifyFeed(sql, other.operator.operatorId, logVerifierKey(other.operator.operatorId, signer)),
    ).toMatchObject({
      ok: true,
    });
  } finally {
    await other.close();
  }
});

test('a counter ahead of its items ends the sealing of that operator with an error, and of no other', async () => {
  const [ahead, other] = [await world.tenant({ mode: 'sandbox' }), await world.tenant({ mode: 'sandbox' })];
  for (const { operator } of [ahead, other]) {
    await world.sql`select ensure_customer(${operator.operatorId}, 'ana')`;
  }
  const count = (by: number) =>
    world.damage(
      `update operator_ledgers set sequence = sequence + ${by} where operator_id = '${ahead.operator.operatorId}'`,
    );
  await count(1);
  await expect(seal()).rejects.toThrow(/has no item \d+, although/);
  await count(-1);
  const [head] = await world.sql`
    select size::int as size from feed_log_heads where operator_id = ${other.operator.operatorId}`;
  expect(head?.['size']).toBeGreaterThan(0);
});
