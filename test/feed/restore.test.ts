/** A dump of the data restored into another cluster, where transaction ids mean nothing: the same cursors go on as before. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { type Database, startDatabase } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { readFeed } from '../../src/ledger/read-feed.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { pageSettlements } from '../../src/settlement/settlements.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let other: Database;
let sql: Sql;
let dataDir: string;

beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('restored');
  await world.buy(market, 'ana');
  await world.buy(market, 'ben', 'NO');
  await world.buy(market, 'ana');
  await world.resolve(market, 'NO');
  dataDir = mkdtempSync(join(tmpdir(), 'inlay-other-'));
  chmodSync(dataDir, 0o711);
  other = await startDatabase(dataDir, { durable: false });
  await migrate(other.ownerUrl);
  sql = connect(other.url, { max: 2, applicationName: 'inlay-test' });
}, 120_000);
afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await other?.close();
  rmSync(dataDir, { recursive: true, force: true });
  await world.close();
});

interface Page {
  items: { sequence: number }[];
  nextCursor: string;
  hasMore: boolean;
}

// contract 21.2
test('cursors of feed and settlements survive a dump and restore into another cluster', async () => {
  const { sql: first } = world;
  const op = world.operator.operatorId;
  const half = JSON.parse((await readFeed(first, op, { limit: 7 })).json) as Page;
  const settled = await pageSettlements(first, op, { limit: 1 });
  const { json: rest } = await readFeed(first, op, { cursor: half.nextCursor, limit: 500 });
  const restSettled = await pageSettlements(first, op, { limit: 100, cursor: settled.nextCursor });

  await dumpAndRestore(world.database.ownerUrl, other.ownerUrl);

  expect((await readFeed(sql, op, { cursor: half.nextCursor, limit: 500 })).json).toBe(rest);
  expect(await pageSettlements(sql, op, { limit: 100, cursor: settled.nextCursor })).toEqual(restSettled);
  const tail = JSON.parse(rest) as Page;
  expect(JSON.parse((await readFeed(sql, op, { cursor: tail.nextCursor, limit: 500 })).json)).toMatchObject({
    items: [],
  });
  await sql`select ensure_customer(${op}, 'after-the-move')`;
  const next = JSON.parse((await readFeed(sql, op, { cursor: tail.nextCursor, limit: 500 })).json) as Page;
  expect(next.items.map((item) => item.sequence)).toEqual([(tail.items.at(-1)?.sequence ?? 0) + 1]);
  expect((await runReport(sql, op)).findings).toEqual([]);
});

async function dumpAndRestore(fromUrl: string, toUrl: string): Promise<void> {
  const source = new pg.Client({ connectionString: fromUrl });
  const target = new pg.Client({ connectionString: toUrl });
  await Promise.all([source.connect(), target.connect()]);
  await target.query('set session_replication_role = replica');
  const { rows } = await source.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('schema_migrations', 'settings')
    group by c.relname`);
  await target.query(`truncate ${rows.map((row) => row.name).join(', ')}`);
  for (const { name, columns } of rows) {
    await pipeline(
      source.query(copyTo(`copy (select ${columns} from ${name}) to stdout`)),
      target.query(copyFrom(`copy ${name} (${columns}) from stdin`)),
    );
  }
  await Promise.all([source.end(), target.end()]);
}
