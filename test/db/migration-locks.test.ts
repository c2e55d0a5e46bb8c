/** Migrations beside a service that goes on: they hold nothing up while they wait for a lock, and build indexes concurrently. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrationFiles } from '../../src/db/schema/apply-functions.ts';
import { applyMigrations } from '../../src/db/schema/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses } from '../support/until.ts';

let database: TestDatabase;
let folder: string;
const clients: pg.Client[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlay-migrations-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await rm(folder, { recursive: true, force: true });
});

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  clients.push(client);
  return client;
}

const migration = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text);
const setRate = async () => {
  const start = performance.now();
  await database.sql`insert into display_rates (currency, rate) values ('EUR', 1) on conflict (currency) do update set rate = excluded.rate`;
  return performance.now() - start;
};

test('a migration that cannot get its lock gives way, and gets it once the table is free', {
  tags: 'proof',
}, async () => {
  await migration('9001_note', 'alter table display_rates add column note text');
  const reader = await openClient();
  await reader.query('begin');
  await reader.query('select * from display_rates');
  const applied = applyMigrations(await openClient(), folder);
  // without a timeout every write would wait behind the migration for as long as the reader reads
  const waits: number[] = [];
  const end = performance.now() + 5_000;
  while (performance.now() < end) {
    waits.push(await setRate());
    await timePasses(50);
  }
  expect(Math.max(...waits)).toBeLessThan(4_500);
  expect(waits.filter((wait) => wait < 500).length).toBeGreaterThan(5);
  await reader.query('commit');
  expect(await applied).toEqual(['9001_note']);
  expect(await applyMigrations(await openClient(), folder)).toEqual([]);
});

test('an index is built concurrently, while the table is written to', async () => {
  await migration(
    '9002_index',
    `-- concurrently
-- an index that an earlier try left unfinished is in the way
drop index concurrently if exists display_rates_set;
create index concurrently display_rates_set on display_rates (set_at);
`,
  );
  const writer = await openClient();
  await writer.query('begin');
  await writer.query("insert into display_rates (currency, rate) values ('GBP', 1)");
  const applied = applyMigrations(await openClient(), folder);
  for (let round = 0; round < 20; round += 1) {
    expect(await setRate()).toBeLessThan(3_000);
    await timePasses(25);
  }
  await writer.query('commit');
  expect(await applied).toEqual(['9002_index']);
  const [index] =
    await database.sql`select indisvalid as valid from pg_index where indexrelid = 'display_rates_set'::regclass`;
  expect(index).toEqual({ valid: true });
});

test('a migration that fails otherwise is not tried again, and leaves nothing behind', async () => {
  await migration('9003_broken', 'create table half (a int); select 1 / 0');
  await expect(applyMigrations(await openClient(), folder)).rejects.toThrow(/division by zero/);
  const [half] = await database.sql`select to_regclass('half') as name`;
  expect(half).toEqual({ name: null });
});

/** What would hold up trading while a migration runs: an index or a key of a table that the file did not make itself. */
const holdingUp = (text: string): (string | undefined)[] => {
  const made = new Set(
    [...text.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(([, name]) => name),
  );
  return [
    ...text.matchAll(/create (?:unique )?index (?!concurrently)\w+ on (?:only )?(\w+)/g),
    ...text.matchAll(/alter table (?:only )?(\w+)[^;]*add (?:constraint \w+ )?(?:primary key|unique) \(/g),
  ]
    .map(([, name]) => name)
    .filter((name) => !made.has(name));
};

test('no migration builds an index on a table in use inside its transaction', async () => {
  expect(holdingUp('create index orders_note on orders (note);')).toEqual(['orders']);
  expect(holdingUp('alter table orders add constraint one_note unique (note);')).toEqual(['orders']);
  expect(holdingUp('create table notes (n int); create index notes_n on notes (n);')).toEqual([]);
  for (const file of migrationFiles()) {
    expect([file, holdingUp(await readFile(file, 'utf8'))]).toEqual([file, []]);
  }
});
