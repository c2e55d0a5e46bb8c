/** The schema is applied once, whoever starts together, and the service's role gets what it needs and no more. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isMigrated, migrate } from '../../src/db/schema/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function emptyDatabase<T>(use: (ownerUrl: string) => Promise<T>): Promise<T> {
  const name = `test_empty_${process.pid}_${Math.floor(performance.now())}`;
  const maintenance = new URL(inject('templateUrl'));
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  await client.query(`create database ${name}`);
  try {
    maintenance.pathname = `/${name}`;
    return await use(maintenance.href);
  } finally {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  }
}

describe('migrate', () => {
  test('lets ten processes start at once on an empty database: one applies, nine find it done', async () => {
    await emptyDatabase(async (ownerUrl) => {
      expect(await isMigrated(ownerUrl)).toBe(false);
      const results = await Promise.all(Array.from({ length: 10 }, () => migrate(ownerUrl)));
      expect(results.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
      expect(results.filter(({ functions }) => functions)).toHaveLength(1);
      expect(results.find(({ functions }) => functions)?.applied).toEqual(['schema']);
      expect(await isMigrated(ownerUrl)).toBe(true);
    });
  });

  test('does nothing on a database that is up to date, as seen by the service role too', async () => {
    expect(await migrate(database.ownerUrl)).toEqual({ applied: [], functions: false, spread: [] });
    expect(await isMigrated(database.url)).toBe(true);
  });

  test('keeps grants by role: another service role gets its own, the owner needs none', async () => {
    const role = `other_${process.pid}`;
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    try {
      await owner.query(`create role ${role} login password 'x'`);
      expect(await isMigrated(database.ownerUrl, role)).toBe(false);
      expect(await migrate(database.ownerUrl, role)).toEqual({ applied: [], functions: true, spread: [] });
      expect(await isMigrated(database.ownerUrl, role)).toBe(true);
      expect(await isMigrated(database.url)).toBe(true);
      expect(await isMigrated(database.ownerUrl, new URL(database.ownerUrl).username)).toBe(true);
      const { rows } = await owner.query(`select has_table_privilege('${role}', 'operators', 'insert') as granted`);
      expect(rows).toEqual([{ granted: true }]);
    } finally {
      await owner.query(`drop owned by ${role}`);
      await owner.query(`drop role ${role}`);
      await owner.end();
    }
  });

  test('refuses a migration that was edited after it had been applied', async () => {
    const own = await createTestDatabase();
    const owner = new pg.Client({ connectionString: own.ownerUrl });
    await owner.connect();
    try {
      await owner.query(`update settings set value = value || '{"schema.sql": "another"}' where name = 'migrations'`);
      await owner.query(`delete from settings where name = 'schema'`);
      await expect(migrate(own.ownerUrl)).rejects.toThrow('sql: schema.sql was edited after it had been applied here');
    } finally {
      await owner.end();
      await own.close();
    }
  });

  test('a release that a later one has replaced leaves the functions alone, until it is asked to put its own back', async () => {
    const own = await createTestDatabase();
    const owner = new pg.Client({ connectionString: own.ownerUrl });
    await owner.connect();
    const known = async () =>
      (await owner.query<{ value: string[] }>(`select value from settings where name = 'replaced schemas'`)).rows[0]
        ?.value;
    try {
      await owner.query(`update settings set value = '"an earlier release"' where name = 'schema'`);
      expect(await migrate(own.ownerUrl)).toEqual({ applied: [], functions: true, spread: [] });
      expect(await known()).toEqual(['an earlier release']);
      await owner.query(
        `update settings set value = (select jsonb_build_array('an earlier release', value) from settings where name = 'schema')
         where name = 'replaced schemas'`,
      );
      await owner.query(`update settings set value = '"a later release"' where name = 'schema'`);
      expect(await migrate(own.ownerUrl)).toEqual({ applied: [], functions: false, spread: [] });
      expect(await isMigrated(own.ownerUrl)).toBe(true);
      expect(await migrate(own.ownerUrl, undefined, { back: true })).toEqual({
        applied: [],
        functions: true,
        spread: [],
      });
      expect(await known()).toEqual(['an earlier release', 'a later release']);
    } finally {
      await owner.end();
      await own.close();
    }
  });

  test('says in one line which right is missing', async () => {
    await emptyDatabase(async (ownerUrl) => {
      const url = new URL(inject('templateServiceUrl'));
      url.pathname = new URL(ownerUrl).pathname;
      await expect(migrate(url.href)).rejects.toThrow(/^[^\n]*permission denied for schema public$/);
    });
  });

  test('lets a role that cannot own tables use the jobs, and keeps it from append-only tables', async () => {
    const { sql } = database;
    await expect(sql`select graphile_worker.add_job('probe', '{}'::json)`).resolves.toHaveLength(1);
    await expect(sql`select count(*) from graphile_worker._private_jobs`).resolves.toEqual([{ count: 1n }]);
    await expect(sql`update journal set operator_id = operator_id`).rejects.toMatchObject({ code: '42501' });
    await expect(sql`truncate journal`).rejects.toMatchObject({ code: '42501' });
    await expect(sql`delete from journal`).rejects.toMatchObject({ code: '42501' });
    await expect(sql`create table mine (a int)`).rejects.toMatchObject({ code: '42501' });
  });
});
