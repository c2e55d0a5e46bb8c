/**
 * A sentinel: postgres 3.4.9 runs queries of a transaction whose backend was killed inside another transaction
 * (porsager/postgres issues 1204, 1208). It is why src has no `sql.begin` (docs/decisions.md "A money command is one SQL statement"). When this
 * test fails, a release has mended it, and the rule may be looked at again.
 */
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses } from '../support/until.ts';

let database: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('create table marks (mark text)');
  await owner.query('grant all on marks to public');
});
afterAll(async () => {
  await owner.end();
  await database.close();
});

const pause = (ms: number) => timePasses(ms);

test('work of a rolled-back transaction is committed by another one', async () => {
  const sql = postgres(database.url, { max: 1, onnotice: () => {} });
  let secondIsOpen: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    secondIsOpen = resolve;
  });
  const first = sql.begin(async (tx) => {
    const [row] = await tx`select pg_backend_pid() as pid`;
    await tx`insert into marks values ('first')`;
    await owner.query('select pg_terminate_backend($1)', [row?.['pid']]);
    await Promise.race([opened, pause(3000)]);
    await tx`insert into marks values ('stray')`;
    // while the other one commits
    await pause(800);
    throw new Error('rolled back');
  });
  const second = sql.begin(async (tx) => {
    await tx`insert into marks values ('second')`;
    secondIsOpen();
    await pause(400);
  });
  const [rolledBack] = await Promise.allSettled([first, second]);
  expect(rolledBack.status).toBe('rejected');
  await sql.end({ timeout: 1 });
  const { rows } = await owner.query('select mark from marks order by mark');
  expect(rows.map((row) => row.mark)).toEqual(['second', 'stray']);
});
