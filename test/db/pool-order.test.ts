/** Which connection of a pool answers: the one that was used last, whose server process has its plans and caches at hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/db/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.close();
});

test('a caller that is alone keeps one server process, whatever the pool had open', async () => {
  const pool = connect(database.url, { max: 5, applicationName: 'inlay-test-order' });
  try {
    const processOf = async (seconds: number) => {
      const [row] = await pool<[{ pid: number }]>`select pg_backend_pid() as pid, pg_sleep(${seconds})`;
      return row.pid;
    };
    const opened = new Set(await Promise.all([0.2, 0.2, 0.2, 0.2, 0.2].map(processOf)));
    expect(opened.size).toBe(5);
    const last = await processOf(0);
    for (let count = 0; count < 10; count += 1) {
      expect(await processOf(0)).toBe(last);
    }
    // and the others are still there
    expect(new Set(await Promise.all([0.2, 0.2, 0.2, 0.2, 0.2].map(processOf)))).toEqual(opened);
  } finally {
    await pool.end();
  }
});
