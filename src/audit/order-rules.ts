/** What the specification says of an order: where it may go, what its terms are, and what its fills cost. Pure. */
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

/** A simulated order that is filled whole takes the whole stake; the rounding down of its contracts is not given back. */
function expectedCharge(order: AuditedOrder, fills: readonly AuditedFill[], before: Charge): Charge {
  if (order.action === 'sell') {
    return chargeOfSell(order.feeBps, fills, before);
  }
  return order.simulated && order.status === 'filled'
    ? { tradeMinor: order.quotedTradeMinor, platformFeeMinor: order.quotedFeeMinor, venueFeeMinor: 0n }
    : chargeOfBuy(order, fills);
}

/** The fills are no more than was asked, within the price that was accepted, and `filled` exactly if all that was asked for is there. */
export function faultsOfFills(order: AuditedOrder, fills: readonly AuditedFill[], attested: boolean): string[] {
  const [only] = fills;
  const { status, action, filledQuantity, quotedQuantity } = order;
  if (only === undefined) {
    return faults(['filled', 'partially_filled'].includes(status) && `The order is ${status} and has no contracts.`);
  }
  if (status === 'rejected' || status === 'cancelled') {
    return [`The order is ${status} and has contracts.`];
  }
  if (!order.simulated) {
    return faults(
      action === 'sell' && filledQuantity > quotedQuantity && 'More contracts were sold than were asked for.',
      !attested && isBeyondAttempt(order, fills) && `The fills are beyond what the venue was asked for.`,
    );
  }
  const worse = action === 'buy' ? only.priceMicros - order.priceMicros : order.priceMicros - only.priceMicros;
  const asked =
    action === 'buy' && worse > 0n ? contractsFor(order.quotedTradeMinor, only.priceMicros) : quotedQuantity;
  const right =
    fills.length === 1 &&
    worse <= order.slippageMicros &&
    filledQuantity <= asked &&
    (filledQuantity === asked) === (status === 'filled');
  return faults(
    !right && `The order is ${status} with ${filledQuantity} of ${asked} micro-contracts at ${only.priceMicros}.`,
  );
}

/** More contracts, or more dollars where dollars are spent, or a worse price than the attempt allows. Only a person may tell of such fills. */
function isBeyondAttempt(order: AuditedOrder, fills: readonly AuditedFill[]): boolean {
  const { action, askedQuantity, limitMicros, spendMicros, filledQuantity, priceWeight } = order;
  const limit = limitMicros ?? 0n;
  const isWorse = (price: bigint) => (action === 'buy' ? price > limit : price < limit);
  const isMore = spendMicros === null ? filledQuantity > (askedQuantity ?? 0n) : priceWeight > spendMicros * 1_000_000n;
  return isMore || fills.some(({ priceMicros }) => isWorse(priceMicros));
}

/** An order has the terms of the quote that it took, in time. */
export function faultsOfQuote(order: AuditedOrder, quote: AuditedQuote): string[] {
  const terms = Object.keys(QUOTED) as (keyof typeof QUOTED)[];
  return [
    ...faults(order.createdAt >= quote.expiresAt && `It took a quote that had ended at ${quote.expiresAt}.`),
    ...terms
      .filter((term) => `${order[term]}` !== quote[term])
      .map(
        (term) => `Its quote says ${quote[term]} as ${QUOTED[term].replaceAll('_', ' ')}, the journal ${order[term]}.`,
      ),
  ];
}

