/** The migration that makes fills a view: what the release before has and runs goes on until its functions are replaced. */
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { applyMigrations } from '../../src/db/schema/apply-migrations.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const FILLS = '0068_fills_in_orders.sql';
const sql = (...parts: string[]) => join(projectRoot, 'sql', ...parts);

let folder: string;
let database: TestDatabase;
let owner: pg.Client;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlay-fills-'));
  database = await createEmptyDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterEach(async () => {
  await owner.end();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function addMigrations(wanted: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(sql('migrations'))).filter(wanted)) {
    await cp(sql('migrations', name), join(folder, name));
  }
  await applyMigrations(owner, folder);
}

/** As a move of the service calls it: a fill of a live order, and its fee later. */
const applyFill = (feeMicros: number | null) =>
  database.sql.unsafe(
    `select apply_fills(array(select json_populate_record(null::order_move, '${JSON.stringify({
      operator_id: 'op_1',
      order_id: 'ord_1',
      fills: [
        {
          fill_no: 1,
          fill_id: 'fil_1',
          quantity: 5,
          price_micros: 400_000,
          fee_micros: feeMicros,
          venue_fill_id: 'v-1',
        },
      ],
    })}')), '2026-01-02 03:04Z')`,
  );
const fillsOf = () => database.sql`select order_id, fill_no, fill_id, fee_micros from fills order by order_id`;

test('fills of before stay, and functions of the release before record fills until they are replaced', async () => {
  await addMigrations((name) => name < FILLS);
  const text = await readFile(sql('functions', 'trading', 'moves', 'apply_fills.sql'), 'utf8');
  await owner.query(text.replace('insert into fill_rows', 'insert into fills'));
  await owner.query(`grant select, insert, update on orders, fills to ${SERVICE_ROLE}`);
  await applyFill(null);

  await addMigrations((name) => name === FILLS);
  await applyFill(7);
  await database.sql`
    insert into fills (operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, filled_at)
    values ('op_1', 'ord_2', 1, 'fil_2', 5, 400000, 0, now())`;
  const recorded = [
    { orderId: 'ord_1', fillNo: 1, fillId: 'fil_1', feeMicros: 7n },
    { orderId: 'ord_2', fillNo: 1, fillId: 'fil_2', feeMicros: 0n },
  ];
  expect(await fillsOf()).toEqual(recorded);

  await migrate(database.ownerUrl);
  await applyFill(7);
  expect(await fillsOf()).toEqual(recorded);
}, 60_000);
