/** The auditor builds its books anew beside the old ones, and puts them in their place: whatever else happens, the books stay right. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAnew, readBooks, readOn, readPlace, readRows, writeBooks } from '../../src/audit/read-on.ts';
import { toldOf } from '../../src/ledger/render/told.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import type { TestMarket } from '../support/market.ts';
import { startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const BOOKS = ['accounts', 'orders', 'fills', 'positions', 'holdings', 'settlements', 'movements', 'deposits'];

let world: World;
let market: TestMarket;
let operatorId: string;
beforeAll(async () => {
  world = await openWorld();
  ({ operatorId } = world.operator);
  market = await world.openMarket('anew');
  const settled = await world.openMarket('anew-settled');
  for (const user of ['ana', 'ben']) {
    await world.buy(market, user);
    await world.buy(settled, user, 'NO', 7);
    await world.sell(market, user, 5);
  }
  await world.resolve(settled, 'NO');
  await runReport(world.sql, operatorId);
});
afterAll(() => world.close());

const findings = async () => (await runReport(world.sql, operatorId)).findings;

async function contents(): Promise<unknown[]> {
  return Promise.all(
    BOOKS.map((name) =>
      world.sql.unsafe(`select one::text from audit.${name} one where operator_id = $1 order by 1`, [operatorId]),
    ),
  );
}

const unfinished = () =>
  world.sql`select operator_id from audit.progress where starts_with(operator_id, ${`${operatorId}/`})`;

const close = async (holder: pg.Client) => {
  await holder.query('rollback');
  await holder.end();
};

async function holdProgress(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: world.database.ownerUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from audit.progress where operator_id = $1 for update', [operatorId]);
  return holder;
}

const waits = (name: string) =>
  until(
    () => world.sql`select pid from pg_stat_activity where application_name = ${name} and wait_event_type = 'Lock'`,
    (waiting) => waiting.length > 0,
  );

// contract 22.22
test('books that were put back are as they were, and what was found meanwhile is gone', async () => {
  const before = await contents();
  await world.sql`update audit.progress set sequence = sequence - 8 where operator_id = ${operatorId}`;
  expect(await findings()).not.toEqual([]);
  await readAnew(world.sql, operatorId, toldOf);
  expect(await findings()).toEqual([]);
  expect(await contents()).toEqual(before);
});

// contract 22.22
test('books that are ahead of the journal are replaced too', async () => {
  await world.sql`update audit.progress set sequence = sequence + 8 where operator_id = ${operatorId}`;
  expect(await findings()).not.toEqual([]);
  await readAnew(world.sql, operatorId, toldOf);
  expect(await findings()).toEqual([]);
});

// contract 22.22
test('damage of a table and of the auditor’s books together is found', async () => {
  const [order] = await world.sql<{ orderId: string }[]>`
    select order_id from orders where operator_id = ${operatorId} order by order_id limit 1`;
  const change = (by: number) =>
    ['orders', 'audit.orders']
      .map(
        (table) => `update ${table} set slippage_micros = slippage_micros + ${by} where order_id = '${order?.orderId}'`,
      )
      .join(';');
  await world.damage(change(1));
  expect(await findings()).toEqual([]);
  await readAnew(world.sql, operatorId, toldOf);
  const differs = { check: 'order_terms', severity: 'critical', subjectId: order?.orderId };
  expect(await findings()).toEqual([expect.objectContaining(differs)]);
  await world.damage(change(-1));
  await readAnew(world.sql, operatorId, toldOf);
  expect(await findings()).toEqual([]);
});

// contract 22.22
test('several at once, others that read on, and trading meanwhile', async () => {
  let trading = true;
  const trade = async () => {
    for (let n = 0; n < 30; n += 1) {
      await world.buy(market, `user ${n % 3}`, 'YES', 5);
    }
    trading = false;
  };
  const read = async () => {
    while (trading) {
      await readOn(world.sql, operatorId, toldOf);
    }
  };
  const anew = async () => {
    while (trading) {
      await readAnew(world.sql, operatorId, toldOf);
    }
  };
  await Promise.all([trade(), read(), read(), anew(), anew(), anew()]);
  expect(await findings()).toEqual([]);
  const [progress] = await world.sql`
    select progress.sequence = ledger.sequence as whole from audit.progress progress join operator_ledgers ledger using (operator_id)
    where operator_id = ${operatorId}`;
  expect(progress).toEqual({ whole: true });
  expect(await unfinished()).toEqual([]);
});

test('who has read the old books writes nothing into the new ones', async () => {
  await world.buy(market, 'ana');
  const place = await readPlace(world.sql, operatorId);
  const { rows } = await readRows(world.sql, operatorId, toldOf, place.progress.sequence, 100);
  const books = await readBooks(world.sql, place, rows);
  await readAnew(world.sql, operatorId, toldOf);
  expect(await writeBooks(world.sql, books, rows)).toBe(false);
});

// contract 22.22
test('a process that is killed leaves the old books, and what it built is removed later', async () => {
  const before = await contents();
  const holder = await holdProgress();
  const { child, ended } = startProgram(process.execPath, [
    new URL('anew-child.ts', import.meta.url).pathname,
    world.database.url,
    operatorId,
  ]);
  try {
    const sessions = await waits('inlay-test-anew');
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    await holder.query('select pg_terminate_backend($1, 5000)', [sessions[0]?.['pid']]);
  } finally {
    await close(holder);
  }
  expect(await contents()).toEqual(before);
  expect(await findings()).toEqual([]);
  expect(await unfinished()).toHaveLength(1);
  await readAnew(world.sql, operatorId, toldOf);
  expect(await unfinished()).toHaveLength(1);
  await world.damage(
    `update audit.progress set audited_at = audited_at - interval '2 hours' where starts_with(operator_id, '${operatorId}/')`,
  );
  await readAnew(world.sql, operatorId, toldOf);
  expect(await unfinished()).toEqual([]);
  const [orders] =
    await world.sql`select count(*)::int as left from audit.orders where starts_with(operator_id, ${`${operatorId}/`})`;
  expect(orders).toEqual({ left: 0 });
  expect(await findings()).toEqual([]);
});

// contract 22.22
test('reconciliation run --anew', async () => {
  await world.sql`update audit.progress set sequence = sequence - 8 where operator_id = ${operatorId}`;
  const operator = await world.commands({ NO_COLOR: '1' });
  const slug = world.operator.slug;
  expect((await operator('reconciliation', 'run', '--operator', slug, '--json')).exitCode).toBe(5);
  const { exitCode, json } = await operator('reconciliation', 'run', '--operator', slug, '--anew', '--json');
  expect({ exitCode, findings: json.findings }).toEqual({ exitCode: 0, findings: [] });
});
