/** A row's items as record_facts takes them, until every reader renders the journal itself. Pure. */
import type { Fact } from '../../core/fact.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import { entryOf } from './entry.ts';
import { itemsOf } from './items.ts';

export function factsOf(journal: readonly JournalEntry[]): Fact[] {
  return journal.flatMap((row) =>
    itemsOf(row).map(({ type, id, money, detail }): Fact => {
      const fact = { type, itemId: id, money, detail };
      if (type !== 'ledger.posted') {
        return fact;
      }
      const lines = entryOf(row)?.lines ?? [];
      return { ...fact, money: null, lines: lines.map(({ accountId, amountMinor }) => [accountId, `${amountMinor}`]) };
    }),
  );
}
