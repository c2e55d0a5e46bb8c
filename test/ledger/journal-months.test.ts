/** Each month of the journal has a partition of its own, guarded as the table is, before its first row comes. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TENANT_ROLE } from '../../src/db/by-operator.ts';
import { connect } from '../../src/db/client.ts';
import { migrate, roleOf } from '../../src/db/schema/migrate.ts';
import { readJournal, readJournalBackwards } from '../../src/ledger/journal.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { awayFromMidnight } from '../support/one-minute.ts';

const OPERATOR = 'op_1mj5c0zrg8k2';
let database: TestDatabase;
let owner: pg.Client;
let months: string[];

beforeAll(async () => {
  // no month may end while these tests run
  await awayFromMidnight();
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query(
    `insert into operators (operator_id, slug, name, mode) values ('${OPERATOR}', 'months', 'Months', 'sandbox')`,
  );
  await owner.query(`select open_ledger('${OPERATOR}')`);
  const { rows } = await owner.query<{ name: string }>(`
    select to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', '"journal_"YYYYMM') as name
    from generate_series(0, 2) n`);
  months = rows.map(({ name }) => name);
}, 300_000);
afterAll(async () => {
  await owner.end();
  await database.close();
});
beforeEach(async () => {
  await owner.query('begin');
});

const partitions = async (): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'journal'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
};

/** Credits a customer when the ledger's clock has reached a month, counted from this one. */
const creditIn = async (month: number, user: string) => {
  await owner.query(`
    update operator_ledgers set recorded_at = greatest(clock_timestamp(),
      (date_trunc('month', now() at time zone 'UTC') + ${month} * interval '1 month') at time zone 'UTC')`);
  await owner.query(`select ensure_customer('${OPERATOR}', '${user}')`);
};

const placesOf = async (): Promise<string[]> => {
  const { rows } = await owner.query<{ place: string }>(
    `select external_user_id || ' ' || sequence || ' ' || tableoid::regclass as place from journal order by sequence`,
  );
  return rows.map(({ place }) => place);
};

const undo = () => owner.query('rollback');

test('a migrated database has this month and the next, and a worker makes what is missing', async () => {
  expect(await partitions()).toEqual([months[0], months[1], 'journal_rest']);
  await owner.query(`drop table ${months[1]}`);
  expect((await owner.query('select make_partitions() as made')).rows).toEqual([{ made: [months[1]] }]);
  expect(await partitions()).toEqual([months[0], months[1], 'journal_rest']);
  await undo();
});

test('a row goes to the month in which it is recorded, and only one without a month to the rest', async () => {
  await creditIn(0, 'ana');
  await creditIn(1, 'ben');
  await creditIn(2, 'cleo');
  expect(await placesOf()).toEqual([`ana 1 ${months[0]}`, `ben 2 ${months[1]}`, 'cleo 3 journal_rest']);
  await undo();
});

test('a month of which rows came before its partition gets it for the hours after them', async () => {
  await owner.query(`drop table ${months[0]}`);
  await creditIn(0, 'ana');
  await owner.query('select make_partitions()');
  const { rows } = await owner.query<{ last: boolean }>(`
    select date_trunc('hour', clock_timestamp()) + interval '2 hours'
      >= (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as last`);
  expect((await partitions()).includes(months[0] ?? '')).toBe(rows[0]?.last === false);
  expect(await placesOf()).toEqual(['ana 1 journal_rest']);
  await creditIn(1, 'ben');
  expect((await placesOf()).at(-1)).toBe(`ben 2 ${months[1]}`);
  await undo();
});

test('a month that ends while a page is read is one journal, forwards and backwards', async () => {
  await creditIn(0, 'ana');
  await creditIn(1, 'ben');
  await creditIn(2, 'cleo');
  await creditIn(2, 'dora');
  await owner.query('commit');
  const usersOf = (rows: readonly { externalUserId?: string | null }[]) => rows.map((row) => row.externalUserId);
  const { sql } = database;
  expect(usersOf(await readJournal(sql, OPERATOR, 0n, 9))).toEqual(['ana', 'ben', 'cleo', 'dora']);
  expect(usersOf(await readJournal(sql, OPERATOR, 1n, 2, { kinds: ['wallet_funded'] }))).toEqual(['ben', 'cleo']);
  expect(usersOf(await readJournalBackwards(sql, OPERATOR, undefined, 3))).toEqual(['dora', 'cleo', 'ben']);
  expect(usersOf(await readJournalBackwards(sql, OPERATOR, 3n, 9, { externalUserId: 'ana' }))).toEqual(['ana']);
});

test('no role changes a partition or reads past the policies through its name', async () => {
  await undo();
  const { ownerUrl, url, adminUrl, auditUrl } = database;
  await owner.query(`create table made_later (like ${months[1]})`);
  await migrate(ownerUrl, roleOf(url), { adminRole: roleOf(adminUrl), auditRole: roleOf(auditUrl) });
  await owner.query(`drop table made_later`);
  const roles = {
    service: connect(url, { max: 1, applicationName: 'inlay-test' }),
    admin: connect(adminUrl, { max: 1, applicationName: 'inlay-test' }),
    auditor: connect(auditUrl, { max: 1, applicationName: 'inlay-test' }),
    tenant: connect(url, { max: 1, applicationName: 'inlay-test', role: TENANT_ROLE }),
    owner: connect(ownerUrl, { max: 1, applicationName: 'inlay-test' }),
  };
  try {
    for (const table of await partitions()) {
      for (const [role, sql] of Object.entries(roles)) {
        for (const statement of [`update ${table} set items = items`, `delete from ${table}`, `truncate ${table}`]) {
          await expect(sql.unsafe(statement), `${role}: ${statement}`).rejects.toThrow(
            role === 'owner' ? /append-only/ : /permission denied/,
          );
        }
        if (role !== 'owner') {
          const insert = `insert into ${table} select * from journal limit 1`;
          await expect(sql.unsafe(insert), `${role}: ${insert}`).rejects.toThrow(/permission denied/);
        }
      }
      for (const role of ['service', 'tenant', 'admin'] as const) {
        await expect(roles[role].unsafe(`select from ${table}`), role).rejects.toThrow(/permission denied/);
      }
    }
  } finally {
    await Promise.all(Object.values(roles).map((sql) => sql.end()));
  }
});
