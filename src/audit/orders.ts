/** The auditor's books of orders and positions. The rows of one command about one order change both, and must agree with each other. */
import type { Charge } from './arithmetic.ts';
import type { AuditedFill, AuditedOrder, AuditedPosition, AuditedRow, Books, CheckName } from './books.ts';
import { dollars, expectMoney, find, type Money } from './entries.ts';
import {
  chargeOf,
  faultsAgainst,
  faultsOfCharge,
  faultsOfEnd,
  faultsOfFillRows,
  faultsOfFills,
  faultsOfQuote,
  faultsOfState,
  faultsOfTerms,
  isOpen,
  NO_CHARGE,
  newOrder,
  plus,
  TRANSITIONS,
  TRANSMISSION,
} from './order-rules.ts';
import { exitPosition, extendPosition, holdContracts } from './positions.ts';

/** The kinds of rows that may follow the first row of a command. */
const CONTINUES: readonly string[] = [
  'order_filled',
  'contracts_bought',
  'contracts_sold',
  'overrun_posted',
  'authorization_released',
  'order_ended',
];

type NamedFill = Pick<AuditedFill, 'fillNo' | 'fillId' | 'feeMicros' | 'venueFillId'>;

/** Rows that move no money. */
const NO_MONEY: readonly string[] = ['order_sent', 'order_answered', 'order_filled', 'order_ended'];

/** The rows of one order that one command recorded. They are judged together after the last one. */
export class Command {
  readonly #books: Books;
  readonly #first: AuditedRow;
  #row: AuditedRow;
  #order: AuditedOrder | undefined;
  /** The order's charge before the command. */
  #before: Charge = NO_CHARGE;
  #positionBefore: AuditedPosition | undefined;
  /** The charge that the command's entries book. */
  #booked: Charge = NO_CHARGE;
  readonly #bought: AuditedFill[] = [];
  /** Rows of new fills, and the exits of a sell for fills whose fee this command knows. */
  readonly #filled: AuditedRow[] = [];
  readonly #exits: Charge[] = [];
  readonly #known: number[] = [];
  #seen: Set<string | null> | undefined;
  #overrun = 0n;
  /** A venue's payment for more contracts than a sell could deliver. It belongs to the service. */
  #gain = 0n;
  #ends = 0;

  constructor(books: Books, first: AuditedRow) {
    this.#books = books;
    this.#first = first;
    this.#row = first;
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
    this.#row = row;
    const begins = row.kind === 'order_executed' || row.kind === 'order_recorded';
    if (begins) {
      this.#record(row);
    }
    const order = this.#order;
    if (order === undefined) {
      this.#find('order_terms', `The row at ${row.sequence} is of an order that was never recorded.`);
      return;
    }
    if (!begins) {
      this.#judge('order_terms', faultsAgainst(order, row));
    }
    if (TRANSITIONS[row.kind] !== undefined) {
      this.#move(order, row, begins ? '' : order.status);
    }
    this.#apply(order, row);
    if (NO_MONEY.includes(row.kind)) {
      this.#expect({});
    }
    // each fill shows the charge so far as well, which is judged with the fills before it
    if (TRANSITIONS[row.kind] !== undefined || row.kind === 'order_ended') {
      this.#judge('order_money', faultsOfState(order, row, chargeOf(order)));
    }
  }

