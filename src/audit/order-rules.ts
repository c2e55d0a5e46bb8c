/** What the specification says of an order: where it may go, what its terms are, and what its fills cost. Pure. */
import { type Charge, chargeOfBuy, chargeOfSell, contractsFor, feeAt, notionalOf, overrunOf } from './arithmetic.ts';
import { type AuditedFill, type AuditedOrder, type AuditedRow, ORDERS } from './books.ts';
import { dollars } from './entries.ts';

const ANSWERS = ['submitted', 'partially_filled', 'filled', 'rejected', 'cancelled'];

/** By the kind of a row, every way from one status of an order to another; the same status where only money or transmission changes. */
export const TRANSITIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  order_executed: { '': ['filled', 'partially_filled', 'rejected', 'cancelled'] },
  order_recorded: { '': ['reserve_pending', 'pending_venue_execution'] },
  reserve_confirmed: { reserve_pending: ['pending_venue_execution'] },
  order_withdrawn: { reserve_pending: ['cancelled'], pending_venue_execution: ['cancelled'] },
  order_sent: { pending_venue_execution: ['submitted'] },
  order_answered: { submitted: ANSWERS, partially_filled: ['partially_filled', 'filled'] },
};

/** The transmission states that a status allows. */
export const TRANSMISSION: Readonly<Record<string, readonly string[]>> = {
  reserve_pending: ['not_transmitted'],
  pending_venue_execution: ['not_transmitted'],
  submitted: ['unknown'],
  partially_filled: ['unknown', 'resolved'],
  filled: ['resolved'],
  rejected: ['resolved'],
  cancelled: ['not_transmitted', 'resolved'],
};

export const isOpen = ({ status, transmissionState }: AuditedOrder) =>
  ['reserve_pending', 'pending_venue_execution', 'submitted'].includes(status) ||
  (status === 'partially_filled' && transmissionState !== 'resolved');

export const chargeOf = ({
  tradeMinor,
  platformFeeMinor,
  venueFeeMinor,
}: Partial<{ [K in keyof Charge]: bigint | null | undefined }>): Charge => ({
  tradeMinor: tradeMinor ?? 0n,
  platformFeeMinor: platformFeeMinor ?? 0n,
  venueFeeMinor: venueFeeMinor ?? 0n,
});
export const NO_CHARGE: Charge = { tradeMinor: 0n, platformFeeMinor: 0n, venueFeeMinor: 0n };
export const plus = (a: Charge, b: Charge): Charge => ({
  tradeMinor: a.tradeMinor + b.tradeMinor,
  platformFeeMinor: a.platformFeeMinor + b.platformFeeMinor,
  venueFeeMinor: a.venueFeeMinor + b.venueFeeMinor,
});
export const sameCharge = (a: Charge, b: Charge) =>
  a.tradeMinor === b.tradeMinor && a.platformFeeMinor === b.platformFeeMinor && a.venueFeeMinor === b.venueFeeMinor;
export const shown = (charge: Charge) =>
  `${dollars(charge.tradeMinor)} with fees of ${dollars(charge.platformFeeMinor)} and ${dollars(charge.venueFeeMinor)}`;

/** A simulated order that is filled whole takes the whole stake; the rounding down of its contracts is not given back. */
function expectedCharge(order: AuditedOrder, fills: readonly AuditedFill[], before: Charge): Charge {
  if (order.action === 'sell') {
    return chargeOfSell(order.feeBps, fills, before);
  }
  return order.simulated && order.status === 'filled'
    ? { tradeMinor: order.quotedTradeMinor, platformFeeMinor: order.quotedFeeMinor, venueFeeMinor: 0n }
    : chargeOfBuy(order, fills);
}

/** What is wrong with the fills: no more than was asked, within the price that was accepted, and `filled` exactly if all that was asked for is there. */
export function faultsOfFills(order: AuditedOrder, fills: readonly AuditedFill[]): string[] {
  const [only] = fills;
  if (only === undefined) {
    if (order.status === 'filled' || order.status === 'partially_filled') {
      return [`The order is ${order.status} and has no contracts.`];
    }
    return [];
  }
  if (order.status === 'rejected' || order.status === 'cancelled') {
    return [`The order is ${order.status} and has contracts.`];
  }
  if (!order.simulated) {
    if (order.action === 'sell' && order.filledQuantity > order.quotedQuantity) {
      return ['More contracts were sold than were asked for.'];
    }
    return [];
  }
  const worse = order.action === 'buy' ? only.priceMicros - order.priceMicros : order.priceMicros - only.priceMicros;
  const asked =
    order.action === 'buy' && worse > 0n
      ? contractsFor(order.quotedTradeMinor, only.priceMicros)
      : order.quotedQuantity;
  if (
    fills.length > 1 ||
    worse > order.slippageMicros ||
    order.filledQuantity > asked ||
    (order.filledQuantity === asked) !== (order.status === 'filled')
  ) {
    return [
      `The order is ${order.status} with ${order.filledQuantity} of ${asked} micro-contracts at ${only.priceMicros}.`,
    ];
  }
  return [];
}

