/**
 * "May this order be sent?" is asked twice: for the list of orders that wait, and again by the statement that begins the
 * sending. Whatever the state of operator, customer, contract and order, both get the same answer, for the expected reason.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendsAtOnce } from '../../src/operators/operator.ts';
import { listWaiting } from '../../src/trading/execution/attempts.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive({ job: false });
});
afterAll(() => live.close());

/** Mostly what lets an order go, so that single reasons are tried as often as several at once. */
const mostly = <T>(usual: T, other: T) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const states = fc.record({
  suspended: mostly(false, true),
  userSuspended: mostly(false, true),
  tradingPaused: mostly(false, true),
  confirmed: mostly(true, false),
  armed: mostly(true, false),
  halted: mostly(false, true),
  tradingClosed: mostly(false, true),
  operatorPaused: mostly(false, true),
  ended: mostly(false, true),
  late: fc.boolean(),
  openedLately: mostly(false, true),
});
type State = typeof states extends fc.Arbitrary<infer One> ? One : never;

/** The rule once more, by the contract (12.15, 18.14, 19.7). */
function expected(state: State): string | null {
  if (state.suspended) {
    return 'operator_suspended';
  }
  if (state.userSuspended) {
    return 'user_suspended';
  }
  if (state.ended || state.tradingClosed) {
    return 'market_not_open';
  }
  if (state.tradingPaused) {
    return 'trading_paused';
  }
  if (state.operatorPaused) {
    return 'market_unavailable';
  }
  if (!state.confirmed || !state.armed) {
    return 'waits';
  }
  if (state.late && !state.openedLately) {
    return 'venue_unavailable';
  }
  return state.halted ? 'waits' : null;
}

test('the orders that are listed are those that may be sent or must be withdrawn, with the reason of the statement', async () => {
  const { sql } = live;
  const tenant = await live.tenant();
  const { operatorId } = tenant.operator;
  const { contractId } = await live.openMarket('may-send');
  const { orderId } = (await tenant.place('ana', {}, { marketId: contractId })).body;
  expect((await tenant.confirm(orderId)).status).toBe(200);
  // each alone: the contract may be on another server than the rest
  const readRow = async (table: string, id: string, column = 'operator_id') => {
    const [read] = await sql<{ row: string }[]>`
      select to_jsonb(t)::text as row from ${sql(table)} t where t.${sql(column)} = ${id}`;
    return read?.row ?? '';
  };
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(states, async (state) => {
      await sql`
        update operators set status = ${state.suspended ? 'suspended' : 'active'}, trading_paused = ${state.tradingPaused},
          execution_confirmed = ${state.confirmed}, execution_confirmed_at = ${state.openedLately ? new Date() : null} where operator_id = ${operatorId}`;
      await sql`update customers set status = ${state.userSuspended ? 'suspended' : 'active'} where operator_id = ${operatorId}`;
      await sql`
        update orders set armed = ${state.armed}, updated_at = ${new Date(Date.now() - (state.late ? 301_000 : 290_000))}
        where operator_id = ${operatorId}`;
      await sql`
        update contracts set status = ${state.halted ? 'paused' : 'open'}, trading_closed = ${state.tradingClosed},
          operator_paused = ${state.operatorPaused}, closes_at = ${state.ended ? new Date(0) : new Date('2100-01-01')}
        where contract_id = ${contractId}`;
      const listed = (await listWaiting(sql, 1_000)).find((order) => order.orderId === orderId);
      const rows = [
        await readRow('operators', operatorId),
        await readRow('customers', operatorId),
        await readRow('contracts', contractId, 'contract_id'),
        await readRow('orders', operatorId),
      ];
      const [verdict] = await sql<{ code: string | null }[]>`
        select transmission_refusal(jsonb_populate_record(null::operators, row[1]::jsonb), jsonb_populate_record(null::customers, row[2]::jsonb),
          known_market_of(jsonb_populate_record(null::contracts, row[3]::jsonb)), jsonb_populate_record(null::orders, row[4]::jsonb)) as code
        from (select ${rows}::text[] as row) read`;
      const code = verdict?.code ?? null;
      seen.add(code ?? 'sent');
      expect(listed === undefined ? 'waits' : listed.withdraw).toBe(code);
      expect(code).toBe(expected(state));
    }),
    { numRuns: 150 },
  );
  const reasons = [
    'market_not_open',
    'market_unavailable',
    'operator_suspended',
    'trading_paused',
    'user_suspended',
    'venue_unavailable',
  ];
  expect([...seen].toSorted()).toEqual([...reasons, 'sent', 'waits'].toSorted());
});

test('an order of an operator with both gates open is sent at once, and of no other', () => {
  const operators = [true, false].flatMap((executionConfirmed) =>
    (['automatic', 'manual'] as const).map((arming) => ({ executionConfirmed, arming })),
  );
  expect(operators.filter(sendsAtOnce)).toEqual([{ executionConfirmed: true, arming: 'automatic' }]);
});