  #record(row: AuditedRow): void {
    if (this.#order !== undefined) {
      this.#find('order_terms', `The order is recorded twice, again at ${row.sequence}.`);
    }
    this.#order = newOrder(row, this.#books.operatorId);
    this.#books.orders.set(row.orderId ?? '', this.#order);
    this.#judge('order_terms', faultsOfTerms(this.#order));
    const quote = this.#books.quotes.get(row.quoteId ?? '');
    this.#judge('order_terms', quote === undefined ? [] : faultsOfQuote(this.#order, quote));
    if ((row.intent === 'simulate') !== (row.kind === 'order_executed')) {
      this.#find('order_terms', `The order is recorded by ${row.kind} with the intent ${row.intent}.`);
    }
  }

  #move(order: AuditedOrder, row: AuditedRow, from: string): void {
    const [status, transmission] = [row.status ?? '', row.transmissionState ?? ''];
    const was = from || 'nothing';
    if ((row.fromStatus ?? '') !== from) {
      this.#find(
        'order_terms',
        `At ${row.sequence} the order comes from ${row.fromStatus ?? 'no status'}, but was ${was}.`,
      );
    } else if (!TRANSITIONS[row.kind]?.[from]?.includes(status)) {
      this.#find('order_terms', `A row of the kind ${row.kind} cannot bring an order from ${was} to ${status}.`);
    }
    if (!TRANSMISSION[status]?.includes(transmission)) {
      this.#find('order_unresolved', `The order is ${status}, but its transmission is ${transmission}.`);
    }
    order.status = status;
    order.transmissionState = transmission;
    order.positionId = row.positionId ?? order.positionId;
  }

  #apply(order: AuditedOrder, row: AuditedRow): void {
    const books = this.#books;
    const [buys, sandbox] = [order.action === 'buy', books.mode === 'sandbox'];
    switch (row.kind) {
      case 'order_executed':
        this.#execute(order, row);
        return;
      case 'order_recorded':
        order.reserveReference = row.reference ?? null;
        if (order.status === 'pending_venue_execution') {
          order.reserveConfirmedAt = row.decidedAt;
        }
        this.#hold(order, buys && (sandbox || order.status !== 'reserve_pending'));
        if (!buys) {
          holdContracts(books, order, row, order.quotedQuantityMicros);
        }
        return;
      case 'reserve_confirmed':
        order.reserveReference = row.reference ?? order.reserveReference;
        order.reserveConfirmedAt = row.decidedAt;
        this.#hold(order, buys && !sandbox);
        return;
      case 'order_withdrawn':
        order.cancellationId = row.cancellationId ?? null;
        order.cancelledAt = row.decidedAt;
        order.cancelReason = row.reason ?? null;
        order.venueFeeKnown = true;
        this.#release(order);
        if (order.transmissionState !== 'not_transmitted') {
          this.#find('order_terms', 'The order was withdrawn after it was sent.');
        }
        if (!buys) {
          holdContracts(books, order, row, -order.quotedQuantityMicros);
        }
        return;
      case 'order_sent':
        this.#send(order, row);
        return;
      case 'order_answered':
        Object.assign(order, chargeOf(row), { venueFeeKnown: row.venueFeeKnown ?? false });
        this.#learnFees(order, row);
        return;
      case 'order_filled':
        this.#fill(order, row);
        return;
      case 'contracts_bought':
        this.#buy(row, 'held');
        this.#expectLoss(row);
        order.heldMinor -= row.held ?? 0n;
        return;
      case 'contracts_sold':
        this.#sell(order, row);
        order.exitedQuantityMicros += row.quantityMicros ?? 0n;
        return;
      case 'overrun_posted':
        this.#overrun += row.other ?? 0n;
        this.#gain = row.tradeMinor ?? 0n;
        this.#expect({ other: row.other ?? 0n, venueFees: -(row.other ?? 0n) });
        return;
      case 'authorization_released':
        this.#release(order);
        if (isOpen(order)) {
          this.#find('orphan_hold', `At ${row.sequence} an order that is ${order.status} releases its hold.`);
        }
        return;
      case 'order_ended':
        if (row.status === 'rejected') {
          order.rejectReason = row.reason ?? null;
        }
        this.#ends += 1;
        this.#judge('order_fills', faultsOfEnd(order, row, books.fills.get(order.orderId) ?? []));
        return;
      default:
        this.#find('order_terms', `A row of the kind ${row.kind} must not name an order.`);
    }
  }

  #hold(order: AuditedOrder, holds: boolean): void {
    const due = holds ? order.authorizationMinor : 0n;
    order.heldMinor += due;
    this.#expect({ available: due, held: -due }, 'orphan_hold');
  }

  #release(order: AuditedOrder): void {
    this.#expect({ available: -order.heldMinor, held: order.heldMinor }, 'orphan_hold');
    order.heldMinor = 0n;
  }

  /** An order that was filled as it was recorded: the whole quantity or part of it, at one price. */
  #execute(order: AuditedOrder, row: AuditedRow): void {
    Object.assign(order, chargeOf(row), { venueFeeKnown: row.venueFeeKnown ?? false });
    const quantityMicros = row.quantityMicros ?? 0n;
    const trades = ['filled', 'partially_filled'].includes(order.status);
    if (order.transmissionState !== 'resolved' || !order.simulated || quantityMicros > 0n !== trades) {
      this.#find(
        'order_fills',
        `The order is ${order.status} as it is recorded, with ${quantityMicros} micro-contracts.`,
      );
    }
    if (quantityMicros === 0n) {
      this.#expect({});
      return;
    }
    this.#add(order, row, { fillNo: 1, fillId: `fil_${order.orderId.slice(4)}`, feeMicros: 0n, venueFillId: null });
    if (order.action === 'buy') {
      this.#buy(row, 'available');
    } else {
      this.#sell(order, row);
    }
  }

  #fill(order: AuditedOrder, row: AuditedRow): void {
    const fillNo = row.fillNo ?? 0;
    const feeMicros = row.fillFeeMicros ?? null;
    const before = this.#books.fills.get(order.orderId)?.length ?? 0;
    const venueFillId = row.venueFillId ?? null;
    const named = { fillNo, fillId: `fil_${row.digits ?? ''}`, feeMicros, venueFillId };
    const { quantityMicros, priceMicros } = this.#add(order, row, named);
    if ((venueFillId === null) !== order.simulated || (venueFillId !== null && this.#venueFills().has(venueFillId))) {
      this.#find(
        'order_fills',
        `Fill ${fillNo} has ${venueFillId ?? 'no id'} as its id at the venue, which is not allowed.`,
      );
    }
    this.#venueFills().add(venueFillId);
    if (fillNo !== before + 1 || quantityMicros <= 0n || priceMicros <= 0n || priceMicros >= 1_000_000n) {
      const detail = `Fill ${fillNo} comes after ${before} fills, with ${quantityMicros} micro-contracts at ${priceMicros}.`;
      this.#find('order_fills', detail);
    }
    this.#filled.push(row);
    if (feeMicros !== null) {
      this.#known.push(fillNo);
    }
    const { filledQuantityMicros, priceWeight } = order;
    if (row.filledQuantityMicros !== filledQuantityMicros || row.priceWeight !== priceWeight) {
      const detail = `At ${row.sequence} the order has ${row.filledQuantityMicros} micro-contracts; its fills have ${filledQuantityMicros}.`;
      this.#find('order_fills', detail);
    }
  }

  /** The request that goes to a venue; the service fills a simulated order itself. */
  #send(order: AuditedOrder, row: AuditedRow): void {
    order.transmittedAt = row.decidedAt;
    order.askedQuantityMicros = row.quantityMicros ?? null;
    order.limitMicros = row.priceMicros ?? null;
    order.spendMicros = row.spendMicros ?? null;
    order.ourId = row.ourId ?? null;
    order.validSeconds = row.validSeconds ?? null;
    const asks = [order.askedQuantityMicros, order.limitMicros, order.ourId, order.validSeconds];
    if (asks.some((asked) => (asked === null) !== order.simulated)) {
      const asked = `${order.askedQuantityMicros} micro-contracts at ${order.limitMicros} as ${order.ourId}`;
      this.#find('order_fills', `At ${row.sequence} an order is sent for ${asked}.`);
    }
  }

  /** Adds the fill of a row to the order. */
  #add(order: AuditedOrder, row: AuditedRow, named: NamedFill): AuditedFill {
    const { operatorId, orderId } = order;
    const [quantityMicros, priceMicros] = [row.quantityMicros ?? 0n, row.priceMicros ?? 0n];
    const fill = { ...named, operatorId, orderId, quantityMicros, priceMicros, filledAt: row.decidedAt };
    const fills = this.#books.fills.get(orderId) ?? [];
    this.#books.fills.set(orderId, fills);
    fills.push(fill);
    order.filledQuantityMicros += quantityMicros;
    order.priceWeight += quantityMicros * priceMicros;
    if (order.action === 'buy') {
      this.#bought.push(fill);
    }
    return fill;
  }

  /** The venue's ids of the fills before. */
  #venueFills(): Set<string | null> {
    this.#seen ??= new Set(
      this.#books.fills
        .get(this.#first.orderId ?? '')
        ?.slice(0, -1)
        .map((fill) => fill.venueFillId),
    );
    return this.#seen;
  }

  #learnFees(order: AuditedOrder, row: AuditedRow): void {
    const { fees = {} } = (row.detail ?? {}) as { fees?: Record<string, string> };
    for (const [number, fee] of Object.entries(fees)) {
      const fill = this.#books.fills.get(order.orderId)?.[Number(number) - 1];
      if (fill === undefined || fill.feeMicros !== null) {
        this.#find('order_fills', `The fee of fill ${number} became known, but no fee was outstanding.`);
      } else {
        fill.feeMicros = BigInt(fee);
        this.#known.push(fill.fillNo);
      }
    }
  }

  /** Contracts that were bought add to stakes and fees, paid from the wallet or from the hold. */
  #buy(row: AuditedRow, from: 'available' | 'held'): void {
    const [stakes, platformFees, venueFees] = [row.stakes ?? 0n, row.platformFees ?? 0n, row.venueFees ?? 0n];
    this.#book(row, -stakes);
    this.#expect({ [from]: -(stakes + platformFees + venueFees), stakes, platformFees, venueFees });
  }

  /** A fee that becomes known after everything was sold lowers the profit of the position, and the row records it as a loss. */
  #expectLoss(row: AuditedRow): void {
    const before = this.#positionBefore;
    const isLoss = this.#bought.length === 0 && before !== undefined && before.status !== 'open';
    if (row.isLoss !== isLoss) {
      const told = row.isLoss ? 'a loss' : 'a cost';
      this.#find('position_cost', `The row at ${row.sequence} shows a fee as ${told} of the position, but it is not.`);
    }
  }

  #sell(order: AuditedOrder, row: AuditedRow): void {
    const fill = this.#books.fills.get(order.orderId)?.[(this.#known[this.#exits.length] ?? 0) - 1];
    const isSold = fill?.quantityMicros === row.quantityMicros && fill?.priceMicros === row.priceMicros;
    if (row.kind === 'contracts_sold' && !isSold) {
      this.#find('order_fills', `At ${row.sequence} contracts leave the position without a fill.`);
    }
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

  #find(check: CheckName, detail: string): void {
    find(this.#books, this.#row, check, this.#row.orderId ?? '', detail);
  }

  #judge(check: CheckName, faults: readonly string[]): void {
    for (const fault of faults) {
      this.#find(check, fault);
    }
  }

  #expect(money: Money, check: CheckName = 'order_money'): void {
    expectMoney(this.#books, this.#row, money, check, this.#row.orderId ?? '');
  }

  end(): void {
    const order = this.#order;
    if (order === undefined) {
      return;
    }
    const fills = this.#books.fills.get(order.orderId) ?? [];
    const final = !isOpen(order);
    const money = { before: this.#before, booked: this.#booked, overrunMinor: this.#overrun, gainMinor: this.#gain };
    this.#judge('order_money', faultsOfCharge(order, fills, money));
    const attested = this.#books.attested.has(order.orderId);
    this.#judge('order_fills', faultsOfFills(order, fills, attested));
    const exits = this.#exits.map((charge, index) => ({ fillNo: this.#known[index] ?? 0, charge }));
    this.#judge('order_money', faultsOfFillRows(order, fills, { rows: this.#filled, before: this.#before, exits }));
    if (order.venueFeeKnown !== (final || (fills.length > 0 && fills.every(({ feeMicros }) => feeMicros !== null)))) {
      this.#find(
        'order_money',
        `The order shows that the venue's fee is ${order.venueFeeKnown ? 'known' : 'unknown'}.`,
      );
    }
    this.#movePosition(order);
    const buys = order.action === 'buy';
    const debitMinor = order.tradeMinor + order.platformFeeMinor + order.venueFeeMinor;
    // A refusal always has its own row. Any other final state has one unless the first response of the venue was final.
    const untold = this.#ends === 0 && this.#row.kind !== 'order_executed' && order.status === 'rejected';
    if (untold || this.#ends > (final ? 1 : 0)) {
      this.#find('order_terms', `The order is ${order.status}, and its end is recorded ${this.#ends} times.`);
    }
    if (final && order.heldMinor !== 0n) {
      this.#find('orphan_hold', `The order is ${order.status}, but still holds ${dollars(order.heldMinor)}.`);
    }
    if (final && buys && debitMinor > order.authorizationMinor) {
      this.#find('order_money', 'More was debited than was authorized.');
    }
  }

  /** Contracts that were bought extend the position. A sell that has ended releases the contracts that it did not sell. */
  #movePosition(order: AuditedOrder): void {
    if (order.action === 'buy') {
      const bought = { charge: this.#booked, fills: this.#bought, before: this.#positionBefore };
      extendPosition(this.#books, order, this.#row, bought);
      return;
    }
    const left = order.quotedQuantityMicros - order.exitedQuantityMicros;
    if (order.transmissionState === 'resolved' && order.intent === 'record_intent' && left !== 0n) {
      holdContracts(this.#books, order, this.#row, -left);
    }
  }
}
