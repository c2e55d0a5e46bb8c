/**
 * Sends one order, once. The attempt is written by the move to `submitted` before the wire is touched; whatever happens
 * after that, the venue is only ever asked about it. Simulated orders are filled by the service along the same path.
 */
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import type { Board } from '../markets/board.ts';
import type { OrderToPlace } from '../venues/order.ts';
import { VenueUnknown } from '../venues/port.ts';
import type { Venues } from '../venues/registry.ts';
import { stateChanged } from './order-items.ts';
import { moveOf, type OrderMove } from './order-move.ts';
import { stateOf } from './order-state.ts';
import { planAttempt } from './plan-attempt.ts';
import { type RecordPorts, type Report, recordExecution } from './record-execution.ts';
import { fillLocally } from './simulate.ts';
import { postpone, recordEvidence, type WaitingOrder } from './transmissions.ts';
import { withdrawal } from './withdraw-order.ts';
import { witnessFills } from './witness-fills.ts';

export interface TransmitPorts extends RecordPorts {
  readonly board: Board;
  readonly clock: Clock;
  readonly log: Logger;
  readonly venues: Venues;
}

/** After this an attempt whose sender fell silent is asked about. Longer than an adapter waits for its answer. */
const SILENCE_SECONDS = 7;
const UNKNOWN_LOOKUP_SECONDS = 0.5;

/**
 * Moves a waiting order on: withdrawn, sent and recorded, or left where it is behind a gate.
 * @returns false where there is no book to judge by, which will not be otherwise in a moment.
 */
export async function transmitOrder(ports: TransmitPorts, order: WaitingOrder): Promise<boolean> {
  if (order.withdraw !== null) {
    await ports.move(withdrawal(order, order.mode, order.withdraw));
    return true;
  }
  if (order.simulated) {
    await fillSimulated(ports, order);
    return true;
  }
  const venue = ports.venues.get(order.venue);
  const plan = planAttempt(ports.board, venue, order, newId('att'), ports.clock.now());
  if ('wait' in plan) {
    ports.log.warn({ orderId: order.order_id, why: plan.wait }, 'not sent yet');
    return false;
  }
  if ('withdraw' in plan) {
    await ports.move(withdrawal(order, order.mode, plan.withdraw));
    return true;
  }
  if (await begin(ports, order, plan.order)) {
    await send(ports, order, plan.order);
  }
  return true;
}

/** @returns whether the order is this process's to send. */
async function begin(ports: TransmitPorts, order: WaitingOrder, toPlace: OrderToPlace | null): Promise<boolean> {
  const verdict = await ports.move(beginning(order, toPlace));
  if (verdict.code === null) {
    return true;
  }
  if (verdict.code !== 'waits' && verdict.code !== 'order_moved') {
    await ports.move(withdrawal(order, order.mode, verdict.code));
  }
  return false;
}

function beginning(order: WaitingOrder, toPlace: OrderToPlace | null): OrderMove {
  const state = stateOf(order, { status: 'submitted', transmission_state: 'unknown' });
  return {
    ...moveOf(order),
    status: 'submitted',
    transmission_state: 'unknown',
    begins: true,
    attempt: toPlace && {
      our_id: toPlace.ourId,
      venue: order.venue,
      listing_id: toPlace.listingId,
      side: toPlace.side,
      action: toPlace.action,
      quantity: `${toPlace.quantityMicros}`,
      limit_price_micros: `${toPlace.limitPriceMicros}`,
      max_cost_micros: toPlace.maxCostMicros === undefined ? null : `${toPlace.maxCostMicros}`,
      expires_at: toPlace.expiresAt,
    },
    attempt_state: toPlace && 'sending',
    lookup_in_seconds: SILENCE_SECONDS,
    exposure_minor: order.action === 'buy' && !order.simulated ? `${order.authorization_minor}` : '0',
    facts: [stateChanged(state, order.status)],
  };
}

async function send(ports: TransmitPorts, order: WaitingOrder, toPlace: OrderToPlace): Promise<void> {
  try {
    const venue = ports.venues.get(order.venue);
    const answer = await venue.placeOrder(toPlace);
    const report: Report =
      answer.outcome === 'rejected' && answer.order === null
        ? { from: 'refusal', reason: answer.reason }
        : {
            from: 'venue',
            order: answer.order as NonNullable<typeof answer.order>,
            witness: await witnessFills(venue, toPlace.action, toPlace.ourId),
          };
    await recordExecution(ports, order.operator_id, order.order_id, order.mode, report);
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    if (error.evidence !== null) {
      const raw = error.evidence;
      await recordEvidence(ports.sql, {
        operatorId: order.operator_id,
        orderId: order.order_id,
        kind: 'garbage',
        severity: 'warning',
        raw,
      });
    }
    ports.log.warn({ orderId: order.order_id, err: error.message }, 'the venue did not answer');
    await postpone(ports.sql, order, { seconds: UNKNOWN_LOOKUP_SECONDS, state: 'unknown' });
  }
}

async function fillSimulated(ports: TransmitPorts, order: WaitingOrder): Promise<void> {
  const outcome = fillLocally(ports.board.contracts.get(order.contract_id), order);
  const begun = order.status === 'submitted';
  if (outcome === null && !begun) {
    await ports.move(withdrawal(order, order.mode, 'price_moved'));
    return;
  }
  if (!begun && !(await begin(ports, order, null))) {
    return;
  }
  const report =
    outcome === null
      ? ({ from: 'refusal', reason: 'price_moved' } as const)
      : ({
          from: 'service',
          fill: {
            fillId: newId('fil'),
            venueFillId: null,
            recorded: false,
            priceMicros: outcome.priceMicros,
            quantityMicros: outcome.filledMicros,
            feeMicros: 0n,
          },
          money: outcome.money,
        } as const);
  await recordExecution(ports, order.operator_id, order.order_id, order.mode, report);
}
