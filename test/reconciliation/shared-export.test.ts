/** An export shares its process and its database with all other tenants: it holds a snapshot only where rows may change, and renders in slices. */
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

const open = (kind: 'feed' | 'ledger' | 'positions') =>
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

test('rows that may change are those of the moment of their totals, however slowly they are read', async () => {
  const { operatorId } = world.operator;
  await world.damage(`
    with made as (
      insert into positions select (jsonb_populate_record(p, jsonb_build_object('position_id', 'pos_' || lpad(n::text, 32, '0'), 'external_user_id', 'user-' || n,
        'opened_at', now() - interval '1 minute'))).* from positions p cross join generate_series(1, ${ROWS}) n where p.external_user_id = 'ana'
      returning position_id, opened_at
    ), head as (update operator_ledgers set sequence = sequence + ${ROWS} where operator_id = '${operatorId}' returning sequence - ${ROWS} as last)
    insert into journal (operator_id, sequence, items, kind, recorded_at, decided_at, position_id, quantity_micros)
      select '${operatorId}', head.last + row_number() over (), 1, 'order_filled', now(), made.opened_at, made.position_id, 1000000 from made cross join head`);
  const { body, summary } = await open('positions');
  expect(summary.rows).toBe(ROWS + 1);
  await once(body, 'readable');
  await world.damage('update positions set cost_basis_minor = 77');
  const lines = (await body.toArray()).join('').trimEnd().split('\n');
  const positions = lines.map(
    (line) => JSON.parse(line) as { positionId: string; operatorMoney: { costBasis: string } },
  );
  const ids = positions.map(({ positionId }) => positionId);
  expect([ids.length, new Set(ids).size]).toEqual([summary.rows, summary.rows]);
  expect(ids).toEqual(ids.toSorted());
  const cents = positions.map(({ operatorMoney }) => Math.round(Number(operatorMoney.costBasis) * 100));
  expect((cents.reduce((sum, one) => sum + one) / 100).toFixed(2)).toBe(summary.totals['costBasis']);
});
