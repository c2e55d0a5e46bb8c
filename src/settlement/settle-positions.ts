/**
 * Pays positions: the payment at a result, as the row that records it, and the money statement that checks again the facts on which it was
 * decided. A position that has changed meanwhile is not paid by it.
 */
import { newDigits } from '../core/ids.ts';
import type { Mode, Resolution, Side } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import { bigint, boolean, integer, nullable, type RowOf, rowOf, text } from '../db/row-type.ts';
import { JOURNAL_ENTRY, type JournalEntry } from '../ledger/journal-row.ts';
import { countItems } from '../ledger/render/items.ts';
import { payout, type Resolved } from '../money/payout.ts';

/** An open position as it was read. Amounts are cents, the quantity micro-contracts. */
export interface OpenPosition {
  readonly operatorId: string;
  readonly positionId: string;
  readonly externalUserId: string;
  readonly contractId: string;
  readonly mode: Mode;
  readonly side: Side;
  readonly simulated: boolean;
  readonly quantityMicros: bigint;
  readonly costBasisMinor: bigint;
  readonly entryFeesMinor: bigint;
  readonly realisedPnlMinor: bigint;
  readonly version: bigint;
}

/** The result of a contract; the version is null if a sandbox tester requested the result. */
export interface Result {
  readonly resolution: Resolution;
  readonly splitYesMicros: bigint | null;
  readonly resolutionVersion: number | null;
}

/** A payment as the statement takes it, beside its row of the journal. */
const PAID = {
  positionId: text(),
  version: bigint(),
  externalUserId: text(),
  contractId: text(),
  resolutionVersion: nullable(integer()),
  costMinor: bigint(),
  lifetimeMinor: bigint(),
  simulated: boolean(),
};

interface Payout extends RowOf<typeof PAID> {}
export const PAYOUT = rowOf(PAID);

/** A decided payment. */
export interface Payment {
  readonly payout: Payout;
  readonly entry: JournalEntry & { readonly operatorId: string };
}

/**
 * The payment of a position at a result. Its cost without fees leaves stakes; an annulled market returns the fees as well; the difference
 * to the credit is the market's result. Pure.
 */
export function paymentOf(position: OpenPosition, { resolution, splitYesMicros, resolutionVersion }: Result): Payment {
  const { operatorId, positionId, externalUserId, contractId, side, simulated, quantityMicros, version } = position;
  const { costBasisMinor: costMinor, entryFeesMinor } = position;
  const resolved: Resolved =
    resolution === 'SPLIT' ? { resolution, splitYesMicros: splitYesMicros ?? 0n } : { resolution };
  const paid = payout({ side, quantityMicros, costBasisMinor: costMinor }, resolved);
  const creditMinor = paid.settlementCreditMinor + paid.voidCreditMinor;
  const lifetimeMinor = position.realisedPnlMinor + paid.realisedPnlMinor;
  const stakes = costMinor - entryFeesMinor;
  const other = resolution === 'VOID' ? entryFeesMinor : 0n;
  const row = {
    operatorId,
    kind: 'position_settled',
    digits: newDigits(),
    externalUserId,
    positionId,
    contractId,
    side,
    simulated,
    quantityMicros,
    feeShareMinor: entryFeesMinor,
    resolution,
    yesWorthMicros: splitYesMicros,
    resolutionVersion,
    outcome: paid.outcome,
    lifetimePnlMinor: lifetimeMinor,
    funds: position.mode === 'sandbox' ? 'wallet' : simulated ? 'cash' : 'collateral',
    stakes,
    available: -creditMinor,
    otherAccount: 'fees:returned',
    other,
    result: creditMinor - stakes - other,
  } as const;
  const head = { positionId, version, externalUserId, contractId, resolutionVersion, simulated };
  return { payout: { ...head, costMinor, lifetimeMinor }, entry: { ...row, items: countItems(row) } };
}

/** Payments as the arrays that `settle_positions` takes. */
export const packPayments = (payments: readonly Payment[]) => ({
  payouts: PAYOUT.toArray(payments.map((payment) => payment.payout)),
  journal: JOURNAL_ENTRY.toArray(payments.map(({ entry }) => entry)),
});

/**
 * Pays them in the order of the positions.
 * @param decided payments of one operator
 * @returns the positions that were not paid, because they or their results have changed
 */
export async function settlePositions(
  sql: Sql,
  operatorId: string,
  decided: readonly Payment[],
): Promise<readonly string[]> {
  const payments = decided.toSorted((one, other) => (one.payout.positionId < other.payout.positionId ? -1 : 1));
  const { payouts, journal } = packPayments(payments);
  const rows = await sql<{ code: string | null }[]>`
    select code from settle_positions(${operatorId}, ${payouts}::text::payout[], ${journal}::text::journal_row[]) order by number`;
  return payments.flatMap(({ payout: { positionId } }, place) => (rows[place]?.code === null ? [] : [positionId]));
}
