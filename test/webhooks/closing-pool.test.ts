import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../../src/db/pg-client.ts';
import { endSessions } from '../support/database.ts';
import { timePasses } from '../support/until.ts';
import { openWebhookWorld, type WebhookWorld } from './world.ts';

const ROUNDS = 25;

let world: WebhookWorld;

beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world.close());

test('connections that the server ends while the jobs stop do not end the process', {
  // each start opens connections anew, which takes seconds if operators are on several servers
  timeout: 180_000,
  tags: 'proof',
}, async () => {
  const uncaught: unknown[] = [];
  const listener = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', listener);
  process.on('unhandledRejection', listener);
  for (let round = 0; round < ROUNDS; round += 1) {
    const jobs = await world.startJobs().catch(() => null);
    if (jobs === null) {
      continue;
    }
    // whether it closed well is heard by whoever closes; what nobody hears is what ends a process
    const stopping = jobs.close().catch(() => {});
    for (let again = 0; again < 3; again += 1) {
      await endSessions(world.database);
    }
    await stopping;
  }
  await timePasses(200);
  process.off('uncaughtException', listener);
  process.off('unhandledRejection', listener);
  expect(uncaught).toEqual([]);
});

test('a client of a pool is given back once, however often it is', async () => {
  const pool = openPool(world.database.ownerUrl, { applicationName: 'inlay-test-pool', max: 1 });
  for (let turn = 0; turn < 2; turn += 1) {
    await new Promise<void>((resolve, reject) => {
      pool.connect((error, _client, release) => {
        if (error !== undefined) {
          reject(error);
          return;
        }
        release();
        release();
        resolve();
      });
    });
  }
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});
