/** Facts of several months are one feed and one ledger, and a read of a range opens the partitions of its months alone. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { loadLogSigner, logVerifierKey } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { verifyFeed } from '../../src/ledger/transparency-log/verify-feed.ts';
import { maintainPartitions } from '../../src/operations/partitions.ts';
import { startWorld, type World } from '../reconciliation/world.ts';

/** Of the past, so that the running month is still to come. */
const MONTHS = [2024 * 12 + 11, 2024 * 12 + 12, 2025 * 12 + 1];
const FACTS = ['feed_item_rows', 'ledger_entries'];
let world: World;
let owner: pg.Client;
let key = '';
/** The last position of each part: of before the first month, and of each month. */
const ends: number[] = [];
beforeAll(async () => {
  world = await startWorld();
  owner = new pg.Client({ connectionString: world.service.database.ownerUrl });
  await owner.connect();
  const { environment, secrets } = world.service.context;
  const signer = loadLogSigner(environment, secrets);
  key = logVerifierKey(world.operatorId, signer);
  for (const month of [0, ...MONTHS]) {
    if (month > 0) {
      await owner.query('select open_fact_month($1)', [month]);
    }
    const market = await world.market(`part-${month}`);
    // more items than a row may reach over
    for (const user of ['ana', 'ben', 'ana', 'ben', 'ana', 'ben', 'ana', 'ben']) {
      await world.buy(market, user);
    }
    await world.resolve(market, 'YES');
    await sealFeeds(world.service.sql, signer);
    await world.service.sql`select * from seal_ledger(1000)`;
    const { rows } = await owner.query('select feed_position from operator_counters where operator_id = $1', [
      world.operatorId,
    ]);
    ends.push(Number(rows[0]?.feed_position));
  }
}, 90_000);
afterAll(async () => {
  await owner.end();
  await world.close();
});

interface Item {
  readonly sequence: number;
  readonly type: string;
  readonly externalUserId: string | null;
}

