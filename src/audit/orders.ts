/**
 * The auditor's books of orders and positions: the rows of one command about one order, which move both, and what they must say
 * together.
 */
import { type Charge, sumOf } from './arithmetic.ts';
import type { AuditedFill, AuditedOrder, AuditedPosition, AuditedRow, Books, CheckName } from './books.ts';
import { dollars, expectMoney, find, type Money } from './entries.ts';
import {
  chargeOf,
  faultsAgainst,
  faultsOfCharge,
  faultsOfFills,
  faultsOfTerms,
  isOpen,
  NO_CHARGE,
  newOrder,
  plus,
  TRANSITIONS,
  TRANSMISSION,
} from './order-rules.ts';
import { exitPosition, extendPosition, holdContracts } from './positions.ts';
import { faultsOfEnd, faultsOfFillRows, faultsOfState, type Telling } from './told.ts';

/** What follows the first row of a command. */
const CONTINUES: readonly string[] = [
  'order_filled',
  'contracts_bought',
  'contracts_sold',
  'overrun_posted',
  'authorization_released',
  'order_ended',
];

/** Rows that say what is charged of the order by then. Each fill says it too, which is judged with the fills before it. */
const TELLS: readonly string[] = [
  'order_executed',
  'order_recorded',
  'reserve_confirmed',
  'order_withdrawn',
  'order_sent',
  'order_answered',
  'order_ended',
];

/** Rows of one order that one command recorded. What they say together is judged at their end. */
export class Command {
  readonly #books: Books;
  readonly #first: AuditedRow;
  #last: AuditedRow;
  #order: AuditedOrder | undefined;
  /** The order's charge before the command. */
  #before: Charge = NO_CHARGE;
  #positionBefore: AuditedPosition | undefined;
  /** What the command's entries charge. */
  #booked: Charge = NO_CHARGE;
  readonly #bought: AuditedFill[] = [];
  /** Rows of new fills, and the exits of the fills of a sell whose fee is known by this command. */
  readonly #filled: AuditedRow[] = [];
  readonly #exits: Charge[] = [];
  readonly #known: number[] = [];
  #overrun = 0n;
  #ends = 0;

  constructor(books: Books, first: AuditedRow) {
    this.#books = books;
    this.#first = first;
    this.#last = first;
    this.#order = books.orders.get(first.orderId ?? '');
    if (this.#order !== undefined) {
      this.#before = chargeOf(this.#order);
      this.#positionBefore = books.positions.get(this.#order.positionId ?? '');
    }
  }

  continues(row: AuditedRow): boolean {
    return row.orderId === this.#first.orderId && CONTINUES.includes(row.kind);
  }

  take(row: AuditedRow): void {
    this.#last = row;
    if (row.kind === 'order_executed' || row.kind === 'order_recorded') {
      this.#record(row);
    }
    const order = this.#order;
    if (order === undefined) {
      this.#find(row, 'order_terms', `The row at ${row.sequence} is of an order that was never recorded.`);
      return;
    }
    if (row.kind !== 'order_executed' && row.kind !== 'order_recorded') {
      this.#judge(row, 'order_terms', faultsAgainst(order, row));
    }
    this.#apply(order, row);
    if (TELLS.includes(row.kind)) {
      this.#judge(row, 'order_money', faultsOfState(order, row, chargeOf(order)));
    }
  }

