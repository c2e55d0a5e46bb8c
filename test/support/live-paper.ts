/** A live tenant's order on its way to a real paper venue, moved on by the test itself instead of by a worker. */
import { systemTicks, type Ticks } from '../../src/core/time.ts';
import { listWaiting } from '../../src/trading/execution/attempts.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import type { SendGate } from '../../src/trading/execution/send-gate.ts';
import { transmitOrder } from '../../src/trading/execution/transmit-order.ts';
import type { Venue } from '../../src/venues/port.ts';
import { OPEN_GATE, onlyVenues } from './scripted-venue.ts';
import type { World } from './world.ts';

/** Sends the order from this process, as the worker would. */
export async function sendOrder(
  service: World,
  venue: Venue,
  orderId: string,
  ticks: Ticks = systemTicks,
  gate: SendGate = OPEN_GATE,
): Promise<void> {
  const { sql, board, clock, log } = service.context;
  const order = (await listWaiting(sql, 1000)).find((one) => one.orderId === orderId);
  if (order === undefined) {
    throw new Error('the order does not wait to be sent');
  }
  await board.refresh();
  await transmitOrder({ ...createRecordPorts(sql), board, clock, gate, ticks, log, venues: onlyVenues(venue) }, order);
}