async function readPages(query: string, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await world.service.request(
      'GET',
      `/api/v1/reconciliation/feed?limit=${limit}${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    items.push(...body.items);
    cursor = body.nextCursor;
    if (!body.hasMore) {
      return items;
    }
  }
}

test('each fact is in the partition of its month, and says nothing of it to a partner', async () => {
  for (const table of FACTS) {
    const { rows } = await owner.query<{ name: string; first: number; last: number }>(
      `select tableoid::regclass::text as name, min(position)::int as first, max(position)::int as last
       from ${table} where operator_id = $1 group by 1 order by 2`,
      [world.operatorId],
    );
    expect(rows.map(({ name }) => name)).toEqual([
      `${table}_1`,
      `${table}_202411`,
      `${table}_202412`,
      `${table}_202501`,
    ]);
    for (const [part, { first, last }] of rows.entries()) {
      expect(first).toBeGreaterThan(part === 0 ? 0 : (ends[part - 1] ?? 0));
      expect(last).toBeLessThanOrEqual(ends[part] ?? 0);
    }
  }
  const { text } = await world.service.request('GET', '/api/v1/reconciliation/feed?limit=500');
  expect(text).not.toContain('month');
});

test('pages of every size and filter go over the months without a gap', async () => {
  const all = await readPages('', 500);
  expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: ends.at(-1) ?? 0 }, (_, n) => n + 1));
  for (const limit of [1, 7, 20]) {
    expect(await readPages('', limit)).toEqual(all);
  }
  expect(await readPages('&type=order.filled', 2)).toEqual(all.filter(({ type }) => type === 'order.filled'));
  expect(await readPages('&externalUserId=ben', 3)).toEqual(
    all.filter(({ externalUserId }) => externalUserId === 'ben'),
  );
});

test('report, proofs, seals, export and statement hold over all months', async () => {
  const report = await world.service.request('GET', '/api/v1/reconciliation');
  expect(report.body).toMatchObject({ ok: true });
  expect((await verifyFeed(world.service.sql, world.operatorId, key)).fault).toBeNull();
  const size = ends.at(-1);
  for (const place of ends) {
    const proof = await world.service.request('GET', `/api/v1/reconciliation/proof?sequence=${place}&size=${size}`);
    expect(proof.status, proof.text).toBe(200);
  }
  const [lines] = await world.service.sql<{ count: number }[]>`select count(*)::int as count from ledger_lines`;
  const exported = await world.service.request('GET', '/api/v1/reconciliation/export?kind=ledger&format=jsonl');
  expect(exported.text.trim().split('\n')).toHaveLength(lines?.count ?? 0);
  const records = await world.service.request('GET', '/api/v1/reconciliation/export?kind=records&format=jsonl');
  expect(records.text).toContain('"record":"ledger_lines"');
  expect(records.text).not.toContain('fact_month');
});

/** The partitions of feed and entries whose primary key a statement searched. */
async function searched(statement: string): Promise<string[]> {
  const count = async () => {
    const { rows } = await owner.query<{ name: string; scans: number }>(
      `select part.relid::text as name, pg_stat_get_xact_numscans(i.indexrelid)::int as scans
       from unnest($1::regclass[]) whole(name) cross join lateral pg_partition_tree(whole.name) part
         join pg_index i on i.indrelid = part.relid and i.indisprimary
       where part.isleaf order by 1`,
      [FACTS],
    );
    return rows;
  };
  await owner.query('begin');
  try {
    const before = await count();
    await owner.query(statement);
    const after = await count();
    return after.filter(({ scans }, index) => scans > (before[index]?.scans ?? 0)).map(({ name }) => name);
  } finally {
    await owner.query('rollback');
  }
}

test('a page opens the partitions of its months and no other', async () => {
  const page = (after: number, limit: number) =>
    searched(`select * from read_feed('${world.operatorId}', ${after}, null, null, null, ${limit})`);
  const [before = 0, first = 0, second = 0] = ends;
  const parts = (...suffixes: string[]) => FACTS.flatMap((table) => suffixes.map((suffix) => `${table}_${suffix}`));
  expect(await page(0, 3)).toEqual(parts('1'));
  // an item may be in a row of the month before
  expect(await page(before, 3)).toEqual(parts('1', '202411'));
  expect(await page(before + 40, 3)).toEqual(parts('202411'));
  expect(await page(first - 2, 4)).toEqual(parts('202411', '202412'));
  expect(await page(second + 40, 500)).toEqual(parts('202501'));
});

test('no month changes a fact, none begins twice, and none that is over begins again', async () => {
  for (const table of FACTS) {
    for (const statement of [
      `truncate ${table}_202411`,
      `delete from ${table}_202411`,
      `update ${table}_202411 set position = position`,
      `update ${table} set fact_month = null`,
    ]) {
      await expect(owner.query(statement), statement).rejects.toThrow(/append-only/);
    }
  }
  await expect(owner.query('delete from fact_month_starts')).rejects.toThrow(/append-only/);
  for (const month of MONTHS) {
    const { rows } = await owner.query('select open_fact_month($1) as begun', [month]);
    expect(rows).toEqual([{ begun: null }]);
  }
  await expect(world.service.sql`select open_fact_month(30000)`).rejects.toMatchObject({ code: '42501' });
});

test('a position cannot be written twice in a month, and a second one in another month is found', async () => {
  const again = `insert into feed_item_rows (operator_id, position, type, item_id, occurred_at, detail)
    values ('${world.operatorId}', $1, 'webhook.emitted', 'evn_again', now(), '{}')`;
  const [row] = await world.service.sql<{ position: bigint }[]>`select max(position) as position from feed_item_rows`;
  await expect(owner.query(again, [row?.position])).rejects.toThrow(/duplicate key/);
  await owner.query('begin');
  await owner.query(again, [ends[0]]);
  const { rows } = await owner.query('select * from check_feed_gap($1, 0)', [world.operatorId]);
  await owner.query('rollback');
  expect(rows).toMatchObject([{ severity: 'critical' }]);
});

test('the running month begins by itself once a first one has, behind no long statement', async () => {
  const reader = new pg.Client({ connectionString: world.service.database.ownerUrl });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from feed_items');
  await expect(maintainPartitions(world.service.sql, createLog('silent'))).rejects.toMatchObject({ code: '55P03' });
  await reader.query('rollback');
  await reader.end();
  await maintainPartitions(world.service.sql, createLog('silent'));
  await maintainPartitions(world.service.sql, createLog('silent'));
  const { rows } = await owner.query(
    `select suffix = to_char(now() at time zone 'UTC', 'YYYYMM') as running from fact_months order by month`,
  );
  expect(rows).toEqual([false, false, false, true].map((running) => ({ running })));
  await world.buy(await world.market('running'), 'ana');
  const items = await readPages('', 50);
  expect(items.map(({ sequence }) => sequence)).toEqual(Array.from({ length: items.length }, (_, n) => n + 1));
});
