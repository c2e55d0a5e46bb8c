/**
 * Compares our account at a venue with our books: orders and fills since the last comparison, positions and cash. For a new fill of an open
 * order the look-up is made due. An order that the books lost is taken over. Payments in or out that the venue lists are booked. Any other
 * difference is a finding for a support person. It stops trading at the venue, unless the venue only has more than the books: then it is a
 * warning. Nothing is sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../core/log.ts';
import { otherSide, type Side } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import { MICROS_PER_CENT } from '../../money/decimal.ts';
import { isOurId, type Venue, type VenueAccount, type VenueFill, type VenueOrder } from '../../venues/port.ts';
import type { Attempt } from '../execution/attempts.ts';
import { type RecordPorts, recordExecution } from '../execution/record-execution.ts';
import { sumFills } from '../execution/report.ts';
import { beginning, type PlannedOrder } from '../execution/transmit-order.ts';
import type { OrderRow } from '../orders/order.ts';
import { readOrderForUpdate } from '../orders/orders.ts';
import {
  type ComparedCash,
  type ComparedPosition,
  compareCash,
  comparePositions,
  differenceOf,
  type KnownOrder,
  listOverdueResults,
  makeDue,
  netOf,
  type OverdueResult,
  readCompared,
  readKnown,
  recordCompared,
} from './our-side.ts';
import { bookTransfers, listTransfers } from './transfers.ts';
import { recordParts } from './venue-facts.ts';
import {
  clearGone,
  type Difference,
  describeWarning,
  isWarning,
  nameOf,
  RESULT_OVERDUE,
  recordDifferences,
} from './venue-findings.ts';

export interface ComparePorts extends RecordPorts {
  readonly log: Logger;
}

/** Orders and fills of so long before the last comparison are compared again. */
const OVERLAP_MS = 5 * 60_000;

/** The cash is compared less often, because all fills ever have to be added up for it. */
const CASH_EVERY_MS = 10 * 60_000;

/**
 * @param offsetMs difference between our clock and the venue's, which is recorded with the comparison
 * @param cashEveryMs how long ago the cash must have been compared last to be compared again
 * @returns the differences of now
 * @throws VenueUnknown if the account cannot be read
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
  const { orders, fills } = await underOurIds(ports.sql, venue, reported);
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
  if (withCash) {
    differences.push(...(await listOverdueResults(ports.sql, venue.name)).map(overdueResult));
  }
  const found = merge(differences);
  const { fresh, stopped } = await recordDifferences(ports.sql, venue.name, found);
  const still = [...found.map(nameOf), ...holdings.undecided];
  const named = [...ids, ...orders.map(({ venueOrderId }) => venueOrderId)];
  await clearGone(ports.sql, venue.name, still, named, withCash ? ['position', 'cash', RESULT_OVERDUE] : ['position']);
  for (const difference of fresh) {
    const { kind, subject, orderId, size } = difference;
    const words = { venue: venue.name, kind, subject, orderId, size: size?.toString() };
    if (isWarning(difference)) {
      ports.log.warn(words, `${kind} at the venue ${describeWarning(kind)}`);
    } else {
      ports.log.error(words, 'the account at the venue differs from the books');
    }
  }
  if (stopped !== null) {
    ports.log.fatal(
      { venue: venue.name, because: stopped },
      'trading at the venue has stopped until a support person resumes it',
    );
  }
  await recordParts(ports.sql, venue.name, (await account.parts?.()) ?? []);
  await recordCompared(ports.sql, venue.name, {
    until,
    offsetMs,
    balanceMicros: await account.balanceMicros(),
    ...(withCash ? { cash: holdings.cash } : {}),
  });
  return found;
}

interface ReportedWork {
  readonly orders: readonly VenueOrder[];
  readonly fills: readonly VenueFill[];
}

type SentAs = Pick<Attempt, 'ourId' | 'venueRef' | 'listingId' | 'side' | 'action' | 'quantityMicros'>;

/**
 * Replaces the venue's ids by ours, because some venues identify an order by its hash and keep no id of ours. Orders that our books do not
 * have keep the venue's ids. If a venue may list an order without our id, an attempt without a known order there, because it is still open
 * or a support person decided it in the last hour, accounts for one order with the same terms: that one is left out.
 */
