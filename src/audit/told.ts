/**
 * What rows tell of an order beside the money that they move: its charge so far, what each fill added to it, and how it ended. Operators
 * book by it (the money of `order.state_changed`, `order.filled` and `order.completed`), and no table has it a second time. Pure.
 */
import { type Charge, chargeOfBuy } from './arithmetic.ts';
import type { AuditedFill, AuditedOrder, AuditedRow } from './books.ts';
import { chargeOf, NO_CHARGE, plus, sameCharge, shown } from './order-rules.ts';

/** What one command told of the fills that it recorded, in their order. */
export interface Telling {
  readonly rows: readonly AuditedRow[];
  /** The order's charge before the command. */
  readonly before: Charge;
  /** Of a sell, the fills whose fee is known by this command, each with what its exit brought. */
  readonly exits: readonly { readonly fillNo: number; readonly charge: Charge }[];
}

/** A row about the order as a whole says what is charged by then. @param charge of the order after the row */
export function faultsOfState(order: AuditedOrder, row: AuditedRow, charge: Charge): string[] {
  const faults = sameCharge(chargeOf(row), charge)
    ? []
    : [`At ${row.sequence} ${shown(chargeOf(row))} are told; ${shown(charge)} are charged.`];
  if (row.venueFeeKnown !== order.venueFeeKnown) {
    faults.push(
      `At ${row.sequence} the venue's fee is told as ${row.venueFeeKnown ? 'known' : 'unknown'}, and it is not.`,
    );
  }
  return faults;
}

/** The end of an order: its states, its fills and its contracts, and whether less was traded than was asked for. */
export function faultsOfEnd(order: AuditedOrder, row: AuditedRow, fills: readonly AuditedFill[]): string[] {
  const partial = fills.length > 0 ? order.status !== 'filled' : row.partial === true;
  const same =
    row.status === order.status &&
    row.transmissionState === order.transmissionState &&
    row.filledQuantity === order.filledQuantity &&
    row.priceWeight === order.priceWeight &&
    row.fillNo === fills.length &&
    row.partial === partial;
  return same
    ? []
    : [
        `At ${row.sequence} the order ends ${row.status} with ${row.fillNo} fills of ${row.filledQuantity} micro-contracts; it is ${order.status} with ${fills.length} of ${order.filledQuantity}.`,
      ];
}

/** Each fill tells the order's charge with it, and what it added. Only the last leaves the order as the command does. */
export function faultsOfFillRows(order: AuditedOrder, fills: readonly AuditedFill[], telling: Telling): string[] {
  return telling.rows.flatMap((row) => {
    const number = row.fillNo ?? 0;
    const fill = fills[number - 1];
    if (fill === undefined) {
      return [];
    }
    const last = number === fills.length;
    const charge = last ? chargeOf(order) : chargeWith(order, fills, number, telling);
    const added = minus(charge, number === 1 ? NO_CHARGE : chargeWith(order, fills, number - 1, telling));
    const says = {
      tradeMinor: row.fillTradeMinor,
      platformFeeMinor: row.fillPlatformFeeMinor,
      venueFeeMinor: row.fillVenueFeeMinor,
    };
    const faults: string[] = [];
    if (!sameCharge(chargeOf(row), charge)) {
      faults.push(`Fill ${number} tells a charge of ${shown(chargeOf(row))} by then; ${shown(charge)} follow.`);
    }
    if (!sameCharge(chargeOf(says), added)) {
      faults.push(`Fill ${number} tells ${shown(chargeOf(says))} of its own; it added ${shown(added)}.`);
    }
    const status = last ? order.status : 'partially_filled';
    const transmission = last ? order.transmissionState : 'unknown';
    const known = fills.slice(0, number).every(({ feeMicros }) => feeMicros !== null);
    if (
      row.status !== status ||
      row.transmissionState !== transmission ||
      row.venueFeeKnown !== known ||
      row.fillFeeKnown !== (fill.feeMicros !== null) ||
      (order.transmissionState === 'resolved' && row.partial !== (!last || order.status !== 'filled'))
    ) {
      faults.push(
        `Fill ${number} leaves the order ${row.status} and ${row.transmissionState}; it is ${status} and ${transmission}.`,
      );
    }
    return faults;
  });
}

/** The charge of the order after its first fills, as this command knows their fees. */
function chargeWith(
  order: AuditedOrder,
  fills: readonly AuditedFill[],
  count: number,
  { before, exits }: Telling,
): Charge {
  if (order.action === 'buy') {
    return chargeOfBuy(order, fills.slice(0, count));
  }
  return exits.filter(({ fillNo }) => fillNo <= count).reduce((sum, { charge }) => plus(sum, charge), before);
}

const minus = (a: Charge, b: Charge): Charge => ({
  tradeMinor: a.tradeMinor - b.tradeMinor,
  platformFeeMinor: a.platformFeeMinor - b.platformFeeMinor,
  venueFeeMinor: a.venueFeeMinor - b.venueFeeMinor,
});
