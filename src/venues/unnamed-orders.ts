/**
 * Recognises orders of ours that a venue lists without our id, by their terms: contract, side, direction, quantity, price and time. Every
 * adapter of such a venue uses it for its responses and lists. An order that cannot be attributed for certain belongs to no attempt. Pure.
 */
import type { FoundOrder, OrderToPlace, SentOrder, UnnamedOrder } from './port.ts';

/**
 * How far the times of a venue and of the database may be apart: nothing is sent while the worker's clock is more than two seconds from
 * either, and a venue may write whole seconds.
 */
const CLOCKS_MS = 5_000;

type Said = Pick<OrderToPlace, 'listingId' | 'side' | 'action' | 'quantityMicros' | 'limitPriceMicros'>;

/** Whether an order shows all terms that were sent. */
export function saysTheSame(order: UnnamedOrder, sent: Said): boolean {
  return (
    order.listingId === sent.listingId &&
    order.side === sent.side &&
    order.action === sent.action &&
    order.quantityMicros === sent.quantityMicros &&
    order.limitPriceMicros === sent.limitPriceMicros
  );
}

/**
 * The result of a look-up that found no order under our id.
 * @param unnamed the venue's orders since the send that carry no id of ours
 * @param sent the order as it was sent; while it is not known, each of them could be it
 * @param readOthers whether the same lists showed another order of ours
 */
export function amongUnnamed(
  unnamed: readonly UnnamedOrder[],
  sent: SentOrder | undefined,
  readOthers: boolean,
): FoundOrder {
  const orders = unnamed.filter((order) => sent === undefined || couldBe(order, sent));
  return orders.length === 0 ? { outcome: 'not_found', readOthers } : { outcome: 'unnamed', orders, readOthers };
}

/**
 * Whether an order could be the one that was sent. It may differ in quantity and price, because a venue may report them in another way
 * than they were sent; only an order of another contract, of the opposite direction or from before the send certainly is another one.
 */
function couldBe(order: UnnamedOrder, { listingId, side, action, sentAt }: SentOrder): boolean {
  const since = sentAt === undefined ? Number.NEGATIVE_INFINITY : sentAt.getTime() - CLOCKS_MS;
  const raises = (order.side === 'YES') === (order.action === 'BUY');
  return (
    order.listingId === listingId &&
    raises === ((side === 'YES') === (action === 'BUY')) &&
    order.madeAt.getTime() >= since
  );
}

/** An attempt whose order may be at the venue without our id. */
export interface UnnamedAttempt extends Said {
  readonly ourId: string;
  readonly sentAt: Date;
  /** After this time the venue itself refuses the order. */
  readonly expiresAt: Date;
}

/**
 * Chooses the order of an attempt. There must be exactly one with the same terms that was made while the venue could take it, and no equal
 * attempt could have made it. Of equal attempts none is preferred: only if there are as many such orders as attempts, and all of them ended
 * alike, so that the assignment makes no difference, each attempt gets one, in the order of time.
 * @param orders without those that are known as orders of other attempts
 * @param rivals other attempts that sent the same terms and whose order is not known, also those that a support person decided
 * @returns undefined while the order cannot be determined
 */
export function chooseOrder(
  attempt: UnnamedAttempt,
  orders: readonly UnnamedOrder[],
  rivals: readonly Pick<UnnamedAttempt, 'ourId' | 'sentAt' | 'expiresAt'>[],
): UnnamedOrder | undefined {
  const fitting = orders.filter((order) => saysTheSame(order, attempt) && isInTime(order, attempt));
  const equal = [attempt, ...rivals.filter((rival) => fitting.some((order) => isInTime(order, rival)))];
  if (fitting.length !== equal.length || (equal.length > 1 && !endedAlike(fitting))) {
    return undefined;
  }
  const byTime = equal.toSorted((one, other) => compare(one.sentAt, one.ourId, other.sentAt, other.ourId));
  return fitting.toSorted((one, other) => compare(one.madeAt, one.venueOrderId, other.madeAt, other.venueOrderId))[
    byTime.indexOf(attempt)
  ];
}

function isInTime({ madeAt }: UnnamedOrder, { sentAt, expiresAt }: Pick<UnnamedAttempt, 'sentAt' | 'expiresAt'>) {
  return madeAt.getTime() >= sentAt.getTime() - CLOCKS_MS && madeAt.getTime() <= expiresAt.getTime() + CLOCKS_MS;
}

function endedAlike([first, ...others]: readonly UnnamedOrder[]): boolean {
  const result = ({ filled }: UnnamedOrder) => filled && `${filled.quantityMicros} at ${filled.priceMicros}`;
  const expected = first === undefined ? null : result(first);
  return expected !== null && others.every((other) => result(other) === expected);
}

function compare(oneAt: Date, oneId: string, otherAt: Date, otherId: string): number {
  return oneAt.getTime() - otherAt.getTime() || (oneId < otherId ? -1 : 1);
}
