/** An order is moved only as the order and the position that the move was decided on: who was overtaken decides again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAnswerNotice } from '../../src/trading/execution/await-answer.ts';
import { confirmReserve, withdrawal } from '../../src/trading/orders/change-order.ts';
import { type ApplyTransition, createTransitions, readOrderForUpdate } from '../../src/trading/orders/orders.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
beforeAll(async () => {
  live = await openLive();
});
afterAll(() => live.close());

test('a move of an older order or of an older position is refused, and writes nothing', async () => {
  const { sql } = live;
  const tenant = await live.tenant();
  const { orderId } = (await tenant.place('ana', { reserveReference: 'r' })).body;
  await until(
    () => tenant.read(orderId),
    (order) => order.status === 'filled',
  );
  await tenant.set('execution_confirmed', false);
  const sold = (
    await tenant.place('ana', { reserveReference: 's' }, { action: 'sell', contracts: 5, stake: undefined })
  ).body;
  const { operatorId } = tenant.operator;
  const read = async () => {
    const [position] = await sql<{ positionId: string; version: bigint; quantityMicros: bigint }[]>`
      select position_id, version, quantity_micros from positions where operator_id = ${operatorId}`;
    const order = await readOrderForUpdate(sql, operatorId, sold.orderId);
    if (position === undefined || order === undefined) {
      throw new Error('nothing is held');
    }
    return { position, order };
  };
  const { position, order } = await read();
  const apply = createTransitions(sql, createAnswerNotice(sql));
  const move = { ...order, journal: [] };

  expect(await apply({ ...move, positionVersion: position.version - 1n })).toMatchObject({ code: 'position_changed' });
  expect(await apply({ ...move, positionVersion: position.version + 1n })).toMatchObject({ code: 'position_changed' });
  expect(await apply({ ...move, version: order.version - 1n })).toMatchObject({ code: 'order_moved' });
  expect(await read()).toEqual({ position, order });

  expect(await apply({ ...move, positionVersion: position.version })).toMatchObject({ code: null });
  expect(await apply(move)).toMatchObject({ code: 'order_moved' });
});

test('a confirmation that was written succeeds, even if the order is withdrawn before it is read again', async () => {
  const { sql } = live;
  const tenant = await live.tenant();
  // the worker leaves the order alone
  await tenant.set('execution_confirmed', false);
  const { orderId } = (await tenant.place('bea')).body;
  const { operatorId } = tenant.operator;
  const apply = createTransitions(sql, createAnswerNotice(sql));
  const overtaken: ApplyTransition = async (transition) => {
    const verdict = await apply(transition);
    const order = await readOrderForUpdate(sql, operatorId, orderId);
    await apply(withdrawal(order as NonNullable<typeof order>, 'live', 'line_not_available'));
    return verdict;
  };
  const ports = { sql, transition: overtaken };
  const order = await confirmReserve(ports, { operatorId, mode: 'live' }, orderId, 'r');
  expect(order).toMatchObject({ status: 'cancelled', reserveReference: 'r', cancelReason: 'line_not_available' });
  await expect(confirmReserve(ports, { operatorId, mode: 'live' }, orderId, 'r')).rejects.toMatchObject({
    code: 'order_cancelled',
  });
});
