/** The items of journal rows as the feed and its log have them (contract chapters 21 and 24). Pure. */
import { encodeRegisterCursor } from '../../core/cursor.ts';
import type { JournalRow } from '../../wire/journal.ts';
import { entryOf, type LedgerEntry } from './entry.ts';
import { itemsOf, type JournalItem, placeOfEntry } from './items.ts';

/** An item with its place in the feed. */
export interface PlacedItem extends JournalItem {
  readonly sequence: bigint;
  readonly occurredAt: string;
}

export function placedItems(row: JournalRow): PlacedItem[] {
  const occurredAt = row.recordedAt.toISOString();
  return itemsOf(row).map(({ type, id, externalUserId, positionId, orderId, money, detail }, place) => {
    const sequence = row.sequence + BigInt(place);
    return { type, id, externalUserId, positionId, orderId, money, detail, sequence, occurredAt };
  });
}

/** The ledger entry of a row, with its place in the feed; null if the row moves no money. */
export function postedEntry(row: JournalRow): PostedEntry | null {
  const entry = entryOf(row);
  return entry && { ...entry, sequence: row.sequence + BigInt(placeOfEntry(row)), recordedAt: row.recordedAt };
}

export interface PostedEntry extends LedgerEntry {
  readonly sequence: bigint;
  readonly recordedAt: Date;
}

/** What a feed cursor was minted for: the operator and the register, never the filters (contract 21.2). */
export const feedPurpose = (operatorId: string): string => `feed:${operatorId}`;

/** The item as it is sent, with the cursor that resumes right after it. */
export function feedItemJson(item: PlacedItem, operatorId: string, epoch: number): string {
  const cursor = encodeRegisterCursor(feedPurpose(operatorId), { sequence: item.sequence, epoch });
  return `{"id":"${item.id}","type":"${item.type}","cursor":"${cursor}",${restOf(item)}`;
}

/** The item without its cursor: what the log of the feed proves. */
export const leafJson = (item: PlacedItem): string => `{"id":"${item.id}","type":"${item.type}",${restOf(item)}`;

const restOf = ({ sequence, occurredAt, externalUserId, positionId, orderId, money, detail }: PlacedItem): string =>
  `"sequence":${sequence},${JSON.stringify({ occurredAt, externalUserId, positionId, orderId, money, detail }).slice(1)}`;
