/**
 * What the venue booked on our account: one line for each fill, kept apart from the orders, so that its responses can
 * be compared with it. A fee that became known later has a line of its own. Lines are written after the order; if a
 * stop comes in between, a line is missing, but no line is ever wrong.
 */
import type { Journal } from '../journal.ts';
import type { PaperFill, PaperOrder } from './order.ts';

export interface AccountLine extends PaperFill {
  readonly ourId: string;
}

/** What YES of a listing was worth at its end, in millionths of a dollar; null if the result was withdrawn. */
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

  /** Books the fills of an order that are not in the account yet. */
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

  /** Books the result of a listing once; kept here because the exchange drops events that ended long ago. */
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
    // a known fee remains, whether it was read from the file or from the database
    this.#lines.set(line.ourId, lines.set(line.fillId, { ...line, fee: line.fee ?? known?.fee ?? null }));
  }
}
