/** Databases of the development versions: the first release adopts one that has all of their migrations and refuses the others. */
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEVELOPMENT_MIGRATIONS, FIRST_RELEASE } from '../../src/db/schema/adopt-first-release.ts';
import { isMigrated, migrate } from '../../src/db/schema/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await database.close();
});

/** What the migrations of the development versions left behind, where the first release differs. */
async function makeOld(names: readonly string[]): Promise<void> {
  await owner.query('delete from schema_migrations where name = any ($1)', [FIRST_RELEASE]);
  await owner.query('insert into schema_migrations (name, run_on) select name, now() from unnest($1::text[]) name', [
    names,
  ]);
  await owner.query(
    `update settings set value = (select jsonb_object_agg(name || '.sql', 'a hash') from unnest($1::text[]) name) where name = 'migrations'`,
    [names],
  );
  await owner.query(`delete from settings where name = 'schema'`);
  await owner.query(`
    alter table orders drop constraint orders_withdrawn_unsent;
    alter table orders add constraint orders_withdrawn_unsent
      check (cancellation_id is null or transmission_state = 'not_transmitted') not valid`);
}

const recorded = async () => {
  const { rows } = await owner.query<{ name: string }>('select name from schema_migrations');
  return new Set(rows.map(({ name }) => name));
};

test('a database that has all migrations of the development versions is adopted: nothing is applied again', async () => {
  await makeOld(DEVELOPMENT_MIGRATIONS);
  expect(await isMigrated(database.ownerUrl)).toBe(false);
  expect(await migrate(database.ownerUrl)).toEqual({ applied: [], functions: true });
  expect(await isMigrated(database.ownerUrl)).toBe(true);
  const names = await recorded();
  expect([...DEVELOPMENT_MIGRATIONS, ...FIRST_RELEASE].filter((name) => !names.has(name))).toEqual([]);
  const { rows } = await owner.query(
    `select convalidated as valid from pg_constraint where conname = 'orders_withdrawn_unsent'`,
  );
  expect(rows).toEqual([{ valid: true }]);
  expect(await migrate(database.ownerUrl)).toEqual({ applied: [], functions: false });
});

test('a database that lacks one of them is refused with its name, and not changed', async () => {
  await makeOld(DEVELOPMENT_MIGRATIONS.filter((name) => name !== '0061_withdrawn_unsent'));
  const before = await recorded();
  await expect(migrate(database.ownerUrl)).rejects.toThrow(
    /squashed for the first release, and this database of a development version lacks 0061_withdrawn_unsent\./,
  );
  expect(await recorded()).toEqual(before);
});
