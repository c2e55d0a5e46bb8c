/**
 * Looks up an attempt that is not final at its venue: one that is unanswered, working, or whose fee is still unknown. "Not found" decides
 * only three times in a row, a minute after the send expired, and only if the look-up also showed that the venue's lists work and have
 * caught up (contract 18.8). An order that still works after its expiry is cancelled. All times are the database's, read when it was
 * claimed.
 */
import type { Logger } from '../../core/log.ts';
import type { Sql } from '../../db/client.ts';
import {
  type FoundOrder,
  isOurId,
  type SentOrder,
  type Venue,
  type VenueOrder,
  VenueUnknown,
} from '../../venues/port.ts';
import type { Venues } from '../../venues/registry.ts';
import { misfit } from '../../venues/shapes.ts';
import {
  type Attempt,
  type DueAttempt,
  NOT_FOUND_TIMES,
  nameAttempt,
  noteNotFound,
  postpone,
  recogniseOrder,
  recordEvidence,
  sentOrder,
} from './attempts.ts';
import { NOT_TAKEN, type RecordPorts, recordExecution } from './record-execution.ts';
import { readCrossCheck } from './report.ts';
import { heed, type SendGate } from './send-gate.ts';

interface ResolvePorts extends RecordPorts {
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
    // requested before the lists, so that these are at least as current
    const caughtUp = attempt.expiredLong && (await listsCaughtUp(venue, attempt.expiresAt));
    const found = await find(ports, venue, attempt);
    if (found.outcome === 'found') {
      const sent = { ...sentOrder(attempt), venueRef: attempt.venueRef ?? found.order.venueOrderId };
      const order = attempt.overdue ? await endWorking(ports.gate, venue, found.order, sent) : found.order;
      await recordExecution(ports, attempt.operatorId, attempt.orderId, 'live', {
        from: 'venue',
        order,
        crossCheck: await readCrossCheck(venue, attempt.ourId, sent),
      });
      return;
    }
    await countNotFound(ports, attempt, venue, { caughtUp, readOthers: found.readOthers === true });
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
    // The next look-up is planned first, so that no failure leads to a tight loop.
    await postpone(ports.sql, attempt);
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    ports.log.debug(
      { orderId: attempt.orderId, err: error.message },
      'the venue did not respond to a look-up; will retry',
    );
  }
}

/**
 * Looks the order up. One that the venue lists without our id is identified by the venue's id before it counts as found, so that it can
 * never count as that of another attempt as well.
 * @throws VenueUnknown also if orders there could be this one, and it cannot be determined which
 */
async function find(
  { sql, gate }: Pick<ResolvePorts, 'sql' | 'gate'>,
  venue: Venue,
  attempt: DueAttempt,
): Promise<Exclude<FoundOrder, { outcome: 'unnamed' }>> {
  const name = async (venueRef: string) => {
    if (attempt.venueRef !== venueRef && !(await nameAttempt(sql, venue, attempt, venueRef))) {
      throw misfit(venue.name, 'orders', 'the order is known as that of another attempt', { venueRef });
    }
  };
  const found = await venue.findOrder(attempt.ourId, sentOrder(attempt));
  if (found.outcome !== 'unnamed') {
    if (found.outcome === 'found') {
      await name(found.order.venueOrderId);
    }
    return found;
  }
  const { order, open } = await recogniseOrder(sql, attempt, found.orders);
  if (open.length === 0) {
    // all of them are other orders of ours, so the lists work
    return { outcome: 'not_found', readOthers: true };
  }
  if (order === undefined) {
    throw misfit(venue.name, 'orders', 'one of several orders there could be this one', open);
  }
  await name(order.venueOrderId);
  gate.spend(venue.name, 'look_up');
  const again = await venue.findOrder(attempt.ourId, { ...sentOrder(attempt), venueRef: order.venueOrderId });
  if (again.outcome !== 'found') {
    throw misfit(venue.name, 'orders', 'an order is no longer listed', order);
  }
  return again;
}

/** The order should have ended at its expiry. If it still works, it is cancelled at the venue, and the response to that counts. */
async function endWorking(gate: SendGate, venue: Venue, order: VenueOrder, sent: SentOrder): Promise<VenueOrder> {
  if (order.state !== 'working' || !gate.spend(venue.name, 'cancel', order.part)) {
    return order;
  }
  const cancelled = await venue.cancelOrder(order.ourId, sent);
  return cancelled.outcome === 'found' ? cancelled.order : order;
}

/** The lists of a venue must be current as of this long after the expiry of a send, because clocks differ. */
const LISTS_MARGIN_MS = 10_000;

/** @returns true also if the venue does not report how current its lists are; false if it does not respond */
async function listsCaughtUp({ account }: Venue, expiresAt: Date): Promise<boolean> {
  try {
    const asOf = await account?.listsAsOf?.();
    return asOf === undefined || asOf.getTime() > expiresAt.getTime() + LISTS_MARGIN_MS;
  } catch (error) {
    if (error instanceof VenueUnknown) {
      return false;
    }
    throw error;
  }
}