/** The terms of an order follow from the stake, the fee rate and the price that were quoted. */
export function faultsOfTerms(order: AuditedOrder): string[] {
  const {
    authorizationMinor: stake,
    quotedFeeMinor: fee,
    quotedTradeMinor: trade,
    quotedQuantity: quantity,
    priceMicros: price,
    feeBps,
  } = order;
  const right =
    order.action === 'buy'
      ? stake > 0n && fee === feeAt(stake, feeBps) && trade === stake - fee && quantity === contractsFor(trade, price)
      : stake === 0n && trade === notionalOf(quantity * price);
  return right
    ? []
    : [
        `A stake of ${dollars(stake)} at ${price} is no trade of ${dollars(trade)} with a fee of ${dollars(fee)} for ${quantity} micro-contracts.`,
      ];
}

/** Who, what and at which terms never changes. Rows about money alone do not repeat it. */
export function faultsAgainst(order: AuditedOrder, row: AuditedRow): string[] {
  const said: readonly (readonly [string, unknown, unknown])[] = [
    ['customer', row.externalUserId, order.externalUserId],
    ['contract', row.contractId, order.contractId],
    ['side', row.side, order.side],
    ['action', row.action, order.action],
    ['simulation', row.simulated, order.simulated],
    ['client order id', row.clientOrderId, order.clientOrderId],
    ['execution reference', row.executionRef, order.executionRef],
    ['fee rate', row.feeBps, order.feeBps],
    ['authorization', row.authorizationMinor, order.authorizationMinor],
    // a buy that is answered extends the position that is open by then, or opens one
    ['position', row.kind === 'order_answered' ? null : row.positionId, order.positionId],
  ];
  return said
    .filter(([, says, is]) => says !== null && says !== undefined && says !== is)
    .map(([what, says, is]) => `At ${row.sequence} its ${what} is ${says}; it was recorded with ${is}.`);
}

/** What was charged follows from the fills, and what was booked is what was charged. */
export function faultsOfCharge(
  order: AuditedOrder,
  fills: readonly AuditedFill[],
  before: Charge,
  booked: Charge & { readonly overrunMinor: bigint },
): string[] {
  const stated = chargeOf(order);
  const expected = expectedCharge(order, fills, before);
  const entries = plus(before, booked);
  const overrun =
    !order.simulated && order.transmissionState === 'resolved'
      ? overrunOf(order.action, fills, stated, order.venueGainMinor)
      : 0n;
  const faults: string[] = [];
  if (!sameCharge(stated, expected)) {
    faults.push(`It is charged ${shown(stated)}; its fills make ${shown(expected)}.`);
  }
  if (!sameCharge(stated, entries)) {
    faults.push(`It is charged ${shown(stated)}; its entries make ${shown(entries)}.`);
  }
  if (booked.overrunMinor !== overrun) {
    faults.push(`An overrun of ${dollars(booked.overrunMinor)} was posted; its fills make ${dollars(overrun)}.`);
  }
  return faults;
}

/** What the first row of an order may say of the end of its command. */
const NOTHING_YET = {
  status: '',
  transmissionState: '',
  filledQuantity: 0n,
  priceWeight: 0n,
  tradeMinor: 0n,
  platformFeeMinor: 0n,
  venueFeeMinor: 0n,
  cancellationId: null,
};

/** An order as its first row records it; the rest follows from what happens to it. */
export function newOrder(row: AuditedRow): AuditedOrder {
  const terms = Object.entries(ORDERS.empty).map(([field, empty]) => [field, row[field as keyof AuditedRow] ?? empty]);
  return {
    ...(Object.fromEntries(terms) as AuditedOrder),
    ...NOTHING_YET,
    priceMicros: row.quotedPriceMicros ?? 0n,
    reserveReference: row.reference ?? null,
    createdAt: row.decidedAt,
  };
}