/** The terms of an order follow from the stake, the fee rate and the price that were quoted. */
export function faultsOfTerms(order: AuditedOrder): string[] {
  const { authorizationMinor: stake, quotedFeeMinor: fee, quotedTradeMinor: trade } = order;
  const { quotedQuantity: quantity, priceMicros: price } = order;
  const right =
    order.action === 'buy'
      ? stake > 0n &&
        fee === feeAt(stake, order.feeBps) &&
        trade === stake - fee &&
        quantity === contractsFor(trade, price)
      : stake === 0n && trade === notionalOf(quantity * price);
  const traded = `${dollars(trade)} with a fee of ${dollars(fee)} for ${quantity} micro-contracts`;
  return faults(!right && `A stake of ${dollars(stake)} at ${price} is no trade of ${traded}.`);
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

/** The charge of the order before a command, and what the command booked: its entries, what a venue took beyond, what it paid beyond. */
interface CommandMoney {
  readonly before: Charge;
  readonly booked: Charge;
  readonly overrunMinor: bigint;
  readonly gainMinor: bigint;
}

/** What was charged follows from the fills, and what was booked is what was charged. */
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
    !same(stated, expected) && `It is charged ${shown(stated)}; its fills make ${shown(expected)}.`,
    !same(stated, entries) && `It is charged ${shown(stated)}; its entries make ${shown(entries)}.`,
    overrunMinor !== overrun &&
      `An overrun of ${dollars(overrunMinor)} was posted; its fills make ${dollars(overrun)}.`,
  );
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

/** An order as its first row records it; the rest follows from what happens to it. @param operatorId of the books that it is in */
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

/** What one command told of the fills that it recorded, in their order. */
export interface Telling {
  readonly rows: readonly AuditedRow[];
  /** The order's charge before the command. */
  readonly before: Charge;
  /** Of a sell, the fills whose fee is known by this command, each with what its exit brought. */
  readonly exits: readonly { readonly fillNo: number; readonly charge: Charge }[];
}

/** A row about the order as a whole says what is charged by then. @param charged of the order after the row */
export function faultsOfState(order: AuditedOrder, row: AuditedRow, charged: Charge): string[] {
  const told = chargeOf(row);
  const fee = row.venueFeeKnown ? 'known' : 'unknown';
  return faults(
    !same(told, charged) && `At ${row.sequence} ${shown(told)} are told; ${shown(charged)} are charged.`,
    row.venueFeeKnown !== order.venueFeeKnown && `At ${row.sequence} the venue's fee is told as ${fee}, and it is not.`,
  );
}

/** The end of an order: its states, its fills and its contracts, and whether less was traded than was asked for. */
export function faultsOfEnd(order: AuditedOrder, row: AuditedRow, fills: readonly AuditedFill[]): string[] {
  const right =
    row.status === order.status &&
    row.transmissionState === order.transmissionState &&
    row.filledQuantity === order.filledQuantity &&
    row.priceWeight === order.priceWeight &&
    row.fillNo === fills.length &&
    row.partial === (fills.length > 0 ? order.status !== 'filled' : row.partial === true);
  const told = `${row.status} with ${row.fillNo} fills of ${row.filledQuantity} micro-contracts`;
  const is = `${order.status} with ${fills.length} of ${order.filledQuantity}`;
  return faults(!right && `At ${row.sequence} the order ends ${told}; it is ${is}.`);
}

/** Each fill tells the order's charge with it, and what it added. Only the last leaves the order as the command does. */
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
    const left = `${row.status} and ${row.transmissionState}; it is ${status} and ${transmission}`;
    return faults(
      !same(told, charged) && `Fill ${number} tells a charge of ${shown(told)} by then; ${shown(charged)} follow.`,
      !same(own, added) && `Fill ${number} tells ${shown(own)} of its own; it added ${shown(added)}.`,
      !leaves && `Fill ${number} leaves the order ${left}.`,
    );
  });
}

/** The charge of the order after none of its fills, after the first, and so on, as this command knows their fees. */
function chargesAfterEach(order: AuditedOrder, fills: readonly AuditedFill[], { before, exits }: Telling): Charge[] {
  if (order.action === 'buy') {
    return chargesOfBuy(order, fills);
  }
  const parts = new Map(exits.map(({ fillNo, charge }) => [fillNo, charge]));
  let charged = before;
  return [before, ...fills.map(({ fillNo }) => (charged = plus(charged, parts.get(fillNo) ?? NO_CHARGE)))];
}
