/** Old months in another tablespace: what is read stays the same bytes, what is not proven stays, and a change is refused there too. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { loadLogSigner, logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { verifyFeed } from '../../src/ledger/transparency-log/verify-feed.ts';
import { COPIES, copyPart } from '../../src/operations/fact-months/copy-part.ts';
import { listFactMonths } from '../../src/operations/fact-months/fact-months.ts';
import { isSealed, listFactParts } from '../../src/operations/fact-months/fact-parts.ts';
import { moveOldFacts } from '../../src/operations/fact-months/move-old-facts.ts';
import { AnotherRun } from '../../src/operations/fact-months/only-run.ts';
import { startWorld, type World } from '../reconciliation/world.ts';
import { createTablespace, type TestTablespace } from '../support/tablespace.ts';

/** Of the past, so that all but the last are old. */
const MONTHS = [2024 * 12 + 11, 2024 * 12 + 12, 2025 * 12 + 1];
const FACTS = ['ledger_entries', 'feed_item_rows'];
let world: World;
let owner: Sql;
let key = '';
let cold: TestTablespace;
let tablespace = '';

beforeAll(async () => {
  world = await startWorld();
  owner = connect(world.service.database.ownerUrl, { max: 1, applicationName: 'moved-months', deadlineMs: 60_000 });
  cold = await createTablespace(world.service.database.ownerUrl);
  tablespace = cold.name;
  const { environment, secrets } = world.service.context;
  const signer = loadLogSigner(environment, secrets);
  key = logVerifierKey(world.operatorId, signer);
  for (const month of [0, ...MONTHS]) {
    if (month > 0) {
      await owner`select open_fact_month(${month})`;
    }
    const market = await world.market(`month-${month}`);
    for (const user of ['ana', 'ben', 'ana']) {
      await world.buy(market, user);
    }
    await world.resolve(market, 'YES');
    await world.service.sql`select * from seal_ledger(1000)`;
    await sealFeeds(world.service.sql, signer);
  }
}, 90_000);
afterAll(async () => {
  await owner.end({ timeout: 1 });
  await world.close();
  await cold.remove();
});

/** Several statements as one transaction. */
async function asOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.service.database.ownerUrl });
  await client.connect();
  await client.query(statements);
  await client.end();
}

const move = (keepMonths = 1, exchange = { tries: 5, pauseMs: 100 }) =>
  moveOldFacts(owner, {
    tablespace,
    keepMonths,
    exchange,
    checkFeed: async (operatorId) => (await verifyFeed(world.service.sql, operatorId, key)).fault?.reason ?? null,
  });

/** Everything that partners and auditors read, as text. */
async function readAll(): Promise<string[]> {
  const paths = [
    'reconciliation/feed?limit=500',
    'reconciliation/feed?limit=500&type=order.filled',
    'reconciliation/feed?limit=500&externalUserId=ben',
    ...['ledger', 'feed', 'records'].map((kind) => `reconciliation/export?kind=${kind}&format=jsonl`),
    'reconciliation/proof?sequence=3',
    'settlements',
  ];
  const answers: string[] = [];
  for (const path of paths) {
    const { status, text } = await world.service.request('GET', `/api/v1/${path}`);
    expect(status, path).toBe(200);
    answers.push(text);
  }
  return answers;
}

const places = async () =>
  Object.fromEntries((await listFactParts(owner)).map(({ name, tablespace: place }) => [name, place]));

test('a month with facts behind its newest checkpoint stays', async () => {
  await owner.unsafe('begin');
  try {
    await owner.unsafe(`set local session_replication_role = replica`);
    await owner`update feed_log_heads set size = 1`;
    await owner`delete from ledger_seals`;
    const feed = await partOf('feed_item_rows_202411');
    const entries = await partOf('ledger_entries_202411');
    expect([await isSealed(owner, feed), await isSealed(owner, entries)]).toEqual([false, false]);
  } finally {
    await owner.unsafe('rollback');
  }
});

async function partOf(name: string) {
  const part = (await listFactParts(owner)).find((one) => one.name === name);
  if (part === undefined) {
    throw new Error(`no part ${name}`);
  }
  return part;
}

