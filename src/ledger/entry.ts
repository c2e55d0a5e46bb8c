/** The posting engine's input: an entry of lines that sum to zero. The database also refuses an entry that does not. */

import type { Fact } from '../core/fact.ts';
import { newId } from '../core/ids.ts';

export type MovementType =
  | 'SANDBOX_CREDIT'
  | 'ORDER_HOLD'
  | 'ORDER_RELEASE'
  | 'ORDER_FILL'
  | 'POSITION_EXIT'
  | 'POSITION_SETTLEMENT'
  | 'COLLATERAL_DEPOSIT'
  | 'COLLATERAL_WITHDRAWAL'
  | 'VENUE_OVERRUN'
  | 'CORRECTION';

/** Cents: a debit is positive, a credit negative. */
export type Line = readonly [accountId: string, amountMinor: bigint];

export interface Entry {
  readonly movementType: MovementType;
  readonly memo: string;
  readonly referenceType: 'order' | 'position' | 'customer' | 'operator' | 'deposit' | 'entry';
  readonly referenceId: string;
  readonly correctsEntryId?: string;
  readonly lines: readonly Line[];
}

/**
 * An entry as the `ledger.posted` fact that posts it. Lines of zero are left out.
 * @returns null if no line remains. @throws RangeError if the lines do not sum to zero.
 */
export function postEntry(entry: Entry): Fact | null {
  const lines = entry.lines.filter(([, amountMinor]) => amountMinor !== 0n);
  if (lines.reduce((sum, [, amountMinor]) => sum + amountMinor, 0n) !== 0n) {
    throw new RangeError(`entry ${entry.movementType} of ${entry.referenceId} does not balance`);
  }
  if (lines.length === 0) {
    return null;
  }
  return {
    type: 'ledger.posted',
    itemId: newId('ent'),
    // its item is made of its lines
    money: null,
    detail: {
      movementType: entry.movementType,
      memo: entry.memo,
      referenceType: entry.referenceType,
      referenceId: entry.referenceId,
      correctsEntryId: entry.correctsEntryId ?? null,
    },
    lines: lines.map(([accountId, amountMinor]) => [accountId, amountMinor.toString()] as const),
  };
}
