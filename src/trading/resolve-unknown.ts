/**
 * Asks venues about attempts that are not final: unanswered, working, or with a fee still being read. "Not found" is an
 * answer only after the send's own expiry and a minute, three times running, where the look-up is complete (rulings 6).
 */
import type { Logger } from '../core/log.ts';
import { VenueUnknown } from '../venues/port.ts';
import type { Venues } from '../venues/registry.ts';
import { NOT_TAKEN, type RecordPorts, recordExecution } from './record-execution.ts';
import { type Attempt, postpone, recordEvidence } from './transmissions.ts';
import { witnessFills } from './witness-fills.ts';

export interface ResolvePorts extends RecordPorts {
  readonly log: Logger;
  readonly venues: Venues;
}

const GRACE_MS = 60_000;
const NOT_FOUND_TIMES = 3;
const FIRST_DELAY_SECONDS = 0.5;
const LAST_DELAY_SECONDS = 60;

export async function resolveUnknown(ports: ResolvePorts, attempt: Attempt, now: Date): Promise<void> {
  if (attempt.not_sent !== null) {
    await recordExecution(ports, attempt.operator_id, attempt.order_id, 'live', NOT_TAKEN);
    return;
  }
  const venue = ports.venues.get(attempt.venue);
  try {
    const found = await venue.findOrder(attempt.our_id);
    if (found.outcome === 'found') {
      await recordExecution(ports, attempt.operator_id, attempt.order_id, 'live', {
        from: 'venue',
        order: found.order,
        witness: await witnessFills(venue, attempt.action, attempt.our_id),
      });
      return;
    }
    const counts = venue.lookupIsComplete && now.getTime() > attempt.expires_at.getTime() + GRACE_MS;
    const times = counts ? attempt.not_found + 1 : 0;
    if (times >= NOT_FOUND_TIMES) {
      await recordExecution(ports, attempt.operator_id, attempt.order_id, 'live', {
        from: 'refusal',
        reason: 'never_received',
      });
      return;
    }
    await postpone(ports.sql, attempt, { seconds: delayOf(attempt), notFound: times });
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      // Whatever it was, the venue is not asked in a tight loop because of it.
      await postpone(ports.sql, attempt, { seconds: delayOf(attempt) });
      throw error;
    }
    if (error.evidence !== null) {
      const raw = error.evidence;
      await recordEvidence(ports.sql, {
        operatorId: attempt.operator_id,
        orderId: attempt.order_id,
        kind: 'garbage',
        severity: 'warning',
        raw,
      });
    }
    ports.log.debug({ orderId: attempt.order_id, err: error.message }, 'a look-up was not answered');
    await postpone(ports.sql, attempt, { seconds: delayOf(attempt) });
  }
}

function delayOf(attempt: Attempt): number {
  return Math.min(LAST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempt.lookups, 10));
}