async function underOurIds(
  sql: Sql,
  { name, mayOmitOurId = false }: Venue,
  { orders, fills }: ReportedWork,
): Promise<ReportedWork> {
  const refs = [...new Set([...orders, ...fills].map(({ ourId }) => ourId))];
  // in one statement: an attempt whose order becomes known meanwhile is one or the other
  const rows = await sql<SentAs[]>`
    select our_id, venue_ref, listing_id, side, action, quantity_micros from transmissions
    where venue_ref = any (${refs}::text[]) and venue = ${name}
    union
    select our_id, venue_ref, listing_id, side, action, quantity_micros from transmissions
    where ${mayOmitOurId} and state <> 'done' and venue_ref is null and venue = ${name}
    union
    select t.our_id, t.venue_ref, t.listing_id, t.side, t.action, t.quantity_micros
    from venue_evidence e join transmissions t using (operator_id, order_id)
    where ${mayOmitOurId} and e.kind = 'person' and e.recorded_at > now() - interval '1 hour' and t.venue_ref is null and t.venue = ${name}`;
  const known = new Map(rows.map((row) => [row.venueRef, row.ourId]));
  const unnamed = rows.filter(({ venueRef }) => venueRef === null);
  const isForeign = ({ ourId }: { readonly ourId: string }) => !isOurId(ourId) && !known.has(ourId);
  const undecided = new Set<string>();
  for (const sent of unnamed) {
    const order = orders.find((one) => isForeign(one) && !undecided.has(one.ourId) && isAsSent(one, sent));
    if (order !== undefined) {
      undecided.add(order.ourId);
    }
  }
  const listed = new Set(orders.map(({ ourId }) => ourId));
  // an order that was made after the orders were read is in the next comparison
  const mayFill = (fill: VenueFill) =>
    isForeign(fill) && !listed.has(fill.ourId) && unnamed.some(({ listingId }) => listingId === fill.listingId);
  const rename = <T extends { readonly ourId: string }>(one: T): T => ({
    ...one,
    ourId: known.get(one.ourId) ?? one.ourId,
  });
  return {
    orders: orders
      .filter(({ ourId }) => !undecided.has(ourId))
      .map((order) => ({ ...rename(order), fills: order.fills.map(rename) })),
    fills: fills.filter((fill) => !undecided.has(fill.ourId) && !mayFill(fill)).map(rename),
  };
}

function isAsSent(order: VenueOrder, sent: SentAs): boolean {
  return (
    order.listingId === sent.listingId &&
    order.side === sent.side &&
    order.action === sent.action &&
    order.quantityMicros === sent.quantityMicros
  );
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
  // The list is older than our books, so the order is read again in case it has closed. An order that is filled whole has nothing left to
  // fill, even if the venue does not report it as closed yet.
  const now = await venue.findOrder(order.ourId, { ...order, venueRef: order.venueOrderId });
  const works = now.outcome === 'found' && now.order.state === 'working';
  return works && sumFills(now.order.fills).filledMicros < now.order.quantityMicros
    ? [{ kind: 'still_working', ...subject, raw: now.order }]
    : [];
}

/** The limit was lost with the attempt. Any price is accepted, because the venue has kept to the limit. */
const ANY_PRICE = { BUY: 999_999n, SELL: 1n };

/**
 * Takes over an order that a venue has although our books did not send it, because a restored database lost the transmission. The order
 * is recorded as begun, and then as the venue reports it.
 * @returns whether the order was waiting to be sent; an order that was withdrawn meanwhile cannot be taken over
 */
async function adoptOrder(
  ports: RecordPorts,
  { operatorId, orderId, mode }: KnownOrder,
  venue: string,
  reported: VenueOrder,
): Promise<boolean> {
  const order = await readOrderForUpdate(ports.sql, operatorId, orderId);
  if (order === undefined || order.status !== 'pending_venue_execution' || order.simulated) {
    return false;
  }
  const side = await sideThere(ports.sql, venue, reported.listingId, order);
  if (order.venue !== venue || side !== reported.side || order.action !== reported.action.toLowerCase()) {
    return false;
  }
  const planned: PlannedOrder = {
    ourId: reported.ourId,
    listingId: reported.listingId,
    side: reported.side,
    action: reported.action,
    quantityMicros: reported.quantityMicros,
    limitPriceMicros: ANY_PRICE[reported.action],
  };
  const { code } = await ports.transition(beginning(order, planned, true));
  if (code === null) {
    await recordExecution(ports, operatorId, orderId, mode, { from: 'venue', order: reported });
  }
  return code === null;
}

/** The order's side in the words of the listing; undefined if the listing does not belong to the order's contract. */
async function sideThere(
  sql: Sql,
  venue: string,
  listingId: string,
  order: Pick<OrderRow, 'contractId' | 'side'>,
): Promise<Side | undefined> {
  const [listing] = await sql<{ inverse: boolean }[]>`
    select listed.inverse <> ours.inverse as inverse
    from listings l join contracts listed on listed.contract_id = l.contract_id
      join contracts ours on ours.contract_id = listed.contract_id or ours.group_key = listed.group_key
    where l.venue = ${venue} and l.listing_id = ${listingId} and ours.contract_id = ${order.contractId}`;
  return listing && (listing.inverse ? otherSide(order.side) : order.side);
}

function classifyFill(known: KnownOrder | undefined, fill: VenueFill): Difference[] {
  const subject = { subject: fill.fillId, operatorId: known?.operatorId ?? null, orderId: known?.orderId ?? null };
  if (known === undefined) {
    return [{ kind: 'foreign_fill', ...subject, raw: fill }];
  }
  // fills that a support person recorded have their own ids
  const recorded = known.byPerson && known.fills.length > 0;
  return known.attempt === 'done' && !recorded && isNew(known, fill)
    ? [{ kind: 'late_fill', ...subject, raw: fill }]
    : [];
}

