/** A live tenant's order on its way to a real paper venue, moved on by the test itself instead of by a worker. */
import { systemTicks, type Ticks } from '../../src/core/time.ts';
import { claimDue, listWaiting } from '../../src/trading/execution/attempts.ts';
import { lookUpAttempt } from '../../src/trading/execution/look-up.ts';
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

/** Looks the order up, whose look-up is due, as the worker would. */
export async function lookUp(service: World, venue: Venue, orderId: string): Promise<void> {
  const { sql, board, clock, log } = service.context;
  const attempt = (await claimDue(sql, new Map([[venue.name, 1000]]))).find((one) => one.orderId === orderId);
  if (attempt === undefined) {
    throw new Error('no look-up of the order is due');
  }
  const ports = { ...createRecordPorts(sql), board, clock, gate: OPEN_GATE, ticks: systemTicks, log };
  await lookUpAttempt({ ...ports, venues: onlyVenues(venue) }, attempt);
}
