/** The auditor's books of positions: purchases open and extend them, exits reduce them, and a resolution pays them. */
import { averageOf, type Charge, larger, payoutOf, shareOf, sumOf } from './arithmetic.ts';
import {
  type AuditedFill,
  type AuditedHolding,
  type AuditedOrder,
  type AuditedPosition,
  type AuditedRow,
  type Books,
  POSITIONS,
} from './books.ts';
import { expectMoney, find } from './entries.ts';

/** Contracts of a position that a sell holds back or releases. */
export function holdContracts(books: Books, order: AuditedOrder, row: AuditedRow, quantityMicros: bigint): void {
  const position = books.positions.get(order.positionId ?? '');
  const held = (position?.heldQuantityMicros ?? 0n) + quantityMicros;
  if (position?.status !== 'open' || held > position.quantityMicros || held < 0n) {
    const detail = `At ${row.sequence} a sell holds back contracts that the position does not have.`;
    find(books, row, 'position_quantity', order.positionId ?? order.orderId, detail);
  }
  if (position !== undefined) {
    position.heldQuantityMicros = held;
    holdingOf(books, order, position).heldQuantityMicros += order.simulated ? 0n : quantityMicros;
  }
}

/** The contracts held at the order's venue. Simulated contracts have none. */
function holdingOf(books: Books, order: AuditedOrder, position: AuditedPosition): AuditedHolding {
  const { operatorId, positionId } = position;
  const none = { operatorId, positionId, venue: order.venue ?? '', quantityMicros: 0n, heldQuantityMicros: 0n };
  if (order.simulated) {
    return none;
  }
  const holdings = books.holdings.get(positionId) ?? [];
  books.holdings.set(positionId, holdings);
  const known = holdings.find(({ venue }) => venue === order.venue);
  if (known !== undefined) {
    return known;
  }
  holdings.push(none);
  return none;
}

/** Takes contracts out of a position: their share of its cost leaves stakes, and the rest of their proceeds is the result of the trade. */
export function exitPosition(books: Books, order: AuditedOrder, row: AuditedRow): void {
  const quantityMicros = row.quantityMicros ?? 0n;
  const proceeds = -(row.available ?? 0n);
  const fees = -((row.platformFees ?? 0n) + (row.venueFees ?? 0n));
  const position = books.positions.get(row.positionId ?? order.positionId ?? '');
  if (position === undefined || quantityMicros <= 0n || quantityMicros > position.quantityMicros) {
    const detail = `At ${row.sequence} ${quantityMicros} micro-contracts leave a position that has ${position?.quantityMicros ?? 0n}.`;
    find(books, row, 'position_quantity', order.positionId ?? order.orderId, detail);
    return;
  }
  const share = shareOf(position, quantityMicros);
  const stakes = share.costMinor - share.feesMinor;
  const money = {
    stakes,
    result: proceeds + fees - stakes,
    available: -proceeds,
    platformFees: row.platformFees ?? 0n,
    venueFees: row.venueFees ?? 0n,
  };
  expectMoney(books, row, money, 'position_cost', position.positionId);
  const left = position.quantityMicros - quantityMicros;
  const priced = row.entryPriceMicros === position.averagePriceMicros;
  if (row.feeShareMinor !== share.feesMinor || row.remainingQuantityMicros !== left || !priced) {
    const told = `${row.remainingQuantityMicros} micro-contracts and ${row.feeShareMinor} cents of entry fees`;
    const detail = `At ${row.sequence} an exit leaves ${told}; ${left} and ${share.feesMinor} follow.`;
    find(books, row, 'position_cost', position.positionId, detail);
  }
  if (!position.simulated) {
    const holding = holdingOf(books, order, position);
    holding.quantityMicros -= quantityMicros;
    holding.heldQuantityMicros -= quantityMicros;
  }
  position.heldQuantityMicros -= row.kind === 'contracts_sold' ? quantityMicros : 0n;
  position.quantityMicros = left;
  position.costBasisMinor -= share.costMinor;
  position.entryFeesMinor -= share.feesMinor;
  position.priceWeight = share.weightLeft;
  position.realisedPnlMinor += proceeds - share.costMinor;
  position.status = left === 0n ? 'closed' : 'open';
  books.progress.exits += 1n;
  books.progress.agrees += row.venueAgrees === true ? 1n : 0n;
  books.progress.disagrees += row.venueAgrees === false ? 1n : 0n;
}

/** A command's purchase: its charge, its fills (none if only a fee became known later), and the position before it. */
interface Bought {
  readonly charge: Charge;
  readonly fills: readonly AuditedFill[];
  readonly before: AuditedPosition | undefined;
}

