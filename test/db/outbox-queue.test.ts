/** The queue of the outbox is filled by whoever raises an event, and its migration neither loses an event nor takes a relayed one. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { applyMigrations } from '../../src/db/schema/apply-migrations.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';

const QUEUE = '0056_outbox_queue.sql';
const CARRY_OVER = '0057_carry_over_outbox_queue.sql';
const OPERATOR = 'op_1mj5c0zrg8k2';

let folder: string;
const databases: TestDatabase[] = [];
const clients: pg.Client[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlay-outbox-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await Promise.all(databases.splice(0).map((database) => database.close()));
  await rm(folder, { recursive: true, force: true });
});

async function openOwner(database: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  clients.push(client);
  return client;
}

const opened = (database: TestDatabase): TestDatabase => {
  databases.push(database);
  return database;
};

const raise = (client: pg.Client, eventId: string, operatorId = OPERATOR) =>
  client.query(
    `insert into outbox_events (operator_id, event_id, type, dedupe_key, data, created_at)
     values ($1, $2, 'order.filled', $3, '{}', '2026-01-02 03:04Z')`,
    [operatorId, eventId, `order.filled:${eventId}`],
  );

const queueOf = async (client: pg.Client) =>
  (await client.query<{ id: string }>('select event_id as id from outbox_queue order by event_id')).rows.map(
    ({ id }) => id,
  );

async function addMigrations(wanted: (name: string) => boolean): Promise<void> {
  const all = join(projectRoot, 'sql', 'migrations');
  for (const name of (await readdir(all)).filter(wanted)) {
    await cp(join(all, name), join(folder, name));
  }
}

test('events that wait are carried over, and so is one whose transaction began before the queue', async () => {
  const database = opened(await createEmptyDatabase());
  const owner = await openOwner(database);
  await addMigrations((name) => name < QUEUE);
  await applyMigrations(owner, folder);
  await raise(owner, 'evn_1_relayed');
  await owner.query(`update outbox_events set relayed_at = '2026-01-02 03:05Z'`);
  await raise(owner, 'evn_2_waiting');
  const trading = await openOwner(database);
  await trading.query('begin');
  await raise(trading, 'evn_3_in_flight');

  await addMigrations((name) => name === QUEUE || name === CARRY_OVER);
  const applied = applyMigrations(owner, folder);
  const observer = await openOwner(database);
  await expect
    .poll(async () => (await observer.query(`select from pg_locks where not granted`)).rowCount, { timeout: 30_000 })
    .toBeGreaterThan(0);
  await trading.query('commit');
  await applied;
  expect(await queueOf(owner)).toEqual(['evn_2_waiting', 'evn_3_in_flight']);

  await raise(trading, 'evn_4_after');
  expect(await queueOf(owner)).toEqual(['evn_2_waiting', 'evn_3_in_flight', 'evn_4_after']);
  await migrate(database.ownerUrl);
  const { rows } = await owner.query('select relayed from relay_outbox(10)');
  expect(rows).toEqual([{ relayed: 3 }]);
  expect(await queueOf(owner)).toEqual([]);
}, 60_000);

test('the service raises events between the queue and the carry-over, before grants are applied, and each waits once', async () => {
  const database = opened(await createEmptyDatabase());
  const owner = await openOwner(database);
  await addMigrations((name) => name < QUEUE);
  await applyMigrations(owner, folder);
  // what the release before was granted
  await owner.query(`grant select, insert on outbox_events, operator_moves to ${SERVICE_ROLE}`);
  await addMigrations((name) => name === QUEUE);
  await applyMigrations(owner, folder);
  await database.sql`
    insert into outbox_events (operator_id, event_id, type, dedupe_key, data) values (${OPERATOR}, 'evn_1', 'order.filled', 'once', '{}')`;
  await addMigrations((name) => name === CARRY_OVER);
  await applyMigrations(owner, folder);
  expect(await queueOf(owner)).toEqual(['evn_1']);
});

test('an event waits with its own type and time; one that is copied from another cell comes with its own queue', async () => {
  const owner = await openOwner(opened(await createTestDatabase()));
  await raise(owner, 'evn_1');
  const { rows } = await owner.query('select * from outbox_queue');
  expect(rows).toEqual([
    { operator_id: OPERATOR, event_id: 'evn_1', type: 'order.filled', created_at: new Date('2026-01-02T03:04Z') },
  ]);
  await owner.query(
    `insert into operator_moves (operator_id, move_id, leader_id, peer, state) values ('op_2', 'mvo_2', 'op_2', 'west', 'arriving')`,
  );
  await raise(owner, 'evn_2', 'op_2');
  expect(await queueOf(owner)).toEqual(['evn_1']);
  await owner.query(`update operator_moves set state = 'arrived'`);
  await raise(owner, 'evn_3', 'op_2');
  expect(await queueOf(owner)).toEqual(['evn_1', 'evn_3']);
});
