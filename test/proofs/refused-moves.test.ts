/**
 * What an order's states do not allow: confirm and cancel in every state, with the refusal of each; that code and database know
 * the same moves and no other; and that an unconfirmed order is never sent.
 */

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../src/core/terms.ts';
import { createAnswerNotice } from '../../src/trading/execution/await-answer.ts';
import { assertTransition } from '../../src/trading/orders/order.ts';
import { createTransitions, readOrderForUpdate } from '../../src/trading/orders/orders.ts';
import { timePasses } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { record, STATES } from './order-states.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());
beforeEach(() => {
  live.venue.script = (order) => live.venue.fillWhole(order);
});

// contract 10.13, contract 10.14, contract 10.16, contract 12.5, contract 12.17
describe('confirm and cancel, in every state', () => {
  type Answer = readonly [status: number, error: string | undefined];
  const CASES: Readonly<Record<keyof typeof STATES, { confirm: Answer; cancel: Answer; transmissionState?: string }>> =
    {
      reserve_pending: { confirm: [200, undefined], cancel: [200, undefined] },
      pending_venue_execution: { confirm: [200, undefined], cancel: [200, undefined] },
      'submitted, silent': {
        confirm: [200, undefined],
        cancel: [409, 'order_not_cancellable'],
        transmissionState: 'unknown',
      },
      'submitted, working': {
        confirm: [200, undefined],
        cancel: [409, 'order_not_cancellable'],
        transmissionState: 'unknown',
      },
      'partially_filled, working': {
        confirm: [200, undefined],
        cancel: [409, 'order_not_cancellable'],
        transmissionState: 'unknown',
      },
      'partially_filled, fee unknown': {
        confirm: [200, undefined],
        cancel: [409, 'order_not_cancellable'],
        transmissionState: 'unknown',
      },
      'partially_filled, closed': {
        confirm: [200, undefined],
        cancel: [409, 'order_not_cancellable'],
        transmissionState: 'resolved',
      },
      filled: { confirm: [200, undefined], cancel: [409, 'order_not_cancellable'], transmissionState: 'resolved' },
      rejected: { confirm: [200, undefined], cancel: [409, 'order_not_cancellable'], transmissionState: 'resolved' },
      'cancelled by the venue': {
        confirm: [200, undefined],
        cancel: [409, 'order_not_cancellable'],
        transmissionState: 'resolved',
      },
      'cancelled by the operator': { confirm: [409, 'order_cancelled'], cancel: [200, undefined] },
      'withdrawn by the service': { confirm: [409, 'order_cancelled'], cancel: [200, undefined] },
    };

  test.each(Object.entries(CASES))('%s', async (state, { confirm, cancel, transmissionState }) => {
    const tenant = await live.tenant();
    const orderId = await STATES[state as keyof typeof STATES](tenant, live);
    const before = await tenant.read(orderId);
    const answer = await tenant.confirm(orderId);
    expect([answer.status, answer.body.error]).toEqual(confirm);
    if (state === 'reserve_pending') {
      // confirmed now; another one is cancelled
      const other = await record(tenant);
      const cancelled = await tenant.cancel(other);
      expect([cancelled.status, cancelled.body.error]).toEqual(cancel);
      return;
    }
    const refused = await tenant.cancel(orderId);
    expect([refused.status, refused.body.error]).toEqual(cancel);
    if (transmissionState !== undefined) {
      expect(refused.body.transmissionState).toBe(transmissionState);
      const { routing, ...after } = await tenant.read(orderId);
      expect(routing).toEqual(before.routing);
      expect(before).toMatchObject(after);
    } else {
      const again = await tenant.cancel(orderId);
      expect(again.body).toEqual({ ...refused.body, idempotentReplay: true });
    }
    expect(await tenant.audit()).toEqual([]);
  });

  // contract 10.13
  test('of another operator, of no operator, and with a reference that is too long', async () => {
    const [tenant, other] = [await live.tenant(), await live.tenant()];
    const orderId = await record(tenant);
    for (const answer of [
      await other.confirm(orderId),
      await other.cancel(orderId),
      await tenant.confirm('ord_none'),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([404, 'unknown_order']);
    }
    const long = await tenant.confirm(orderId, { reserveReference: 'x'.repeat(201) });
    expect([long.status, long.body.error]).toEqual([400, 'invalid_request']);
    expect((await tenant.read(orderId)).status).toBe('reserve_pending');
    expect((await tenant.confirm(orderId, { reserveReference: 'x'.repeat(200) })).status).toBe(200);
  });
});

describe('nothing else is possible', () => {
  /** Contract 12.2 to 12.15, written down a second time. */
  const KNOWN = new Set([
    ...['reserve_pending', 'pending_venue_execution', 'filled', 'partially_filled', 'rejected', 'cancelled'].map(
      (to) => `>${to}`,
    ),
    'reserve_pending>pending_venue_execution',
    'reserve_pending>cancelled',
    'pending_venue_execution>cancelled',
    'pending_venue_execution>submitted',
    'submitted>partially_filled',
    'submitted>filled',
    'submitted>rejected',
    'submitted>cancelled',
    'partially_filled>filled',
  ]);
  const STATUSES = [
    'reserve_pending',
    'pending_venue_execution',
    'submitted',
    'partially_filled',
    'filled',
    'rejected',
    'cancelled',
    'pending',
  ];

  test('code and database hold the same list, and code refuses the rest before anything is written', async () => {
    const rows = await live.sql<{ move: string }[]>`
      select from_status || '>' || to_status as move from order_transitions`;
    expect(new Set(rows.map(({ move }) => move))).toEqual(KNOWN);
    const states = ['', ...STATUSES] as (OrderStatus | '')[];
    for (const from of states) {
      for (const to of STATUSES.filter((status) => status !== from) as OrderStatus[]) {
        const move = () => assertTransition(from === '' ? null : from, to);
        if (KNOWN.has(`${from}>${to}`)) {
          expect(move).not.toThrow();
        } else {
          expect(move).toThrow(/no transition/);
        }
      }
    }
  });

  // contract 12.13, contract 12.14
  test('the database refuses every other move, to its owner as well', async () => {
    const tenant = await live.tenant({ executionConfirmed: false });
    const orderId = await record(tenant);
    const owner = new pg.Client({ connectionString: live.database.ownerUrl });
    await owner.connect();
    const possible = new Set<string>();
    const attempt = async (move: string, statement: string) => {
      await owner.query('savepoint s');
      try {
        await owner.query(statement, [orderId]);
        possible.add(move);
      } catch (error) {
        expect((error as { code: string }).code).toBe('IN003');
      }
      await owner.query('rollback to savepoint s');
    };
    try {
      await owner.query('begin');
      await owner.query('alter table orders drop constraint orders_never_sent');
      for (const from of STATUSES) {
        await owner.query('savepoint placed');
        await owner.query('alter table orders disable trigger orders_transition');
        await owner.query('update orders set status = $1 where order_id = $2', [from, orderId]);
        await owner.query('alter table orders enable trigger orders_transition');
        for (const to of STATUSES.filter((status) => status !== from)) {
          await attempt(`${from}>${to}`, `update orders set status = '${to}' where order_id = $1`);
        }
        await owner.query('rollback to savepoint placed');
      }
      for (const to of STATUSES) {
        await attempt(
          `>${to}`,
          `insert into orders select (jsonb_populate_record(null::order_row, to_jsonb(r) || jsonb_build_object('order_id', 'ord_new', 'client_order_id', 'new', 'execution_ref', 'new', 'quote_id', 'new', 'status', '${to}'))).*
           from orders r where order_id = $1`,
        );
      }
    } finally {
      await owner.query('rollback');
      await owner.end();
    }
    expect([...possible].sort()).toEqual([...KNOWN].sort());
  });

  // contract 1.8, contract 12.12
  test('an unconfirmed order never reaches the wire, though both gates are open and it is armed', async () => {
    const tenant = await live.tenant();
    const orderId = await record(tenant);
    const before = live.venue.received.size;
    await timePasses(700);
    const order = await readOrderForUpdate(live.sql, tenant.operator.operatorId, orderId);
    if (order === undefined) {
      throw new Error('gone');
    }
    // even asked for by name, the money statement refuses
    const move = createTransitions(live.sql, createAnswerNotice(live.sql));
    const submitted = { ...order, status: 'submitted', transmissionState: 'unknown', journal: [] } as const;
    expect(await move({ ...submitted, begins: true })).toMatchObject({ code: 'waits' });
    await expect(move(submitted)).rejects.toMatchObject({ code: 'IN003' });
    const transmits = move({ ...order, transmissionState: 'unknown', journal: [] });
    await expect(transmits).rejects.toMatchObject({ constraint_name: 'orders_never_sent' });
    expect(live.venue.received.size).toBe(before);
    expect(await tenant.read(orderId)).toMatchObject({
      status: 'reserve_pending',
      transmissionState: 'not_transmitted',
    });
    expect(await live.sql`select 1 from transmissions where order_id = ${orderId}`).toHaveLength(0);
  });
});
