/** An order is moved only as the order and the position that the move was decided on: who was overtaken decides again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTransitions, readOrderForUpdate } from '../../src/trading/orders/orders.ts';
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
    const [position] = await sql<{ positionId: string; version: bigint; quantity: bigint }[]>`
      select position_id, version, quantity from positions where operator_id = ${operatorId}`;
    const order = await readOrderForUpdate(sql, operatorId, sold.orderId);
    if (position === undefined || order === undefined) {
      throw new Error('nothing is held');
    }
    return { position, order };
  };
  const { position, order } = await read();
  const apply = createTransitions(sql);
  const move = { ...order, journal: [] };

  expect(await apply({ ...move, positionVersion: position.version - 1n })).toMatchObject({ code: 'position_changed' });
  expect(await apply({ ...move, positionVersion: position.version + 1n })).toMatchObject({ code: 'position_changed' });
  expect(await apply({ ...move, version: order.version - 1n })).toMatchObject({ code: 'order_moved' });
  expect(await read()).toEqual({ position, order });

  expect(await apply({ ...move, positionVersion: position.version })).toMatchObject({ code: null });
  expect(await apply(move)).toMatchObject({ code: 'order_moved' });
});
