/** What the tests of an order's journal rows expect of each: its names, its money, and how the items of rows are read. */

import type { JournalEntry } from '../../src/ledger/journal-row.ts';
import { entryOf } from '../../src/ledger/render/entry.ts';
import { eventOf as eventOfRow } from '../../src/ledger/render/events.ts';
import { itemsOf } from '../../src/ledger/render/items.ts';

export const NAMES = {
  orderId: 'ord_1',
  executionRef: 'inl_Best_00000000000000',
  clientOrderId: 'key-1',
  externalUserId: 'ana',
};
export const NOTHING_BOOKED = {
  currency: 'USD',
  authorizationAmount: '10.00',
  actualDebit: '0.00',
  releaseAmount: '10.00',
  tradeAmount: '0.00',
  platformFee: '0.00',
  venueFee: '0.00',
};
/** 9.69 of contracts, 0.20 and 0.05 of fees. */
export const FILLED = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n };
export const COLUMNS = { tradeMinor: 969n, platformFeeMinor: 20n, venueFeeMinor: 5n, venueFeeKnown: true };

/** The items that rows are told as, each with the lines of its entry and the data of its event. */
export function told(rows: readonly (JournalEntry | null)[]) {
  return rows.flatMap((row) =>
    row === null
      ? []
      : itemsOf(row).map((item) => ({
          ...item,
          lines:
            item.type === 'ledger.posted'
              ? entryOf(row)?.lines.map(({ accountId, amountMinor }) => [accountId, `${amountMinor}`])
              : undefined,
          event: item.type === 'webhook.emitted' ? eventOfRow(row)?.data : undefined,
        })),
  );
}
export type ToldItem = ReturnType<typeof told>[number];

/** What an item is and moves: its type, the prefix of its id, and the lines of an entry or the words of its detail. */
export const outline = (items: readonly ToldItem[]) =>
  items.map(({ type, id, lines, detail }) => {
    const { kind, eventType, toState } = detail as Record<string, string | undefined>;
    return [type, id.slice(0, 4), lines ?? kind ?? eventType ?? toState];
  });

export const eventOf = (items: readonly ToldItem[], eventType: string): unknown =>
  items.find(({ detail }) => (detail as { eventType?: string }).eventType === eventType)?.event;
export const keysOf = (items: readonly ToldItem[]) =>
  items.flatMap(({ detail }) => (detail as { dedupeKey?: string }).dedupeKey ?? []);