test('a fact that was changed keeps its part where it is', async () => {
  const change = (sign: '+' | '-') => {
    const [from, to] = sign === '+' ? ['order.filled', 'position.exited'] : ['position.exited', 'order.filled'];
    return asOwner(`set local session_replication_role = replica;
      update ledger_entries_202411 set amounts[1] = amounts[1] ${sign} 1;
      update feed_item_rows_202411 set type = '${to}' where type = '${from}'`);
  };
  await change('+');
  try {
    const { waiting } = await move(1);
    expect(waiting).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ part: 'ledger_entries_202411', reason: 'broken_seal' }),
        expect.objectContaining({ part: 'feed_item_rows_202411', reason: 'broken_feed' }),
      ]),
    );
    expect((await places())['ledger_entries_202411']).toBe('pg_default');
  } finally {
    await change('-');
  }
});

test('what was old is moved, the running month is not, and everything reads the same', async () => {
  const before = await readAll();
  const { moved, waiting } = await move(1);
  expect(waiting).toEqual([]);
  expect(moved.length).toBeGreaterThan(0);
  const now = await places();
  for (const table of FACTS) {
    // of two months before the running one, one is kept
    expect([now[`${table}_1`], now[`${table}_202411`], now[`${table}_202412`], now[`${table}_202501`]]).toEqual([
      tablespace,
      tablespace,
      'pg_default',
      'pg_default',
    ]);
  }
  const [inPlace] = await owner<[{ count: number }]>`
    select count(*)::int as count from pg_class c join pg_tablespace t on t.oid = c.reltablespace
    where t.spcname = ${tablespace} and c.relkind = 'i' and c.relname like 'feed_item_rows_202411%'`;
  expect(inPlace.count).toBe(5);
  expect(await readAll()).toEqual(before);
  expect((await world.service.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true });
  expect((await verifyFeed(world.service.sql, world.operatorId, key)).fault).toBeNull();
  expect(await move(1)).toEqual({ moved: [], waiting: [] });
  expect((await listFactMonths(world.service.sql)).map(({ month, tablespaces }) => [month, tablespaces])).toEqual([
    [null, [tablespace]],
    ['2024-11', [tablespace]],
    ['2024-12', ['pg_default']],
    ['2025-01', ['pg_default']],
  ]);
});

test('trading goes on after the move, and facts that were moved refuse changes', async () => {
  const market = await world.market('after-the-move');
  await world.buy(market, 'ana');
  for (const table of FACTS) {
    await expect(owner.unsafe(`update ${table} set position = position where fact_month = 24299`)).rejects.toThrow(
      /append-only|never change/i,
    );
    await expect(owner.unsafe(`delete from ${table}_202411`)).rejects.toThrow();
    await expect(owner.unsafe(`truncate ${table}_202411`)).rejects.toThrow();
  }
  expect((await world.service.request('GET', '/api/v1/reconciliation')).body).toMatchObject({ ok: true });
});

test('a part in use stays and is moved by the next run, and back to the main disk as well', async () => {
  const holder = new pg.Client({ connectionString: world.service.database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select count(*) from feed_items');
  const back = (tries: number) =>
    moveOldFacts(owner, {
      tablespace: 'pg_default',
      keepMonths: 1,
      exchange: { tries, pauseMs: 50 },
      checkFeed: async () => null,
    });
  const { waiting } = await back(2);
  expect(waiting.map(({ reason }) => reason)).toContain('tables_in_use');
  expect(await owner`select 1 from pg_namespace where nspname = ${COPIES}`).toEqual([]);
  await holder.end();
  expect((await back(5)).waiting).toEqual([]);
  expect(new Set(Object.values(await places()))).toEqual(new Set(['pg_default']));
});

test('one run at a time, and what an ended run left is removed', async () => {
  const other = connect(world.service.database.ownerUrl, { max: 1, applicationName: 'other', deadlineMs: 60_000 });
  await copyPart(other, await partOf('feed_item_rows_202411'), tablespace, 3);
  const [copied] = await owner.unsafe<[{ same: boolean }]>(
    `select (select count(*) from ${COPIES}.feed_item_rows_202411) = (select count(*) from feed_item_rows_202411) as same`,
  );
  expect(copied.same).toBe(true);
  await other`select pg_advisory_lock(7316001000000023)`;
  await expect(move(1)).rejects.toThrow(AnotherRun);
  await other.end({ timeout: 1 });
  await expect.poll(async () => (await move(1).catch(() => ({ waiting: ['locked'] }))).waiting).toEqual([]);
  expect(await owner`select 1 from pg_namespace where nspname = ${COPIES}`).toEqual([]);
});
