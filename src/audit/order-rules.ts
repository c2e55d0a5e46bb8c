/** The rules of the specification for an order: its transitions, its terms, and the cost of its fills. Pure. */
import {
  type Charge,
  chargeOfBuy,
  chargeOfSell,
  chargesOfBuy,
  contractsFor,
  feeAt,
  notionalOf,
  overrunOf,
} from './arithmetic.ts';
import { type AuditedFill, type AuditedOrder, type AuditedQuote, type AuditedRow, ORDERS, QUOTED } from './books.ts';
import { dollars } from './entries.ts';

const ANSWERS = ['submitted', 'partially_filled', 'filled', 'rejected', 'cancelled'];

/** For each kind of row, every transition of an order from one status to another; the same status if only money or transmission changes. */
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

const PARTS = ['tradeMinor', 'platformFeeMinor', 'venueFeeMinor'] as const;
const charge = (part: (name: keyof Charge) => bigint): Charge => ({
  tradeMinor: part('tradeMinor'),
  platformFeeMinor: part('platformFeeMinor'),
  venueFeeMinor: part('venueFeeMinor'),
});
export const chargeOf = (row: { readonly [K in keyof Charge]?: bigint | null | undefined }) =>
  charge((name) => row[name] ?? 0n);
export const NO_CHARGE = chargeOf({});
export const plus = (a: Charge, b: Charge) => charge((name) => a[name] + b[name]);
const minus = (a: Charge, b: Charge) => charge((name) => a[name] - b[name]);
const same = (a: Charge, b: Charge) => PARTS.every((name) => a[name] === b[name]);
const shown = ({ tradeMinor, platformFeeMinor, venueFeeMinor }: Charge) =>
  `${dollars(tradeMinor)} with fees of ${dollars(platformFeeMinor)} and ${dollars(venueFeeMinor)}`;

const faults = (...found: readonly (string | false)[]) => found.filter((fault) => fault !== false);

/** A simulated order that is filled whole takes the whole stake: the remainder from rounding its contracts down is not returned. */
function expectedCharge(order: AuditedOrder, fills: readonly AuditedFill[], before: Charge): Charge {
  if (order.action === 'sell') {
    return chargeOfSell(order.feeBps, fills, before);
  }
  return order.simulated && order.status === 'filled'
    ? { tradeMinor: order.quotedTradeMinor, platformFeeMinor: order.quotedFeeMinor, venueFeeMinor: 0n }
    : chargeOfBuy(order, fills);
}

/** The fills are at most the quantity asked for, within the accepted price. The order is `filled` exactly if it has the whole quantity. */
export function faultsOfFills(order: AuditedOrder, fills: readonly AuditedFill[], attested: boolean): string[] {
  const [only] = fills;
  const { status, action, filledQuantityMicros, quotedQuantityMicros } = order;
  if (only === undefined) {
    return faults(['filled', 'partially_filled'].includes(status) && `The order is ${status}, but has no contracts.`);
  }
  if (status === 'rejected' || status === 'cancelled') {
    return [`The order is ${status}, but has contracts.`];
  }
  if (!order.simulated) {
    return faults(
      action === 'sell' &&
        filledQuantityMicros > quotedQuantityMicros &&
        'More contracts were sold than the order asked for.',
      !attested && isBeyondAttempt(order, fills) && `The fills exceed the attempt that was sent to the venue.`,
    );
  }
  const worse = action === 'buy' ? only.priceMicros - order.priceMicros : order.priceMicros - only.priceMicros;
  const asked =
    action === 'buy' && worse > 0n ? contractsFor(order.quotedTradeMinor, only.priceMicros) : quotedQuantityMicros;
  const right =
    fills.length === 1 &&
    worse <= order.slippageMicros &&
    filledQuantityMicros <= asked &&
    (filledQuantityMicros === asked) === (status === 'filled');
  return faults(
    !right && `The order is ${status} with ${filledQuantityMicros} of ${asked} micro-contracts at ${only.priceMicros}.`,
  );
}

/**
 * More contracts, or more dollars if dollars are spent, or a worse price than the attempt allows. Only a support person may record such
 * fills.
 */
