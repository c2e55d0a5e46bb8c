/**
 * What the venue booked on our account: a line a fill, kept apart from the orders, so that what it answered can be held
 * against it. A fee that became known later is a line of its own. It is written after the order: cut short by a stop it lacks a
 * line and says nothing, rather than something else.
 */
import type { Journal } from '../journal.ts';
import type { PaperFill, PaperOrder } from './order.ts';

export interface AccountLine extends PaperFill {
  readonly ourId: string;
}

/** What YES of a listing was worth at its end, millionths of a dollar; null where that was taken back. */
interface WorthLine {
  readonly listingId: string;
  readonly worth: number | null;
}

export class Account {
  readonly #journal: Journal;
  readonly #lines = new Map<string, Map<string, AccountLine>>();
  readonly #worths = new Map<string, number | null>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const line of journal.account as (AccountLine | WorthLine)[]) {
      if ('worth' in line) {
        this.#worths.set(line.listingId, line.worth);
      } else {
        this.#keep(line);
      }
    }
  }

  /** Books what the account has not yet of an order. */
  book({ ourId, fills }: PaperOrder): void {
    for (const fill of fills) {
      const booked = this.#lines.get(ourId)?.get(fill.fillId);
      if (booked === undefined || booked.fee !== fill.fee) {
        const line = { ...(booked ?? fill), fee: fill.fee, ourId };
        this.#keep(line);
        this.#journal.appendAccount({ key: `${ourId} ${fill.fillId}`, revision: fill.fee === null ? 0 : 1, line });
      }
    }
  }

  /** In the order of matching. */
  of(ourId: string): AccountLine[] {
    return [...(this.#lines.get(ourId)?.values() ?? [])];
  }

  /** Books how a listing ended, once; kept here because the exchange drops what ended long ago. */
  settle(listingId: string, worth: number | null): void {
    if ((this.#worths.get(listingId) ?? null) !== worth) {
      this.#worths.set(listingId, worth);
      this.#journal.appendAccount({
        key: listingId,
        revision: Math.floor(Date.now() / 1_000),
        line: { listingId, worth },
      });
    }
  }

  /** @returns undefined while the listing is open. */
  worthOf(listingId: string): number | undefined {
    return this.#worths.get(listingId) ?? undefined;
  }

  #keep(line: AccountLine): void {
    const lines = this.#lines.get(line.ourId) ?? new Map<string, AccountLine>();
    const known = lines.get(line.fillId);
    // a fee that is known stays, whichever of file and database told it
    this.#lines.set(line.ourId, lines.set(line.fillId, { ...line, fee: line.fee ?? known?.fee ?? null }));
  }
}