/** A purchase opens a position or extends it. A fee alone raises the cost of held contracts, or lowers the profit. */
export function extendPosition(books: Books, order: AuditedOrder, row: AuditedRow, bought: Bought): void {
  const { charge, fills, before } = bought;
  const { quantityMicros, weight } = sumOf(fills);
  const fees = charge.platformFeeMinor + charge.venueFeeMinor;
  const cost = charge.tradeMinor + fees;
  if (quantityMicros === 0n) {
    if (before?.status === 'open') {
      before.costBasisMinor += cost;
      before.entryFeesMinor += fees;
    } else if (before !== undefined) {
      before.realisedPnlMinor -= cost;
    }
    return;
  }
  const positionId = order.positionId ?? '';
  let position = books.positions.get(positionId);
  if (position === undefined) {
    position = newPosition(order, row.decidedAt);
    books.positions.set(positionId, position);
  }
  const same =
    position.status === 'open' &&
    position.externalUserId === order.externalUserId &&
    position.contractId === order.contractId &&
    position.side === order.side &&
    position.simulated === order.simulated;
  if (!same) {
    const detail = 'A buy extends a position that is not open, or that belongs to another customer, contract or side.';
    find(books, row, 'position_quantity', positionId, detail);
  }
  // fees that are taken back reduce the fees of held contracts; contracts that were sold meanwhile cannot return any
  const lost = larger(0n, -fees - position.entryFeesMinor);
  position.quantityMicros += quantityMicros;
  position.costBasisMinor += cost + lost;
  position.entryFeesMinor = larger(0n, position.entryFeesMinor + fees);
  position.realisedPnlMinor += lost;
  position.priceWeight += weight;
  position.averagePriceMicros = averageOf(position.priceWeight, position.quantityMicros);
  holdingOf(books, order, position).quantityMicros += order.simulated ? 0n : quantityMicros;
}

const newPosition = (order: AuditedOrder, openedAt: string): AuditedPosition => ({
  ...POSITIONS.empty,
  operatorId: order.operatorId,
  positionId: order.positionId ?? '',
  externalUserId: order.externalUserId,
  contractId: order.contractId ?? '',
  side: order.side,
  simulated: order.simulated,
  status: 'open',
  openedAt,
});

/** An open position without contracts in a sell is paid once, at the worth of its resolution, and is empty afterwards. */
export function settlePosition(books: Books, row: AuditedRow): void {
  const positionId = row.positionId ?? '';
  const settlementId = `stl_${row.digits ?? ''}`;
  const position = books.positions.get(positionId);
  if (position === undefined || position.status !== 'open' || position.heldQuantityMicros !== 0n) {
    const held = `${position?.heldQuantityMicros ?? 0n} micro-contracts held back`;
    const detail = `At ${row.sequence} a position is settled although it is ${position?.status ?? 'unknown'}, with ${held}.`;
    find(books, row, 'settlement_once', positionId, detail);
    return;
  }
  const { quantityMicros, costBasisMinor, entryFeesMinor } = position;
  const { creditMinor, outcome } = payoutOf(position, row.resolution ?? '', row.yesWorthMicros ?? null);
  const stakes = costBasisMinor - entryFeesMinor;
  const other = row.resolution === 'VOID' ? entryFeesMinor : 0n;
  const money = { stakes, other, available: -creditMinor, result: creditMinor - stakes - other };
  expectMoney(books, row, money, 'settlement_amount', settlementId);
  const lifetime = position.realisedPnlMinor + creditMinor - costBasisMinor;
  const same =
    row.quantityMicros === quantityMicros &&
    row.feeShareMinor === entryFeesMinor &&
    row.outcome === outcome &&
    row.lifetimePnlMinor === lifetime &&
    row.side === position.side &&
    row.contractId === position.contractId &&
    row.externalUserId === position.externalUserId &&
    row.simulated === position.simulated;
  if (!same) {
    const has = `the position has ${quantityMicros} as ${outcome}`;
    const detail = `The settlement covers ${row.quantityMicros} micro-contracts as ${row.outcome}; ${has}.`;
    find(books, row, 'settlement_amount', settlementId, detail);
  }
  books.settlements.push({
    operatorId: books.operatorId,
    settlementId,
    positionId,
    contractId: position.contractId,
    side: position.side,
    resolution: row.resolution ?? '',
    yesWorthMicros: row.yesWorthMicros ?? null,
    resolutionVersion: row.resolutionVersion ?? null,
    costBasisMinor,
    entryFeesMinor,
    settlementCreditMinor: outcome === 'won' ? creditMinor : 0n,
    voidCreditMinor: outcome === 'void' ? creditMinor : 0n,
    realisedPnlMinor: creditMinor - costBasisMinor,
    lifetimeRealisedPnlMinor: lifetime,
  });
  const nothing = { quantityMicros: 0n, costBasisMinor: 0n, entryFeesMinor: 0n, priceWeight: 0n };
  Object.assign(position, nothing, { status: 'settled', realisedPnlMinor: lifetime });
  for (const holding of books.holdings.get(positionId) ?? []) {
    Object.assign(holding, { quantityMicros: 0n, heldQuantityMicros: 0n });
  }
}
