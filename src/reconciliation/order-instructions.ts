/**
 * The money of an order that its operator was told to book, by the table "What to book" of the guides (contract 1.15): one key for the same
 * money on every channel, and the first channel that tells an amount counts. Pure.
 */
import type { JournalRow } from '../ledger/journal-row.ts';
import { itemIdOf } from '../ledger/render/entry.ts';
import { eventNameOf, moneyOf, settlementOf } from '../ledger/render/events.ts';
import { itemsOf } from '../ledger/render/items.ts';
import { debitOf, proceedsOf, settlementState } from '../money/blocks.ts';
import { formatMinor } from '../money/usd.ts';
import type { Instruction } from '../wire/history.ts';

/** The events that tell what the fills of an order cost or brought so far. */
const TELL_FILLS: ReadonlySet<string | undefined> = new Set(['order.filled', 'order.completed']);

/**
 * @param rows of one order in their order, and of the settlement of its position
 * @returns one instruction for each type and key, in the order in which their amounts were told
 */
export function instructionsOf(rows: readonly JournalRow[]): Instruction[] {
  const books = new Books();
  let exitedMinor = 0n;
  for (const row of rows) {
    const orderId = row.orderId ?? '';
    if (row.kind === 'position_settled') {
      books.raise('credit', itemIdOf('stl', row), settlementOf(row).creditMinor, row);
    } else if (row.action === 'sell') {
      exitedMinor += isExit(row) ? -(row.available ?? 0n) : 0n;
      const toldMinor = TELL_FILLS.has(eventNameOf(row)?.type) ? proceedsOf(moneyOf(row)) : 0n;
      books.raise('credit', orderId, toldMinor > exitedMinor ? toldMinor : exitedMinor, row);
    } else if (row.action === 'buy') {
      bookBuy(books, orderId, row);
    }
  }
  return books.told.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** A read and the feed tell a debit once the order is settled, its events with each fill. The release follows once the order is final. */
function bookBuy(books: Books, orderId: string, row: JournalRow): void {
  const money = moneyOf(row);
  const debitMinor = debitOf(money);
  const event = eventNameOf(row)?.type;
  const isSettled = isStateShown(row) && settlementState(money) === 'settled';
  books.raise('hold', orderId, money.authorizationMinor, row);
  if (isSettled || TELL_FILLS.has(event)) {
    books.raise('debit', orderId, debitMinor, row);
  }
  if (isSettled || (event !== undefined && money.transmissionState === 'resolved')) {
    books.raise('release', orderId, money.authorizationMinor - debitMinor, row);
  }
}

const isStateShown = (row: JournalRow): boolean => itemsOf(row).some(({ type }) => type === 'order.state_changed');
const isExit = (row: JournalRow): boolean => itemsOf(row).some(({ type }) => type === 'position.exited');

/** Amounts only grow: one that is not above the booked one tells nothing new. */
class Books {
  readonly #booked = new Map<string, { readonly minor: bigint; readonly instruction: Instruction }>();

  raise(type: Instruction['type'], key: string, minor: bigint, { recordedAt }: JournalRow): void {
    const booked = this.#booked.get(`${type} ${key}`);
    if (minor > (booked?.minor ?? 0n)) {
      const instruction = { at: recordedAt.toISOString(), type, amount: formatMinor(minor), key };
      this.#booked.set(`${type} ${key}`, { minor, instruction });
    }
  }

  get told(): Instruction[] {
    return [...this.#booked.values()].map(({ instruction }) => instruction);
  }
}
