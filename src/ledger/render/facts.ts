/** A row's items as record_facts takes them, until every reader renders the journal itself. Pure. */
import type { Fact } from '../../core/fact.ts';
import type { JournalEntry } from '../../wire/journal.ts';
import { entryOf } from './entry.ts';
import { eventOf } from './events.ts';
import { itemsOf } from './items.ts';

export function factsOf(journal: readonly JournalEntry[]): Fact[] {
  return journal.flatMap((row) =>
    itemsOf(row).map(({ type, id, money, detail }): Fact => {
      const fact = { type, itemId: id, money, detail };
      switch (type) {
        case 'ledger.posted': {
          const lines = entryOf(row)?.lines ?? [];
          return {
            ...fact,
            money: null,
            lines: lines.map(({ accountId, amountMinor }) => [accountId, `${amountMinor}`]),
          };
        }
        case 'webhook.emitted': {
          const event = eventOf(row);
          // the event of an order that was filled at once is a view of its row
          return row.kind === 'order_executed' || event === null ? fact : { ...fact, event: event.data };
        }
        default:
          return fact;
      }
    }),
  );
}
