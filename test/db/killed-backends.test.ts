/** Backends killed under load: every query ends soon, with its own answer or a connection error, and the pool goes on. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';

const CONNECTION_ERRORS = ['57P01', 'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'];
/** Between two kills, also on a busy machine. */
const ANSWERS = 16;

let database: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  const maintenance = new URL(database.ownerUrl);
  maintenance.pathname = '/postgres';
  owner = new pg.Client({ connectionString: maintenance.href });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await database.close();
});

test('queries of sixteen clients while all backends are killed eight times', async () => {
  const { sql } = database;
  const name = new URL(database.url).pathname.slice(1);
  const codes = new Set<string>();
  let slowest = 0;
  let answered = 0;
  let running = true;
  const clients = Array.from({ length: 16 }, async (_, client) => {
    for (let turn = 0; running; turn += 1) {
      const started = performance.now();
      const wanted = `${client}:${turn}`;
      try {
        // prepared, with a parameter, pipelined behind another one: each must get its own row
        const [first, second] = await Promise.all([
          sql`select ${wanted}::text as got`,
          sql`select ${turn}::integer as got`,
        ]);
        expect([first[0]?.['got'], second[0]?.['got']]).toEqual([wanted, turn]);
        answered += 1;
      } catch (error) {
        codes.add(error instanceof Error && 'code' in error ? String(error.code) : String(error));
      }
      slowest = Math.max(slowest, performance.now() - started);
    }
  });
  try {
    for (let round = 0; round < 8; round += 1) {
      const before = answered;
      await timePasses(60 + 35 * round);
      await until(() => expect(answered).toBeGreaterThanOrEqual(before + ANSWERS));
      await owner.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
    }
  } finally {
    running = false;
  }
  await Promise.all(clients);
  expect([...codes].filter((code) => !CONNECTION_ERRORS.includes(code))).toEqual([]);
  // far below the connect timeout, behind which a spoiled connection would hide
  expect(slowest).toBeLessThan(4_500);
  // the last kill may not have been noticed by connections that had nothing to do
  await timePasses(500);
  const afterwards = await Promise.all(Array.from({ length: 50 }, (_, turn) => sql`select ${turn}::integer as got`));
  expect(afterwards.map(([row]) => row?.['got'])).toEqual(Array.from({ length: 50 }, (_, turn) => turn));
});
