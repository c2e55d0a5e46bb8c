/** Aggregators and their children: one mode, one level, one ceiling. Refused when written, and not acted on where it is there already. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { createAdmission } from '../../src/operators/admission.ts';
import { hashApiKey, issueKey } from '../../src/operators/keys.ts';
import { changeOperator, createOperator } from '../../src/operators/operators.ts';
import { openRateCounters, type RateCounters } from '../../src/operators/rate-counters.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { inOneMinute } from '../support/one-minute.ts';

let database: TestDatabase;
let owner: pg.Client;
let counters: RateCounters;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  counters = openRateCounters(database.sql, createLog('silent'));
});

afterAll(async () => {
  await counters.close();
  await owner.end();
  await database.close();
});

const create = (slug: string, mode: 'sandbox' | 'live', parent?: string) =>
  createOperator(database.sql, { slug, mode, ...(parent === undefined ? {} : { parent }) });
const refused = { code: 'invalid_request' };

/** Writes what the trigger refuses, as a database of an older release may hold it. */
async function write(slug: string, parentId: string | null): Promise<void> {
  await owner.query('alter table operators disable trigger operators_parent');
  await owner.query('update operators set parent_id = $2 where slug = $1', [slug, parentId]);
  await owner.query('alter table operators enable trigger operators_parent');
}

// contract 34.9
test('a parent of another mode is refused when written, by a command and by SQL', async () => {
  const sandbox = await create('a-sandbox', 'sandbox');
  const live = await create('a-live', 'live');
  await expect(create('a-child', 'live', 'a-sandbox')).rejects.toMatchObject(refused);
  await expect(changeOperator(database.sql, 'a-live', { parent: 'a-sandbox' })).rejects.toMatchObject(refused);
  await expect(
    database.sql`update operators set parent_id = ${sandbox.operatorId} where operator_id = ${live.operatorId}`,
  ).rejects.toThrow('has the mode of its parent');
  const child = await create('a-good-child', 'sandbox', 'a-sandbox');
  expect(child.parentId).toBe(sandbox.operatorId);
  // the parent cannot leave its children's mode, nor a child its parent's
  await expect(changeOperator(database.sql, 'a-sandbox', { mode: 'live' })).rejects.toMatchObject(refused);
  await expect(changeOperator(database.sql, 'a-good-child', { mode: 'live' })).rejects.toMatchObject(refused);
});

// contract 34.9
test('chains and cycles are refused, also when two are written at once', async () => {
  await create('b-top', 'live');
  await create('b-middle', 'live', 'b-top');
  await create('b-lone', 'live');
  await expect(create('b-low', 'live', 'b-middle')).rejects.toMatchObject(refused);
  await expect(changeOperator(database.sql, 'b-top', { parent: 'b-lone' })).rejects.toMatchObject(refused);
  await expect(changeOperator(database.sql, 'b-lone', { parent: 'b-lone' })).rejects.toMatchObject(refused);
  await create('b-other', 'live');
  const both = await Promise.allSettled([
    changeOperator(database.sql, 'b-lone', { parent: 'b-other' }),
    changeOperator(database.sql, 'b-other', { parent: 'b-lone' }),
  ]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a sandbox key does not act for a live child that an older release wrote', async () => {
  const admit = createAdmission(database.sql, counters, { rememberMs: 0 });
  const sandbox = await create('c-sandbox', 'sandbox');
  const live = await create('c-live', 'live');
  const { apiKey } = await issueKey(database.sql, sandbox);
  await write('c-live', sandbox.operatorId);
  const ask = (actingFor: string) => admit({ keyHash: hashApiKey(apiKey), actingFor, scopes: ['orders:write'] });
  expect((await ask(live.operatorId)).outcome).toBe('operator_not_permitted');
  // a chain: the middle one acts for nobody
  const child = await create('c-child', 'sandbox', 'c-sandbox');
  await create('c-grand', 'sandbox');
  expect((await ask(child.operatorId)).outcome).toBe('admitted');
  const top = await create('c-top', 'sandbox');
  await write('c-sandbox', top.operatorId);
  expect((await ask(child.operatorId)).outcome).toBe('operator_not_permitted');
});

// contract 35.3
test("a child's own key counts against its holder's ceiling", async () => {
  const admit = createAdmission(database.sql, counters, { rememberMs: 0 });
  const holder = await createOperator(database.sql, { slug: 'd-holder', mode: 'sandbox', rateCeiling: 5 });
  const child = await create('d-child', 'sandbox', 'd-holder');
  const own = await issueKey(database.sql, child);
  const holders = await issueKey(database.sql, holder);
  const ask = async (key: string, actingFor: string | null = null) =>
    (await admit({ keyHash: hashApiKey(key), actingFor, scopes: [] })).outcome;
  await inOneMinute(3, async () => {
    const outcomes = [];
    for (let index = 0; index < 3; index += 1) {
      outcomes.push(await ask(own.apiKey), await ask(holders.apiKey, child.operatorId));
    }
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'admitted'), 'rate_limited']);
    expect(await ask(own.apiKey)).toBe('rate_limited');
  });
});
