/** The paper venue when its process, its host or the database's server goes: nothing that it received is forgotten. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyJson } from '../support/any-json.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { askVenue } from './support.ts';
import { createVenueProcesses } from './venue-process.ts';

const LISTING = 'px-us-recession-2027.yes';

let database: TestDatabase;
let folder: string;
const processes = createVenueProcesses();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
  database = await createTestDatabase({ max: 2 });
});
afterAll(async () => {
  processes.killAll();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each on a host of its own: no folder is shared. */
const start = (host: string) => processes.start(database.url, join(folder, host));

async function address(): Promise<string | undefined> {
  const rows = await database.sql<
    { url: string }[]
  >`select value->>'url' as url from settings where name = 'venue:paper'`;
  return rows[0]?.url;
}

async function ask(path: string, body?: object): Promise<AnyJson> {
  return (await askVenue((await address()) ?? '', path, body)).json();
}

const place = (ourId: string) =>
  ask('/v1/orders', {
    ourId,
    listingId: LISTING,
    side: 'YES',
    action: 'BUY',
    quantity: '10',
    limitPrice: '0.999',
    expiresAt: new Date(Date.now() + 20_000).toISOString(),
  });

test('stays where it is through a fail-over that ends its connections, and on another host knows every order', {
  timeout: 120_000,
  tags: 'proof',
}, async () => {
  const first = start('one');
  await until(async () => expect(await address()).toMatch(/^http/), 20_000);
  const url = await address();
  start('two');
  await ask('/control/book', { listingId: LISTING, bids: [], asks: [['0.5', '1000']] });
  const placed = await place('att_moved');
  expect(placed.fills).toHaveLength(1);

  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'inlay-paper%' and datname = current_database()`;
  await timePasses(4_000);
  expect(await address()).toBe(url);
  expect(await ask('/v1/orders/att_moved')).toMatchObject({ orderId: placed.orderId });

  // the host is gone, and the other one has never seen its folder
  first.kill('SIGKILL');
  await until(async () => expect(await address()).not.toBe(url), 30_000);
  expect(await ask('/v1/orders/att_moved')).toMatchObject({
    orderId: placed.orderId,
    state: 'closed',
    fills: placed.fills,
  });
  expect((await ask('/v1/account/fills/att_moved')).fills).toHaveLength(1);
  expect(await place('att_moved')).toMatchObject({ orderId: placed.orderId });
});
