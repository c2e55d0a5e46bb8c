/** The queue of the outbox is filled by whoever raises an event. */
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const OPERATOR = 'op_1mj5c0zrg8k2';

const databases: TestDatabase[] = [];
const clients: pg.Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await Promise.all(databases.splice(0).map((database) => database.close()));
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

test('an event waits with its own type and time', async () => {
  const owner = await openOwner(opened(await createTestDatabase()));
  await raise(owner, 'evn_1');
  const { rows } = await owner.query('select * from outbox_queue');
  expect(rows).toEqual([
    { operator_id: OPERATOR, event_id: 'evn_1', type: 'order.filled', created_at: new Date('2026-01-02T03:04Z') },
  ]);
});
