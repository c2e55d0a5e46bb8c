/**
 * Sends one order, once. The transition to `submitted` records the attempt before anything is sent; after that the venue is only
 * asked about it, whatever happens. Simulated orders take the same path and are filled by the service.
 */

import type { Clock, Ticks } from '../../core/time.ts';
import type { Board } from '../../markets/board/board.ts';
import { type UnfitOrder, type Venue, VenueUnknown } from '../../venues/port.ts';
import type { OrderRow } from '../orders/order.ts';
import type { NewAttempt, OrderCommand } from '../orders/order-command.ts';
import { isTransmissionRefusal } from '../orders/transition-orders.ts';
import { type WithdrawReason, withdrawal } from '../orders/withdraw-order.ts';
import { stateChanged } from '../records/order-rows.ts';
import { begunContext } from './execution-context.ts';
import { fillLocally, simulatedReport } from './fill-locally.ts';
import { type PlannedOrder, planAttempt } from './plan-attempt.ts';
import { recordExecution } from './record-execution.ts';
import { createSendDeadline, heed } from './send-gate.ts';
import { type SendPorts, sendOrder } from './send-order.ts';
import type { WaitingOrder } from './transmissions.ts';
import { venueIdOf } from './venue-order-id.ts';

export interface TransmitPorts extends SendPorts {
  readonly board: Board;
  readonly clock: Clock;
  readonly ticks: Ticks;
}

/** After this time the venue is asked about an attempt without an answer. Longer than an adapter waits for its answer. */
const SILENCE_SECONDS = 7;
/** After this time the venue itself refuses the order, so that "not found" can be an answer. By the database's clock. */
const VALID_SECONDS = 30;

/** Why an order is withdrawn that the venue would not take in this market. */
const UNFIT = { below_minimum: 'below_venue_minimum', off_grid: 'price_moved', unpaid: 'line_not_available' } as const;

/**
 * Withdraws a waiting order, sends and records it, or leaves it waiting while a gate is closed.
 * @returns false if the order waits for a gate or a fresh book, so that it need not be tried again at once.
 */
export async function transmitOrder(ports: TransmitPorts, order: WaitingOrder): Promise<boolean> {
  if (order.withdraw !== null) {
    await endUnsent(ports, order, order.withdraw);
    return true;
  }
  if (order.simulated) {
    await fillSimulated(ports, order);
    return true;
  }
  if (!ports.venues.list.some(({ name }) => name === order.venue)) {
    await ports.transition(withdrawal(order, order.mode, 'line_not_available'));
    return true;
  }
  const shut = ports.gate.shut(order.venue);
  if (shut !== null) {
    ports.log.debug({ orderId: order.orderId, why: shut }, 'not sent yet');
    return false;
  }
  const venue = ports.venues.get(order.venue);
  const plan = planAttempt(ports.board, venue, order, venueIdOf(order.orderId), ports.clock.now());
  if ('wait' in plan) {
    ports.log.warn({ orderId: order.orderId, why: plan.wait }, 'not sent yet');
    return false;
  }
  if ('withdraw' in plan) {
    await ports.transition(withdrawal(order, order.mode, plan.withdraw));
    return true;
  }
  const planned = await prepare(ports, venue, order, plan.order);
  if (planned === null) {
    return false;
  }
  if ('unfit' in planned) {
    await ports.transition(withdrawal(order, order.mode, UNFIT[planned.unfit]));
    return true;
  }
  const inTime = createSendDeadline(ports.clock, ports.ticks);
  const mayWrite = () => inTime() && ports.gate.shut(order.venue) === null;
  const begunAt = await begin(ports, order, planned);
  if (begunAt !== null) {
    const expiresAt = new Date(begunAt.getTime() + VALID_SECONDS * 1_000);
    const begun = begunContext(order, newAttempt(order.venue, planned));
    await sendOrder(ports, order, { ...planned, expiresAt }, begun, mayWrite);
  }
  return true;
}

/** @returns the order as it is recorded and sent; null if the venue did not answer what it needs, so that it waits. */
async function prepare(
  ports: TransmitPorts,
  venue: Venue,
  order: WaitingOrder,
  planned: PlannedOrder,
): Promise<PlannedOrder | UnfitOrder | null> {
  if (venue.prepareOrder === undefined) {
    return planned;
  }
  try {
    const prepared = await venue.prepareOrder(planned);
    if (prepared === null) {
      return planned;
    }
    return 'unfit' in prepared ? prepared : { ...planned, prepared };
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    heed(ports.gate, order.venue, 'send', error, planned.part);
    ports.log.warn({ orderId: order.orderId, err: error.message }, 'not sent yet');
    return null;
  }
}

/** A simulated order that was begun cannot be withdrawn any more: it ends without a fill, as if a venue had refused it. */
async function endUnsent(ports: TransmitPorts, order: WaitingOrder, reason: WithdrawReason): Promise<void> {
  if (order.transmissionState === 'not_transmitted') {
    await ports.transition(withdrawal(order, order.mode, reason));
  } else {
    await recordExecution(ports, order.operatorId, order.orderId, order.mode, { from: 'refusal', reason });
  }
}

/** @returns when the attempt was recorded, by the database's clock; null if the order is not this process's to send. */
async function begin(ports: TransmitPorts, order: WaitingOrder, toPlace: PlannedOrder | null): Promise<Date | null> {
  const verdict = await ports.transition(beginning(order, toPlace));
  if (verdict.code === null) {
    return verdict.movedAt;
  }
  if (isTransmissionRefusal(verdict.code)) {
    await ports.transition(withdrawal(order, order.mode, verdict.code));
  }
  return null;
}

/** @param adopts the order is at the venue already, so gates and caps are not checked. */
export function beginning(order: OrderRow, toPlace: PlannedOrder | null, adopts = false): OrderCommand {
  const begun: OrderRow = { ...order, status: 'submitted', transmissionState: 'unknown' };
  return {
    ...begun,
    begins: true,
    adopts,
    attempt: toPlace && newAttempt(order.venue, toPlace),
    attemptState: toPlace && 'sending',
    lookupInSeconds: SILENCE_SECONDS,
    exposureMinor: order.action === 'buy' && !order.simulated ? order.authorizationMinor : 0n,
    journal: [stateChanged('order_sent', begun, order.status)],
  };
}

function newAttempt(venue: string, toPlace: PlannedOrder): NewAttempt {
  return {
    ourId: toPlace.ourId,
    venue,
    listingId: toPlace.listingId,
    side: toPlace.side,
    action: toPlace.action,
    quantity: toPlace.quantityMicros,
    limitPriceMicros: toPlace.limitPriceMicros,
    maxCostMicros: toPlace.maxCostMicros ?? null,
    spendMicros: toPlace.spendMicros ?? null,
    venueRef: toPlace.prepared?.venueRef ?? null,
    validSeconds: VALID_SECONDS,
  };
}

async function fillSimulated(ports: TransmitPorts, order: WaitingOrder): Promise<void> {
  const outcome = fillLocally(ports.board.contracts.get(order.contractId), order);
  const begun = order.status === 'submitted';
  if (outcome === null && !begun) {
    await ports.transition(withdrawal(order, order.mode, 'price_moved'));
    return;
  }
  if (!begun && (await begin(ports, order, null)) === null) {
    return;
  }
  await recordExecution(ports, order.operatorId, order.orderId, order.mode, simulatedReport(outcome));
}
