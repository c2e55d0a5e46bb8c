/** `collateral.moved` items: what an entry did to the operator's collateral. Their balances are filled in by the statement. */

import type { Fact } from '../core/fact.ts';
import { newId } from '../core/ids.ts';
import { formatMinor } from '../money/usd.ts';

export type CollateralKind = 'commit' | 'release' | 'spend' | 'return';

const MEMOS: Record<CollateralKind, string> = {
  commit: 'Collateral committed to an order',
  release: 'Committed collateral released',
  spend: 'Committed collateral spent on contracts',
  return: 'Collateral returned by contracts',
};

/** @param entry the ledger entry that moved it; the item follows it directly. @param amountMinor cents. */
export function collateralMoved(kind: CollateralKind, amountMinor: bigint, entry: Fact): Fact {
  return {
    type: 'collateral.moved',
    itemId: newId('mov'),
    money: { currency: 'USD', amount: formatMinor(amountMinor) },
    detail: { kind, memo: MEMOS[kind], ledgerEntryId: entry.itemId },
  };
}
