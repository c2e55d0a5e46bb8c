/** Trading goes on while the schema of its hottest table changes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '../../src/db/schema/migrate.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { timePasses, until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const CLIENTS = 4;
const PAUSE_MS = 20;

let service: World;
let market: TestMarket;
let folder: string;
beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('migrated');
  folder = await mkdtemp(join(tmpdir(), 'inlay-migrations-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('orders are placed while columns, a constraint and an index are added to the table of orders', async () => {
  const files = {
    '9101_expand': 'alter table orders add column note text; alter table orders add column weight integer default 1',
    '9102_constrain': 'alter table orders add constraint weight_positive check (weight > 0) not valid',
    '9103_index':
      '-- concurrently\ndrop index concurrently if exists orders_note;\ncreate index concurrently orders_note on orders (note);\n',
    '9104_validate': 'alter table orders validate constraint weight_positive',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.sql`), text);
  }
  const answers: string[] = [];
  const times: number[] = [];
  let running = true;
  const send = async (path: string, user: string, body: object) => {
    const started = performance.now();
    const answer = await service.request('POST', path, { user, body });
    answers.push(answer.status > 201 ? answer.text : 'done');
    times.push(performance.now() - started);
    return answer.body;
  };
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    const user = `customer-${client}`;
    for (let number = 0; running; number += 1) {
      const wanted = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 2 };
      const { quoteId } = await send('/api/v1/quotes', user, wanted);
      await send('/api/v1/orders', user, { quoteId, clientOrderId: `${client}-${number}` });
      await timePasses(PAUSE_MS);
    }
  });
  const confirming = setInterval(() => {
    setBook(service.sql, market, { bids: [['0.55', '100000']], asks: [['0.57', '100000']] }).catch(() => {});
  }, 500);
  const [owner, reader] = [0, 1].map(() => new pg.Client({ connectionString: service.database.ownerUrl }));
  await owner?.connect();
  await reader?.connect();
  try {
    const more = async () => {
      const before = answers.length;
      await until(() => expect(answers.length).toBeGreaterThan(before + 5), 20_000);
    };
    await more();
    // a long report is in the way of the first change
    await reader?.query('begin');
    await reader?.query('select count(*) from orders');
    const applied = owner === undefined ? Promise.resolve([]) : applyMigrations(owner, folder);
    await timePasses(700);
    await reader?.query('commit');
    expect(await applied).toEqual(Object.keys(files));
    await more();
  } finally {
    running = false;
    clearInterval(confirming);
    await Promise.all(clients);
    await owner?.end();
    await reader?.end();
  }
  expect(answers.filter((answer) => answer !== 'done')).toEqual([]);
  // the longest wait is the lock timeout of a change, 2 s, never its whole duration
  expect(Math.max(...times)).toBeLessThan(4_000);
  const report = await service.request('GET', '/api/v1/reconciliation');
  expect(report.body.ok).toBe(true);
}, 60_000);