function isBeyondAttempt(order: AuditedOrder, fills: readonly AuditedFill[]): boolean {
  const { action, askedQuantityMicros, limitMicros, spendMicros, filledQuantityMicros, priceWeight } = order;
  const limit = limitMicros ?? 0n;
  const isWorse = (price: bigint) => (action === 'buy' ? price > limit : price < limit);
  const isMore =
    spendMicros === null ? filledQuantityMicros > (askedQuantityMicros ?? 0n) : priceWeight > spendMicros * 1_000_000n;
  return isMore || fills.some(({ priceMicros }) => isWorse(priceMicros));
}

/** An order has the terms of its quote, and took it before it expired. */
export function faultsOfQuote(order: AuditedOrder, quote: AuditedQuote): string[] {
  const terms = Object.keys(QUOTED) as (keyof typeof QUOTED)[];
  return [
    ...faults(order.createdAt >= quote.expiresAt && `The order took a quote that had expired at ${quote.expiresAt}.`),
    ...terms
      .filter((term) => `${order[term]}` !== quote[term])
      .map(
        (term) =>
          `Its quote has ${quote[term]} as ${QUOTED[term].replaceAll('_', ' ')}; the journal has ${order[term]}.`,
      ),
  ];
}

/** The terms of an order follow from the stake, the fee rate and the price that were quoted. */
export function faultsOfTerms(order: AuditedOrder): string[] {
  const { authorizationMinor: stake, quotedFeeMinor: fee, quotedTradeMinor: trade } = order;
  const { quotedQuantityMicros: quantity, priceMicros: price } = order;
  const right =
    order.action === 'buy'
      ? stake > 0n &&
        fee === feeAt(stake, order.feeBps) &&
        trade === stake - fee &&
        quantity === contractsFor(trade, price)
      : stake === 0n && trade === notionalOf(quantity * price);
  const traded = `${dollars(trade)} with a fee of ${dollars(fee)} for ${quantity} micro-contracts`;
  return faults(!right && `A stake of ${dollars(stake)} at ${price} does not give a trade of ${traded}.`);
}

/** The parties and terms of an order never change. Rows about money alone do not repeat them. */
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
    // a buy that is answered extends the open position, or opens one
    ['position', row.kind === 'order_answered' ? null : row.positionId, order.positionId],
  ];
  return said
    .filter(([, says, is]) => says !== null && says !== undefined && says !== is)
    .map(([what, says, is]) => `At ${row.sequence} the order's ${what} is ${says}; it was recorded with ${is}.`);
}

/**
 * The charge of the order before a command, and the amounts that the command booked: its entries, and what a venue took or paid beyond
 * them.
 */
interface CommandMoney {
  readonly before: Charge;
  readonly booked: Charge;
  readonly overrunMinor: bigint;
  readonly gainMinor: bigint;
}

/** The charge follows from the fills, and the entries equal the charge. */
export function faultsOfCharge(
  order: AuditedOrder,
  fills: readonly AuditedFill[],
  { before, booked, overrunMinor, gainMinor }: CommandMoney,
): string[] {
  const stated = chargeOf(order);
  const expected = expectedCharge(order, fills, before);
  const entries = plus(before, booked);
  const overrun =
    !order.simulated && order.transmissionState === 'resolved' ? overrunOf(order.action, fills, stated, gainMinor) : 0n;
  return faults(
    !same(stated, expected) && `The order is charged ${shown(stated)}; its fills cost ${shown(expected)}.`,
    !same(stated, entries) && `The order is charged ${shown(stated)}; its entries sum to ${shown(entries)}.`,
    overrunMinor !== overrun &&
      `An overrun of ${dollars(overrunMinor)} was posted; ${dollars(overrun)} follows from the fills.`,
  );
}

/** The values that the first row of an order may have for the end of its command. */
const NOTHING_YET = {
  status: '',
  transmissionState: '',
  filledQuantityMicros: 0n,
  priceWeight: 0n,
  tradeMinor: 0n,
  platformFeeMinor: 0n,
  venueFeeMinor: 0n,
  cancellationId: null,
};

/**
 * An order as its first row records it; everything else follows from later rows.
 * @param operatorId of the books that hold it
 */
export function newOrder(row: AuditedRow, operatorId: string): AuditedOrder {
  const terms = Object.entries(ORDERS.empty).map(([field, empty]) => [field, row[field as keyof AuditedRow] ?? empty]);
  return {
    ...(Object.fromEntries(terms) as AuditedOrder),
    ...NOTHING_YET,
    operatorId,
    priceMicros: row.quotedPriceMicros ?? 0n,
    reserveReference: row.reference ?? null,
    createdAt: row.decidedAt,
  };
}

