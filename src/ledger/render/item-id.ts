/** The ids of a row's items. All of them have the digits of the row, each under the prefix of its kind. Pure. */
import type { IdPrefix } from '../../core/ids.ts';
import type { JournalEntry } from '../../wire/journal.ts';

const DIGITS = 32;

/** @returns the prefix, an underscore, and the 32 hexadecimal digits of the row, which are those of its order if it has none of its own. */
export function itemIdOf(prefix: IdPrefix, { digits, orderId }: Pick<JournalEntry, 'digits' | 'orderId'>): string {
  return `${prefix}_${digits ?? orderId?.slice(orderId.indexOf('_') + 1) ?? ''}`;
}

/** The id of a second item of the same kind in one row: the number after the first. */
export function secondItemIdOf(prefix: IdPrefix, row: Pick<JournalEntry, 'digits' | 'orderId'>): string {
  const first = itemIdOf(prefix, row).slice(-DIGITS);
  const next = (BigInt(`0x${first}`) + 1n).toString(16).padStart(DIGITS, '0');
  return `${prefix}_${next}`;
}
