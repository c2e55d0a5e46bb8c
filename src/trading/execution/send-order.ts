/** Sends one recorded attempt to its venue, and records what the answer means: a report, a proof that it was not taken, or silence. */
import type { Logger } from '../../core/log.ts';
import { type MayWrite, type OrderToPlace, VenueUnknown } from '../../venues/port.ts';
import type { Venues } from '../../venues/registry.ts';
import { readCrossCheck } from './cross-check-fills.ts';
import type { ExecutionContext } from './execution-context.ts';
import { type ExecutionReport, NOT_TAKEN, type RecordPorts, recordExecution } from './record-execution.ts';
import { heed, type SendGate } from './send-gate.ts';
import { noteNotSent, postpone, recordEvidence, type WaitingOrder } from './transmissions.ts';

export interface SendPorts extends RecordPorts {
  readonly gate: SendGate;
  readonly log: Logger;
  readonly venues: Venues;
}

/**
 * @param begun the order with its attempt as they were just recorded
 * @param mayWrite asked right before the first byte is written: the deadline, and whether the venue's gate is still open.
 */
export async function sendOrder(
  ports: SendPorts,
  order: WaitingOrder,
  toPlace: OrderToPlace,
  begun: ExecutionContext,
  mayWrite: MayWrite,
): Promise<void> {
  try {
    const venue = ports.venues.get(order.venue);
    const answer = await venue.placeOrder(toPlace, mayWrite);
    const report: ExecutionReport =
      answer.outcome === 'rejected' && answer.order === null
        ? { from: 'refusal', reason: answer.reason }
        : {
            from: 'venue',
            order: answer.order as NonNullable<typeof answer.order>,
            crossCheck: await readCrossCheck(venue, toPlace.ourId, {
              ...toPlace,
              venueRef: toPlace.prepared?.venueRef,
            }),
          };
    await recordExecution(ports, order.operatorId, order.orderId, order.mode, report, begun);
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    if (error.evidence !== null) {
      const raw = error.evidence;
      await recordEvidence(ports.sql, {
        operatorId: order.operatorId,
        orderId: order.orderId,
        kind: 'garbage',
        severity: 'warning',
        raw,
      });
    }
    heed(ports.gate, order.venue, 'send', error, toPlace.part);
    if (error.notTaken && (await ports.gate.booksAreCompared(order.venue))) {
      ports.log.warn({ orderId: order.orderId, err: error.message }, 'the venue did not take the order');
      await recordNotSent(ports, order, error.message);
      return;
    }
    const why = error.notTaken
      ? 'not sent now; the books may have lost an earlier attempt'
      : 'the venue did not answer';
    ports.log.warn({ orderId: order.orderId, err: error.message }, why);
    await postpone(ports.sql, order, 'unknown');
  }
}

/** The proof is stored before the order ends, so that another worker finds it after a crash. */
async function recordNotSent(ports: SendPorts, order: WaitingOrder, proof: string): Promise<void> {
  await noteNotSent(ports.sql, order, proof);
  await recordExecution(ports, order.operatorId, order.orderId, order.mode, NOT_TAKEN);
}
