/** An export shares its process and its database with all other tenants: it holds no snapshot, and it renders in slices. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExport } from '../../src/reconciliation/exports/open-export.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

/** More than the buffers of a stream hold, in each kind. */
const ROWS = 6_000;

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.buy(await world.openMarket('shared'), 'ana');
  const { operatorId } = world.operator;
  await world.sql`
    select credit_wallets(${operatorId}, array_fill(${operatorId}::text, array[1000]), array_fill('ana'::text, array[1000]),
      array_fill(1::bigint, array[1000]), 'Bulk') from generate_series(1, ${ROWS / 1000})`;
});
afterAll(() => world.close());

const open = (kind: 'feed' | 'ledger') =>
  openExport(world.database.url, world.operator.operatorId, {
    kind,
    format: 'jsonl',
    skip: 0,
    bom: false,
    decimalComma: false,
  });

// contract 25.9
test.each(['feed', 'ledger'] as const)('a reader of the %s that stops holds no snapshot', async (kind) => {
  const { body, summary } = await open(kind);
  await once(body, 'readable');
  const [session] = await until(
    () => world.sql<{ pid: number; state: string }[]>`
      select pid, state, backend_xmin, xact_start from pg_stat_activity
      where application_name = 'inlay-export' and datname = current_database() and state = 'idle' and backend_xmin is null`,
    (rows) => rows.length === 1,
  );
  expect(session).toMatchObject({ state: 'idle', backendXmin: null, xactStart: null });
  const text = (await body.toArray()).join('');
  expect(summary.rows).toBeGreaterThanOrEqual(ROWS);
  expect(text.split('\n')).toHaveLength(summary.rows + 1);
});

// contract 25.9
test('between two slices of an export the event loop does its other work', async () => {
  let turn = 0;
  let reading = true;
  const count = () => {
    turn += 1;
    if (reading) {
      setImmediate(count);
    }
  };
  const { body, summary } = await open('feed');
  const linesOfTurns: number[] = [];
  setImmediate(count);
  body.on('data', (chunk: Buffer) => {
    linesOfTurns[turn] = (linesOfTurns[turn] ?? 0) + chunk.toString().split('\n').length - 1;
  });
  await once(body, 'end');
  reading = false;
  const lines = linesOfTurns.filter((one) => one > 0);
  expect(lines.reduce((sum, one) => sum + one)).toBe(summary.rows);
  // two slices, and the items of the one order; a page that is rendered at once has 400 rows
  expect(Math.max(...lines)).toBeLessThan(150);
});
