/**
 * Compares what a venue reports of our account with our books: orders and fills since the last comparison, positions and cash.
 * What can safely be booked is booked by the ordinary look-up, which is made due. An order that the venue has and our books did
 * not send is taken over. Everything else that our books do not know is a finding for a person, and stops
 * trading at the venue. Nothing is sent.
 */
import type { Logger } from '../../core/log.ts';
import type { Venue, VenueFill, VenueOrder } from '../../venues/port.ts';
import { sumFills } from '../execution/execution.ts';
import type { RecordPorts } from '../execution/record-execution.ts';
import { adoptOrder } from './adopt-order.ts';
import { type KnownOrder, makeDue, readCompared, readKnown, recordCompared } from './compared-orders.ts';
import { holdingDifferences } from './holding-differences.ts';
import { underOurIds } from './our-ids.ts';
import { clearGone, type Difference, nameOf, recordDifferences } from './venue-findings.ts';
import { recordParts } from './venue-parts.ts';

export interface ComparePorts extends RecordPorts {
  readonly log: Logger;
}

/** What happened so shortly before the last comparison is looked at again. */
const OVERLAP_MS = 5 * 60_000;

/** The cash follows from every fill there ever was, so it is compared less often. */
const CASH_EVERY_MS = 10 * 60_000;

/**
 * @param cashEveryMs how long ago the cash must have been compared for it to be compared again.
 * @returns what differs now. @throws VenueUnknown if the account cannot be read.
 */
export async function compareAccount(
  ports: ComparePorts,
  venue: Venue,
  offsetMs: number,
  cashEveryMs = CASH_EVERY_MS,
): Promise<Difference[]> {
  const { account } = venue;
  if (account === null) {
    return [];
  }
  const { until, since, cashDue: withCash } = await readCompared(ports.sql, venue.name, OVERLAP_MS, cashEveryMs);
  const reported = { orders: await account.ordersSince(since), fills: await account.fillsSince(since) };
  const { orders, fills } = await underOurIds(ports.sql, venue.name, reported);
  const ids = [...new Set([...orders, ...fills].map(({ ourId }) => ourId))];
  const known = await readKnown(ports.sql, ids);
  const differences: Difference[] = [];
  for (const order of orders) {
    differences.push(...(await classifyOrder(ports, venue, known.get(order.ourId), order)));
  }
  for (const fill of fills) {
    differences.push(...classifyFill(known.get(fill.ourId), fill));
  }
  await makeDue(
    ports.sql,
    [...known.values()].filter((one) => isOpen(one) && fills.some((fill) => isNew(one, fill))),
  );
  const holdings = await holdingDifferences(ports.sql, venue.name, account, withCash);
  differences.push(...holdings.differences);
  const found = merge(differences);
  const { fresh, stopped } = await recordDifferences(ports.sql, venue.name, found);
  const still = [...found.map(nameOf), ...holdings.undecided];
  await clearGone(ports.sql, venue.name, still, ids, withCash ? ['position', 'cash'] : ['position']);
  for (const difference of fresh) {
    ports.log.error(
      { venue: venue.name, kind: difference.kind, orderId: difference.orderId },
      'the venue reports what our books do not know',
    );
  }
  if (stopped !== null) {
    ports.log.fatal(
      { venue: venue.name, because: stopped },
      'trading at the venue has stopped until a person resumes it',
    );
  }
  await recordParts(ports.sql, venue.name, (await account.parts?.()) ?? []);
  await recordCompared(ports.sql, venue.name, {
    until,
    offsetMs,
    balanceMicros: await account.balanceMicros(),
    withCash,
  });
  return found;
}

const isOpen = (one: KnownOrder): boolean => one.attempt !== null && one.attempt !== 'done';
const isNew = (one: KnownOrder, fill: VenueFill): boolean =>
  fill.ourId === one.ourId && !one.fills.includes(fill.fillId);

async function classifyOrder(
  ports: ComparePorts,
  venue: Venue,
  known: KnownOrder | undefined,
  order: VenueOrder,
): Promise<Difference[]> {
  const matters = order.fills.length > 0 || order.state === 'working';
  if (!matters || (known !== undefined && isOpen(known))) {
    return [];
  }
  const subject = { subject: order.ourId, operatorId: known?.operatorId ?? null, orderId: known?.orderId ?? null };
  if (known === undefined) {
    return [{ kind: 'foreign_order', ...subject, raw: order }];
  }
  if (known.attempt === null) {
    const adopted = await adoptOrder(ports, known, venue.name, order);
    return adopted ? [] : [{ kind: 'order_not_sent_by_us', ...subject, raw: order }];
  }
  if (order.state !== 'working') {
    return [];
  }
  // The list is older than our books: an order that has closed since is read again. Nothing is left to fill of one that is
  // filled whole, even if the venue does not call it closed yet.
  const now = await venue.findOrder(order.ourId, { ...order, venueRef: order.venueOrderId });
  const works = now.outcome === 'found' && now.order.state === 'working';
  return works && sumFills(now.order.fills).filledMicros < now.order.quantityMicros
    ? [{ kind: 'still_working', ...subject, raw: now.order }]
    : [];
}

function classifyFill(known: KnownOrder | undefined, fill: VenueFill): Difference[] {
  const subject = { subject: fill.fillId, operatorId: known?.operatorId ?? null, orderId: known?.orderId ?? null };
  if (known === undefined) {
    return [{ kind: 'foreign_fill', ...subject, raw: fill }];
  }
  return known.attempt === 'done' && !known.byPerson && isNew(known, fill)
    ? [{ kind: 'late_fill', ...subject, raw: fill }]
    : [];
}

/** A venue may report a fill twice under one id. */
function merge(differences: readonly Difference[]): Difference[] {
  return [...new Map(differences.map((one) => [nameOf(one), one])).values()];
}