  #record(row: AuditedRow): void {
    const orderId = row.orderId ?? '';
    if (this.#order !== undefined) {
      this.#find(row, 'order_terms', `The order is recorded twice, again at ${row.sequence}.`);
    }
    this.#order = newOrder(row);
    this.#books.orders.set(orderId, this.#order);
    this.#judge(row, 'order_terms', faultsOfTerms(this.#order));
    if ((row.intent === 'simulate') !== (row.kind === 'order_executed')) {
      this.#find(row, 'order_terms', `Recorded by ${row.kind} with the intent ${row.intent}.`);
    }
  }

  #apply(order: AuditedOrder, row: AuditedRow): void {
    const books = this.#books;
    switch (row.kind) {
      case 'order_executed':
        this.#move(order, row, '');
        this.#execute(order, row);
        return;
      case 'order_recorded':
        this.#move(order, row, '');
        order.reserveReference = row.reference ?? null;
        if (order.status === 'pending_venue_execution') {
          order.reserveConfirmedAt = row.decidedAt;
        }
        this.#hold(
          order,
          row,
          order.action === 'buy' && (books.mode === 'sandbox' || order.status !== 'reserve_pending'),
        );
        if (order.action === 'sell') {
          holdContracts(this.#books, order, row, order.quotedQuantity);
        }
        return;
      case 'reserve_confirmed':
        this.#move(order, row, order.status);
        order.reserveReference = row.reference ?? order.reserveReference;
        order.reserveConfirmedAt = row.decidedAt;
        this.#hold(order, row, order.action === 'buy' && books.mode === 'live');
        return;
      case 'order_withdrawn':
        this.#move(order, row, order.status);
        Object.assign(order, {
          cancellationId: row.cancellationId,
          cancelledAt: row.decidedAt,
          cancelReason: row.reason,
          venueFeeKnown: true,
        });
        this.#release(order, row);
        if (order.transmissionState !== 'not_transmitted') {
          this.#find(row, 'order_terms', 'It was withdrawn although something was sent.');
        }
        if (order.action === 'sell') {
          holdContracts(this.#books, order, row, -order.quotedQuantity);
        }
        return;
      case 'order_sent':
        this.#move(order, row, order.status);
        order.transmittedAt = row.decidedAt;
        this.#expect(row, {});
        return;
      case 'order_answered':
        this.#move(order, row, order.status);
        Object.assign(order, chargeOf(row), { venueFeeKnown: row.venueFeeKnown ?? false });
        this.#learnFees(order, row);
        this.#expect(row, {});
        return;
      case 'order_filled':
        this.#fill(order, row);
        this.#expect(row, {});
        return;
      case 'contracts_bought':
        this.#buy(row, 'held');
        this.#expectLoss(row);
        order.heldMinor -= row.held ?? 0n;
        return;
      case 'contracts_sold':
        this.#sell(order, row);
        order.exitedFills += 1;
        order.exitedQuantity += row.quantity ?? 0n;
        return;
      case 'overrun_posted':
        this.#overrun += row.other ?? 0n;
        order.venueGainMinor = row.tradeMinor ?? 0n;
        this.#expect(row, { other: row.other ?? 0n, venueFees: -(row.other ?? 0n) });
        return;
      case 'authorization_released':
        this.#release(order, row);
        if (isOpen(order)) {
          this.#find(row, 'orphan_hold', `At ${row.sequence} an order that is ${order.status} releases what it holds.`);
        }
        return;
      case 'order_ended':
        if (row.status === 'rejected') {
          order.rejectReason = row.reason ?? null;
        }
        this.#ends += 1;
        this.#judge(row, 'order_fills', faultsOfEnd(order, row, this.#books.fills.get(order.orderId) ?? []));
        this.#expect(row, {});
        return;
      default:
        this.#find(row, 'order_terms', `A row of the kind ${row.kind} names an order.`);
    }
  }

  #move(order: AuditedOrder, row: AuditedRow, from: string): void {
    const [status, transmission] = [row.status ?? '', row.transmissionState ?? ''];
    if ((row.fromStatus ?? '') !== from) {
      this.#find(
        row,
        'order_terms',
        `At ${row.sequence} the order comes from ${row.fromStatus ?? 'nothing'} and was ${from || 'nothing'}.`,
      );
    } else if (!TRANSITIONS[row.kind]?.[from]?.includes(status)) {
      this.#find(row, 'order_terms', `An order does not go from ${from || 'nothing'} to ${status} by ${row.kind}.`);
    }
    if (!TRANSMISSION[status]?.includes(transmission)) {
      this.#find(row, 'order_unresolved', `The order is ${status} and its transmission ${transmission}.`);
    }
    order.status = status;
    order.transmissionState = transmission;
    order.positionId = row.positionId ?? order.positionId;
  }

  #hold(order: AuditedOrder, row: AuditedRow, holds: boolean): void {
    const due = holds ? order.authorizationMinor : 0n;
    order.heldMinor += due;
    this.#expect(row, { available: due, held: -due }, 'orphan_hold');
  }

  #release(order: AuditedOrder, row: AuditedRow): void {
    this.#expect(row, { available: -order.heldMinor, held: order.heldMinor }, 'orphan_hold');
    order.heldMinor = 0n;
  }

  /** An order that was filled as it was recorded: the whole quantity, or a part of it, at one price. */
  #execute(order: AuditedOrder, row: AuditedRow): void {
    const books = this.#books;
    Object.assign(order, chargeOf(row), { venueFeeKnown: row.venueFeeKnown ?? false });
    const quantity = row.quantity ?? 0n;
    if (
      order.transmissionState !== 'resolved' ||
      !order.simulated ||
      quantity > 0n !== ['filled', 'partially_filled'].includes(order.status)
    ) {
      this.#find(
        row,
        'order_fills',
        `The order is ${order.status} as it is recorded, with ${quantity} micro-contracts.`,
      );
    }
    if (quantity === 0n) {
      this.#expect(row, {});
      return;
    }
    const fill = {
      orderId: order.orderId,
      fillNo: 1,
      fillId: `fil_${order.orderId.slice(4)}`,
      quantity,
      priceMicros: row.priceMicros ?? 0n,
      feeMicros: 0n,
      filledAt: row.decidedAt,
    };
    books.fills.set(order.orderId, [fill]);
    this.#add(order, [fill]);
    if (order.action === 'buy') {
      this.#bought.push(fill);
      this.#buy(row, 'available');
    } else {
      this.#sell(order, row);
    }
  }

  #add(order: AuditedOrder, fills: readonly AuditedFill[]): void {
    const { quantity, weight } = sumOf(fills);
    order.filledQuantity += quantity;
    order.priceWeight += weight;
  }

  #fill(order: AuditedOrder, row: AuditedRow): void {
    const fills = this.#books.fills.get(order.orderId) ?? [];
    this.#books.fills.set(order.orderId, fills);
    const fill: AuditedFill = {
      orderId: order.orderId,
      fillNo: row.fillNo ?? 0,
      fillId: `fil_${row.digits ?? ''}`,
      quantity: row.quantity ?? 0n,
      priceMicros: row.priceMicros ?? 0n,
      feeMicros: row.fillFeeMicros ?? null,
      filledAt: row.decidedAt,
    };
    if (
      fill.fillNo !== fills.length + 1 ||
      fill.quantity <= 0n ||
      fill.priceMicros <= 0n ||
      fill.priceMicros >= 1_000_000n
    ) {
      this.#find(
        row,
        'order_fills',
        `Fill ${fill.fillNo} follows ${fills.length} fills, ${fill.quantity} micro-contracts at ${fill.priceMicros}.`,
      );
    }
    fills.push(fill);
    this.#filled.push(row);
    if (fill.feeMicros !== null) {
      this.#known.push(fill.fillNo);
    }
    this.#add(order, [fill]);
    if (order.action === 'buy') {
      this.#bought.push(fill);
    }
    if (row.filledQuantity !== order.filledQuantity || row.priceWeight !== order.priceWeight) {
      this.#find(
        row,
        'order_fills',
        `At ${row.sequence} the order has ${row.filledQuantity} micro-contracts, its fills ${order.filledQuantity}.`,
      );
    }
  }

  #learnFees(order: AuditedOrder, row: AuditedRow): void {
    const { fees = {} } = (row.detail ?? {}) as { fees?: Record<string, string> };
    for (const [number, fee] of Object.entries(fees)) {
      const fill = this.#books.fills.get(order.orderId)?.find(({ fillNo }) => fillNo === Number(number));
      if (fill === undefined || fill.feeMicros !== null) {
        this.#find(row, 'order_fills', `The fee of fill ${number} became known, which waits for none.`);
      } else {
        fill.feeMicros = BigInt(fee);
        this.#known.push(fill.fillNo);
      }
    }
  }

  /** What was bought comes into stakes and fees, out of the wallet or of what was held. */
  #buy(row: AuditedRow, from: 'available' | 'held'): void {
    const { stakes, platformFees, venueFees } = row;
    this.#book(row, -(stakes ?? 0n));
    const cost = (stakes ?? 0n) + (platformFees ?? 0n) + (venueFees ?? 0n);
    this.#expect(row, {
      [from]: -cost,
      stakes: stakes ?? 0n,
      platformFees: platformFees ?? 0n,
      venueFees: venueFees ?? 0n,
    });
  }

  /** A fee that becomes known after everything was sold lowers the profit of the position, and the row says so. */
  #expectLoss(row: AuditedRow): void {
    const isLoss =
      this.#bought.length === 0 && this.#positionBefore !== undefined && this.#positionBefore.status !== 'open';
    if (row.isLoss !== isLoss) {
      this.#find(
        row,
        'position_cost',
        `At ${row.sequence} a fee is told as ${row.isLoss ? 'a loss' : 'a cost'} of the position, and it is not.`,
      );
    }
  }

  #sell(order: AuditedOrder, row: AuditedRow): void {
    const { available, platformFees, venueFees } = row;
    this.#exits.push(this.#book(row, -((available ?? 0n) + (platformFees ?? 0n) + (venueFees ?? 0n))));
    exitPosition(this.#books, order, row);
  }

  /** Adds the charge of an entry to what the command charges. */
  #book(row: AuditedRow, tradeMinor: bigint): Charge {
    const charge = { tradeMinor, platformFeeMinor: -(row.platformFees ?? 0n), venueFeeMinor: -(row.venueFees ?? 0n) };
    this.#booked = plus(this.#booked, charge);
    return charge;
  }

  #find(row: AuditedRow, check: CheckName, detail: string, subject = row.orderId ?? ''): void {
    find(this.#books, row, check, subject, detail);
  }

  #judge(row: AuditedRow, check: CheckName, faults: readonly string[]): void {
    for (const fault of faults) {
      this.#find(row, check, fault);
    }
  }

  #expect(row: AuditedRow, money: Money, check: CheckName = 'order_money', subject = row.orderId ?? ''): void {
    expectMoney(this.#books, row, money, check, subject);
  }

  #telling(): Telling {
    const known = this.#known.toSorted((one, other) => one - other);
    const exits = this.#exits.map((charge, index) => ({ fillNo: known[index] ?? 0, charge }));
    return { rows: this.#filled, before: this.#before, exits };
  }

  /** Judges the rows together. */
  end(): void {
    const order = this.#order;
    if (order === undefined) {
      return;
    }
    const row = this.#last;
    const fills = this.#books.fills.get(order.orderId) ?? [];
    const final = !isOpen(order);
    const booked = { ...this.#booked, overrunMinor: this.#overrun };
    this.#judge(row, 'order_money', faultsOfCharge(order, fills, this.#before, booked));
    this.#judge(row, 'order_fills', faultsOfFills(order, fills));
    this.#judge(row, 'order_money', faultsOfFillRows(order, fills, this.#telling()));
    if (order.venueFeeKnown !== (final || (fills.length > 0 && fills.every(({ feeMicros }) => feeMicros !== null)))) {
      this.#find(
        row,
        'order_money',
        `The order says that the venue's fee is ${order.venueFeeKnown ? 'known' : 'unknown'}.`,
      );
    }
    if (order.action === 'buy') {
      extendPosition(this.#books, order, row, {
        charge: this.#booked,
        fills: this.#bought,
        before: this.#positionBefore,
      });
    } else if (
      order.transmissionState === 'resolved' &&
      order.intent === 'record_intent' &&
      order.exitedQuantity !== order.quotedQuantity
    ) {
      holdContracts(this.#books, order, row, order.exitedQuantity - order.quotedQuantity);
    }
    const buys = order.action === 'buy';
    const fees = order.platformFeeMinor + order.venueFeeMinor;
    order.debitMinor = buys ? order.tradeMinor + fees : 0n;
    order.proceedsMinor = buys ? 0n : order.tradeMinor - fees;
    order.releaseMinor = order.authorizationMinor - order.debitMinor;
    order.countedStakeMinor = !buys ? 0n : final ? order.debitMinor : order.authorizationMinor;
    // a refusal is always told; another end is, unless the first answer of the venue was it
    if (
      this.#ends > (final ? 1 : 0) ||
      (this.#ends === 0 && row.kind !== 'order_executed' && order.status === 'rejected')
    ) {
      this.#find(row, 'order_terms', `The order is ${order.status}, and its end is told ${this.#ends} times.`);
    }
    if (final && order.heldMinor !== 0n) {
      this.#find(row, 'orphan_hold', `The order is ${order.status} and still holds ${dollars(order.heldMinor)}.`);
    }
    if (final && order.action === 'buy' && order.debitMinor > order.authorizationMinor) {
      this.#find(row, 'order_money', 'More was debited than was authorized.');
    }
  }
}