/** @param lists whether they are current enough to show the order, and whether they showed another order of ours */
async function countNotFound(
  ports: ResolvePorts,
  attempt: DueAttempt,
  venue: Venue,
  { caughtUp, readOthers }: { readonly caughtUp: boolean; readonly readOthers: boolean },
): Promise<void> {
  const clocksAgree = ports.gate.clocksAgree(venue.name);
  const mayCount = caughtUp && venue.lookupIsComplete && clocksAgree;
  // if the order could be there without our id, the position must not contradict the lists
  const { mayOmitOurId = false } = venue;
  const position =
    mayCount && (mayOmitOurId || !readOthers) ? await comparePosition(ports.sql, venue, attempt) : 'unknown';
  const counts =
    mayCount &&
    !(mayOmitOurId && position === 'moved') &&
    (readOthers || position === 'unmoved' || (await listHasOthersOnly(venue, attempt)));
  const { orderId, expiredLong } = attempt;
  ports.log.debug(
    { orderId, counts, expiredLong, caughtUp, clocksAgree, readOthers, position },
    'a look-up found no such order',
  );
  if ((await noteNotFound(ports.sql, attempt, counts)) >= NOT_FOUND_TIMES) {
    await recordExecution(ports, attempt.operatorId, attempt.orderId, 'live', {
      from: 'refusal',
      reason: 'never_received',
    });
  }
}

type Sent = Pick<Attempt, 'ourId' | 'listingId' | 'side' | 'action' | 'sentAt'>;

/**
 * Compares the account's position in the contract with ours without the order: if they differ, the order may have moved it. The comparison
 * proves nothing while an order under way could hide this one by moving the position back, nor once the contract has a result here or at
 * the venue, which may have paid it out.
 * @returns `unknown` also if the venue does not respond
 */
async function comparePosition(sql: Sql, venue: Venue, attempt: Sent): Promise<'moved' | 'unmoved' | 'unknown'> {
  const before = await ourPosition(sql, venue.name, attempt);
  if (venue.account === null || before === null) {
    return 'unknown';
  }
  try {
    const positions = await venue.account.positions();
    const theirs = positions
      .filter(({ listingId }) => listingId === attempt.listingId)
      .reduce((net, { side, quantityMicros }) => net + (side === 'YES' ? quantityMicros : -quantityMicros), 0n);
    const paid = await venue.account.settledSince?.(attempt.sentAt, [attempt.listingId]);
    const comparable = paid?.includes(attempt.listingId) !== true;
    if (!comparable || (await ourPosition(sql, venue.name, attempt)) !== before) {
      return 'unknown';
    }
    return theirs === before ? 'unmoved' : 'moved';
  } catch (error) {
    if (error instanceof VenueUnknown) {
      return 'unknown';
    }
    throw error;
  }
}

/**
 * The net position of the account in the listing by our books, in micro-contracts. Orders that buy YES or sell NO all move it up, and
 * the others down, so that orders of one direction cannot hide each other.
 * @returns null if it cannot be compared now
 */
async function ourPosition(sql: Sql, venue: string, { listingId, side, action }: Sent): Promise<bigint | null> {
  const raises = (side === 'YES') === (action === 'BUY');
  const [row] = await sql<{ net: bigint }[]>`
    with related as materialized (
      select c.inverse as turned, k.contract_id, k.inverse, k.resolution
      from listings l join contracts c using (contract_id)
        join contracts k on coalesce(k.group_key, k.contract_id) = coalesce(c.group_key, c.contract_id)
      where l.venue = ${venue} and l.listing_id = ${listingId}
    ), held as materialized (
      select o.contract_id, o.side, sum(h.quantity_micros) as quantity_micros
      from positions o join related on related.contract_id = o.contract_id
        join position_holdings h on h.operator_id = o.operator_id and h.position_id = o.position_id
      where o.status = 'open' and not o.simulated and h.venue = ${venue}
      group by 1, 2
    ), hiding as materialized (
      select count(*) as orders from transmissions t
      where t.venue = ${venue} and t.listing_id = ${listingId} and t.state <> 'done'
        and ((t.side = 'YES') = (t.action = 'BUY')) <> ${raises}
    )
    select (case when k.turned then -1 else 1 end * coalesce(sum(
      case when (held.side = 'YES') = not k.inverse then held.quantity_micros else -held.quantity_micros end), 0))::bigint as net
    from related k cross join hiding left join held on held.contract_id = k.contract_id
    where hiding.orders = 0
    group by k.turned having bool_and(k.resolution is null)`;
  return row?.net ?? null;
}

/** The list of orders is read from so long before the send, so that it contains other orders of ours. */
const EARLIER_MS = 3_600_000;

/**
 * Whether the venue's list of orders, from an hour before the send, shows other orders of ours but not this one. An order that is missing
 * from an empty list may still have filled.
 * @returns false if the venue does not respond
 */
async function listHasOthersOnly({ account }: Venue, { ourId, sentAt }: Sent): Promise<boolean> {
  try {
    const orders = (await account?.ordersSince(new Date(sentAt.getTime() - EARLIER_MS))) ?? [];
    return orders.some((order) => isOurId(order.ourId)) && orders.every((order) => order.ourId !== ourId);
  } catch (error) {
    if (error instanceof VenueUnknown) {
      return false;
    }
    throw error;
  }
}