/** The fills that one command recorded, in their order. */
export interface Telling {
  readonly rows: readonly AuditedRow[];
  /** The order's charge before the command. */
  readonly before: Charge;
  /** For a sell, the fills whose fee is known after this command, each with the proceeds of its exit. */
  readonly exits: readonly { readonly fillNo: number; readonly charge: Charge }[];
}

/**
 * A row about the order as a whole shows the charge so far.
 * @param charged of the order after the row
 */
export function faultsOfState(order: AuditedOrder, row: AuditedRow, charged: Charge): string[] {
  const told = chargeOf(row);
  const fee = row.venueFeeKnown ? 'known' : 'unknown';
  return faults(
    !same(told, charged) && `The row at ${row.sequence} shows a charge of ${shown(told)}; ${shown(charged)} follows.`,
    row.venueFeeKnown !== order.venueFeeKnown &&
      `The row at ${row.sequence} shows the venue's fee as ${fee}, but it is not.`,
  );
}

/** The end of an order: its states, its fills and its contracts, and whether less was traded than the order asked for. */
export function faultsOfEnd(order: AuditedOrder, row: AuditedRow, fills: readonly AuditedFill[]): string[] {
  const right =
    row.status === order.status &&
    row.transmissionState === order.transmissionState &&
    row.filledQuantityMicros === order.filledQuantityMicros &&
    row.priceWeight === order.priceWeight &&
    row.fillNo === fills.length &&
    row.partial === (fills.length > 0 ? order.status !== 'filled' : row.partial === true);
  const told = `${row.status} with ${row.fillNo} fills of ${row.filledQuantityMicros} micro-contracts`;
  const is = `${order.status} with ${fills.length} of ${order.filledQuantityMicros}`;
  return faults(!right && `The row at ${row.sequence} ends the order as ${told}; the order is ${is}.`);
}

/**
 * The row of each fill shows the order's charge so far, and what the fill added. Only the last fill leaves the order in the final state of
 * the command.
 */
export function faultsOfFillRows(order: AuditedOrder, fills: readonly AuditedFill[], telling: Telling): string[] {
  const charges = chargesAfterEach(order, fills, telling);
  const unknown = fills.findIndex(({ feeMicros }) => feeMicros === null);
  return telling.rows.flatMap((row) => {
    const number = row.fillNo ?? 0;
    const fill = fills[number - 1];
    if (fill === undefined) {
      return [];
    }
    const last = number === fills.length;
    const charged = last ? chargeOf(order) : (charges[number] ?? NO_CHARGE);
    const added = minus(charged, number === 1 ? NO_CHARGE : (charges[number - 1] ?? NO_CHARGE));
    const told = chargeOf(row);
    const own = chargeOf({
      tradeMinor: row.fillTradeMinor,
      platformFeeMinor: row.fillPlatformFeeMinor,
      venueFeeMinor: row.fillVenueFeeMinor,
    });
    const status = last ? order.status : 'partially_filled';
    const transmission = last ? order.transmissionState : 'unknown';
    const leaves =
      row.status === status &&
      row.transmissionState === transmission &&
      row.venueFeeKnown === (unknown < 0 || unknown >= number) &&
      row.fillFeeKnown === (fill.feeMicros !== null) &&
      (order.transmissionState !== 'resolved' || row.partial === (!last || order.status !== 'filled'));
    const left = `${row.status} and ${row.transmissionState}; ${status} and ${transmission} follows`;
    return faults(
      !same(told, charged) && `Fill ${number} shows a charge so far of ${shown(told)}; ${shown(charged)} follows.`,
      !same(own, added) && `Fill ${number} shows ${shown(own)} as its own charge; ${shown(added)} follows.`,
      !leaves && `Fill ${number} leaves the order ${left}.`,
    );
  });
}

/** The charge of the order after no fill, after the first fill, and so on, with the fees that this command knows. */
function chargesAfterEach(order: AuditedOrder, fills: readonly AuditedFill[], { before, exits }: Telling): Charge[] {
  if (order.action === 'buy') {
    return chargesOfBuy(order, fills);
  }
  const parts = new Map(exits.map(({ fillNo, charge }) => [fillNo, charge]));
  let charged = before;
  return [before, ...fills.map(({ fillNo }) => (charged = plus(charged, parts.get(fillNo) ?? NO_CHARGE)))];
}
