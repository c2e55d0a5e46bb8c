/**
 * Asks venues about attempts that are not final: unanswered, working, or with a fee still being read. "Not found" is an
 * answer only after the send's own expiry and a minute, three times running, where the look-up is complete, and only in rounds
 * that also proved that the venue's lists work (contract 18.8). What still works after its expiry is cancelled there. All of these moments are the database's, decided as the attempt was claimed.
 */
import type { Logger } from '../../core/log.ts';
import { type SentOrder, type Venue, type VenueOrder, VenueUnknown } from '../../venues/port.ts';
import type { Venues } from '../../venues/registry.ts';
import { listHasOthersOnly, positionShowsNothing } from './absence-proof.ts';
import { readCrossCheck } from './cross-check-fills.ts';
import { NOT_TAKEN, type RecordPorts, recordExecution } from './record-execution.ts';
import { heed, type SendGate } from './send-gate.ts';
import {
  type DueAttempt,
  NOT_FOUND_TIMES,
  noteNotFound,
  postpone,
  recordEvidence,
  sentOrder,
} from './transmissions.ts';

export interface ResolvePorts extends RecordPorts {
  readonly gate: SendGate;
  readonly log: Logger;
  readonly venues: Venues;
}

export async function lookUpAttempt(ports: ResolvePorts, attempt: DueAttempt): Promise<void> {
  if (attempt.notSent !== null) {
    await recordExecution(ports, attempt.operatorId, attempt.orderId, 'live', NOT_TAKEN);
    return;
  }
  const venue = ports.venues.get(attempt.venue);
  try {
    const found = await venue.findOrder(attempt.ourId, sentOrder(attempt));
    if (found.outcome === 'found') {
      const order = attempt.overdue
        ? await endWorking(ports.gate, venue, found.order, sentOrder(attempt))
        : found.order;
      await recordExecution(ports, attempt.operatorId, attempt.orderId, 'live', {
        from: 'venue',
        order,
        crossCheck: await readCrossCheck(venue, attempt.ourId, sentOrder(attempt)),
      });
      return;
    }
    await countNotFound(ports, attempt, venue, found.readOthers === true);
  } catch (error) {
    if (error instanceof VenueUnknown && error.evidence !== null) {
      await recordEvidence(ports.sql, {
        operatorId: attempt.operatorId,
        orderId: attempt.orderId,
        kind: 'garbage',
        severity: 'warning',
        raw: error.evidence,
      });
    }
    if (error instanceof VenueUnknown) {
      heed(ports.gate, attempt.venue, 'look_up', error);
    }
    // The venue is asked later, so that no failure leads to a tight loop.
    await postpone(ports.sql, attempt);
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    ports.log.debug({ orderId: attempt.orderId, err: error.message }, 'a look-up was not answered');
  }
}

async function countNotFound(
  ports: ResolvePorts,
  attempt: DueAttempt,
  venue: Venue,
  readOthers: boolean,
): Promise<void> {
  const clocksAgree = ports.gate.clocksAgree(venue.name);
  const mayCount = attempt.expiredLong && venue.lookupIsComplete && clocksAgree;
  const counts =
    mayCount &&
    (readOthers ||
      (await positionShowsNothing(ports.sql, venue, attempt)) ||
      (await listHasOthersOnly(venue, attempt)));
  const { orderId, expiredLong } = attempt;
  ports.log.debug({ orderId, counts, expiredLong, clocksAgree, readOthers }, 'a look-up found no such order');
  if ((await noteNotFound(ports.sql, attempt, counts)) >= NOT_FOUND_TIMES) {
    await recordExecution(ports, attempt.operatorId, attempt.orderId, 'live', {
      from: 'refusal',
      reason: 'never_received',
    });
  }
}

/** The order should have ended at its expiry. If it is still working, the venue is asked to close it, and its answer counts. */
async function endWorking(gate: SendGate, venue: Venue, order: VenueOrder, sent: SentOrder): Promise<VenueOrder> {
  if (order.state !== 'working' || !gate.spend(venue.name, 'cancel', order.part)) {
    return order;
  }
  const cancelled = await venue.cancelOrder(order.ourId, sent);
  return cancelled.outcome === 'found' ? cancelled.order : order;
}
