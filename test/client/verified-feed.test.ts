/**
 * The feed reader of the client beside a service that lies: a proxy changes what the service answers, or its owner rewrites the
 * books and signs them again with the real key. The reader applies nothing that does not fit.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { type FeedState, type FollowOptions, followFeed } from '../../src/client/follow-feed.ts';
import type { FeedItem } from '../../src/client/shapes.ts';
import { FeedRewritten } from '../../src/client/verify-log.ts';
import { signCheckpoint, signerFromSeed } from '../../src/core/log-format/notes.ts';
import { loadLogSigner, logVerifierKey, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import type { AnyJson } from '../support/any-json.ts';
import type { TestMarket } from '../support/market.ts';
import { openWorld, type World } from '../support/world.ts';

type Lie = (path: string, answer: AnyJson) => unknown;
const honest: Lie = (_path, answer) => answer;

let world: World;
let market: TestMarket;
let proxy: Server;
let lie = honest;
beforeAll(async () => {
  world = await openWorld();
  market = await world.openMarket('verified-feed');
  await world.buy(market, 'ana');
  proxy = createServer(async (request, response) => {
    const { authorization = '' } = request.headers;
    const answer = await fetch(world.url + request.url, { headers: { authorization } });
    const body = lie(request.url ?? '', await answer.json());
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.close();
  await world.close();
});
beforeEach(() => {
  lie = honest;
});

const signer = () => loadLogSigner(world.context.environment, world.context.secrets);
const seal = () => sealFeeds(world.sql, signer());
const BEGIN: FeedState = { cursor: null, sequence: 0 };

async function read(from: FeedState, options: Partial<FollowOptions> = {}) {
  const applied: FeedItem[] = [];
  let kept = from;
  const { port } = proxy.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: world.key });
  const apply: FollowOptions['apply'] = (facts, state) => {
    applied.push(...facts);
    // as a ledger stores it
    kept = JSON.parse(JSON.stringify(state)) as FeedState;
  };
  const failure = await followFeed(client, { from, apply, verify: {}, ...options }).then(
    () => null,
    (error: unknown) => error,
  );
  return { applied, kept, failure };
}

const items = async () => {
  const [row] = await world.sql<{ count: number }[]>`
    select sequence::float8 as count from operator_ledgers where operator_id = ${world.operator.operatorId}`;
  return row?.count ?? 0;
};

test('a feed is verified from its first item on, over pages, restarts and items that no checkpoint covers yet', async () => {
  await seal();
  const first = await read(BEGIN);
  expect(first).toMatchObject({ failure: null, kept: { sequence: await items(), log: { target: null, later: [] } } });
  const sealed = first.kept.log?.checkpoint;
  await world.buy(market, 'ana');
  const ahead = await read(first.kept);
  expect(ahead.applied.length).toBeGreaterThan(3);
  expect(ahead.kept.log).toMatchObject({ checkpoint: sealed, later: { length: ahead.applied.length } });
  for (let more = 0; more < 90; more += 1) {
    await world.buy(market, `u${more}`);
  }
  await seal();
  await world.buy(market, 'ana');
  const caught = await read(ahead.kept, { verify: { key: logVerifierKey(world.operator.operatorId, signer()) } });
  expect(caught.failure).toBeNull();
  expect(caught.applied.length).toBeGreaterThan(500);
  expect(caught.kept.log?.checkpoint).not.toBe(sealed);
  await seal();
  const last = await read(caught.kept);
  expect(last).toMatchObject({ failure: null, applied: [], kept: { log: { size: await items(), later: [] } } });
});

const LIES: readonly (readonly [title: string, lie: Lie, reason: RegExp])[] = [
  [
    'an item with another amount',
    (path, answer) => {
      const item = path.includes('/feed') && answer.items.find((one: FeedItem) => one.type === 'ledger.posted');
      if (item) {
        item.money.amount = '9.99';
      }
      return answer;
    },
    /are not those that the service signed/,
  ],
  [
    'an item that is withheld at the end',
    (path, answer) =>
      path.includes('/feed') && !answer.hasMore ? { ...answer, items: answer.items.slice(0, -1) } : answer,
    /The feed ends with item/,
  ],
  [
    'a checkpoint of a key of its own',
    (path, answer) => {
      if (!path.includes('/checkpoint')) {
        return answer;
      }
      return { ...answer, checkpoint: foreign.checkpoint };
    },
    /no valid signature/,
  ],
];
const foreign = { checkpoint: '' };

test.each(LIES)('%s is refused, and nothing of the page is applied', async (_title, told, reason) => {
  await seal();
  const honestly = await read(BEGIN);
  foreign.checkpoint = signCheckpoint(
    { origin: `inlay/${world.operator.operatorId}`, size: await items(), root: Buffer.alloc(32) },
    signerFromSeed(Buffer.alloc(32, 9)),
  );
  lie = told;
  const { failure, applied } = await read(BEGIN, {
    verify: { key: logVerifierKey(world.operator.operatorId, signer()) },
  });
  expect(failure).toBeInstanceOf(FeedRewritten);
  expect((failure as Error).message).toMatch(reason);
  expect(applied.length).toBeLessThan(honestly.applied.length);
});

test('the checkpoint of another operator is refused', async () => {
  await seal();
  const { key } = { key: logVerifierKey('op_other', signer()) };
  const { failure } = await read(BEGIN, { verify: { key } });
  expect(failure).toBeInstanceOf(FeedRewritten);
});

test('a log that goes back, and one of the same size with another root, are refused by who read it before', async () => {
  await seal();
  const { kept } = await read(BEGIN);
  const size = kept.sequence ?? 0;
  for (const [claimed, reason] of [
    [size - 1, /went back/],
    [size, /another root/],
  ] as const) {
    const checkpoint = signCheckpoint(
      { origin: `inlay/${world.operator.operatorId}`, size: claimed, root: Buffer.alloc(32, 5) },
      signer(),
    );
    lie = (path, answer) => (path.includes('/checkpoint') ? { ...answer, checkpoint } : answer);
    expect((await read(kept)).failure).toMatchObject({ name: 'FeedRewritten', message: expect.stringMatching(reason) });
  }
});

test('a past that was rewritten and signed again with the real key is found by who read it before, and by no other', async () => {
  await seal();
  const { kept } = await read(BEGIN);
  await world.damage(`
    delete from feed_log_tiles where operator_id = '${world.operator.operatorId}';
    delete from feed_log_heads where operator_id = '${world.operator.operatorId}';
    update journal set recorded_at = recorded_at + interval '1 second' where operator_id = '${world.operator.operatorId}' and sequence = 2`);
  await world.buy(market, 'ana');
  await seal();
  const { failure, applied } = await read(kept);
  expect(failure).toMatchObject({ name: 'FeedRewritten', message: expect.stringContaining('are not those') });
  expect(applied).toEqual([]);
  expect((await read(BEGIN)).failure).toBeNull();
});

test('a filtered feed and a state that was never verified cannot be verified', async () => {
  for (const [from, options] of [
    [BEGIN, { types: ['order.filled'] }],
    [{ cursor: null, sequence: 3 }, {}],
  ] as const) {
    expect((await read(from, options)).failure).toBeInstanceOf(TypeError);
  }
});