const LOOK_AGAIN_MS = 2_500;
/** How long after a payment of the venue its result may still be on its way to the books. */
const PAID_GRACE_MS = 15 * 60_000;
/** The cash of an account is one subject of findings. */
const ACCOUNT = { kind: 'cash', subject: 'account' };

interface HoldingDifferences {
  readonly differences: readonly Difference[];
  /** Null if it was not or could not be compared. */
  readonly cash: ComparedCash | null;
  /** Names of findings that are neither new nor gone, because an order or a payment is under way (contract 19.3). */
  readonly undecided: readonly string[];
}

/**
 * Positions and cash of our account at a venue that differ from the books. They are compared twice, with a short wait in between, because
 * a result or a fill may just be on its way to us.
 */
async function holdingDifferences(
  sql: Sql,
  venue: string,
  account: VenueAccount,
  withCash: boolean,
): Promise<HoldingDifferences> {
  const first = await look(sql, venue, account, withCash);
  if (first.differences.length === 0) {
    return first;
  }
  await sleep(LOOK_AGAIN_MS);
  const again = await look(sql, venue, account, withCash);
  const earlier = first.differences.map(nameOf);
  return {
    ...again,
    differences: again.differences.filter((one) => earlier.includes(nameOf(one))),
    undecided: [...first.undecided, ...again.undecided],
  };
}

async function look(sql: Sql, venue: string, account: VenueAccount, withCash: boolean): Promise<HoldingDifferences> {
  const before = await comparePositions(sql, venue, account, []);
  const after = await comparePositions(sql, venue, account, await account.positions());
  const isMoving = (one: ComparedPosition) => moves(one, before);
  const unequal = after.filter((one) => differenceOf(one) !== 0n && !isMoving(one));
  const paid = await paidAlready(account, unequal);
  const differences = unequal.filter(({ listingId }) => !paid.has(listingId)).map(positionDifference);
  const undecided = [...after.filter(isMoving).map(({ listingId }) => listingId), ...paid].map((subject) =>
    nameOf({ kind: 'position', subject }),
  );
  if (!withCash) {
    return { differences, undecided, cash: null };
  }
  const transfers = await listTransfers(sql, venue, account);
  await bookTransfers(sql, venue, transfers);
  // The payment is in the cash before the result is in the books.
  const cash = paid.size === 0 ? await compareCash(sql, venue, account, transfers) : null;
  return cash === null || (cash.difference === 0n && cash.least !== cash.most)
    ? { differences, undecided: [...undecided, nameOf(ACCOUNT)], cash }
    : { differences: cash.difference === 0n ? differences : [...differences, cashDifference(cash)], undecided, cash };
}

/** Listings that the venue has just paid, while their results are still on their way to the books. They are not differences. */
async function paidAlready(account: VenueAccount, unequal: readonly ComparedPosition[]): Promise<ReadonlySet<string>> {
  const gone = unequal.filter(({ theirs }) => theirs.yes === 0n && theirs.no === 0n).map(({ listingId }) => listingId);
  const since = new Date(Date.now() - PAID_GRACE_MS);
  const settled = new Set(gone.length > 0 ? await account.settledSince?.(since, gone) : []);
  return new Set(gone.filter((listingId) => settled.has(listingId)));
}

/** Whether an order for this position is under way, or the position moved before the venue responded. */
function moves(one: ComparedPosition, before: readonly ComparedPosition[]): boolean {
  const earlier = before.find(({ listingId }) => listingId === one.listingId);
  const [yes, no] = [earlier?.ours.yes ?? 0n, earlier?.ours.no ?? 0n];
  return one.inFlight || earlier?.inFlight === true || yes !== one.ours.yes || no !== one.ours.no;
}

/** The size of a surplus that an order of ours could explain counts as missing, so that it stops trading. */
function positionDifference(one: ComparedPosition): Difference {
  const { listingId, contractId, theirs, ours, doubtful } = one;
  const difference = differenceOf(one);
  const raw = { contractId, theirs: netOf(theirs), ours: netOf(ours), doubtful };
  const size = doubtful && difference > 0n ? -difference : difference;
  return { kind: 'position', subject: listingId, operatorId: null, orderId: null, size, raw };
}

/** The size is the amount beyond the bounds in cents, so that it does not grow with orders that are under way. */
function cashDifference({ theirs, least, most, difference, unexplained }: ComparedCash): Difference {
  const raw = { theirs, least, most, unexplained };
  return { ...ACCOUNT, operatorId: null, orderId: null, size: difference / MICROS_PER_CENT, raw };
}

function overdueResult({ listingId, contractId, quantityMicros: size, closesAt }: OverdueResult): Difference {
  const raw = { contractId, closesAt };
  return { kind: RESULT_OVERDUE, subject: listingId, operatorId: null, orderId: null, size, raw };
}

/** Keeps one difference of each name, because a venue may report a fill twice under one id. */
function merge(differences: readonly Difference[]): Difference[] {
  return [...new Map(differences.map((one) => [nameOf(one), one])).values()];
}
