/** What a printed statement shows, wherever it comes from: money held for others with its movements, accounts, revenue, checkpoint. */
import type { RevenueBy } from '../../core/revenue-by.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import type { Revenue } from '../revenue/fetch-revenue.ts';

/** Money that is held for customers or for the operator. Amounts are decimal dollars; what is owed is positive. */
export interface StatementSide {
  readonly side: 'hosted' | 'operator_collateral';
  readonly opening: string;
  readonly movements: readonly StatementMovement[];
  readonly closing: string;
}

export interface StatementMovement {
  readonly movementType: string;
  /** Number of ledger entries. */
  readonly entries: number;
  readonly amount: string;
}

/** Decimal dollars; a debit is positive. */
export interface StatementAccount {
  readonly accountId: string;
  readonly opening: string;
  readonly debits: string;
  readonly credits: string;
  readonly closing: string;
}

export interface PrintableStatement {
  readonly operator: { readonly name: string; readonly slug: string; readonly mode: string };
  /** ISO-8601; null is the beginning of the books. */
  readonly from: string | null;
  readonly to: string;
  /** IANA name; all times are printed on its clock. */
  readonly timeZone: string;
  readonly printedAt: string;
  readonly sides: readonly StatementSide[];
  readonly accounts?: readonly StatementAccount[];
  readonly revenue?: Revenue & { readonly by: RevenueBy };
  readonly checkpoint: { readonly text: string; readonly meaning: string } | null;
}

/** @throws Error if the opening balance and the movements do not lead to the closing balance, to the cent */
export function checkSide({ side, opening, movements, closing }: StatementSide): void {
  const reached = parseMinor(opening) + sumMinor(movements.map(({ amount }) => parseMinor(amount)));
  if (reached !== parseMinor(closing)) {
    throw new Error(`the movements of ${side} lead to ${formatMinor(reached)}, and the closing balance is ${closing}`);
  }
}
