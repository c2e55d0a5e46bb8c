/**
 * Our account at the venue: one line per fill and per result of a listing, and the positions and cash that follow from
 * them. It is kept apart from the orders, so that one can be compared with the other. Lines are written after the
 * order. If the process stops in between, a line is missing, but no line is ever wrong.
 */
import type { Side } from '../../core/terms.ts';
import type { PaperContract } from '../catalogue/event.ts';
import type { Journal } from '../journal.ts';
import { DOLLAR } from '../micros.ts';
import type { PaperFill, PaperOrder } from './order.ts';

export interface AccountLine extends PaperFill {
  readonly ourId: string;
}

/** The value of YES of a listing at its end, in millionths of a dollar; null if the result was withdrawn. */
interface WorthLine {
  readonly listingId: string;
  readonly worth: number | null;
  /** Counts the results of a listing, because file and database may each have one that the other lacks. */
  readonly revision: number;
}

export class Account {
  readonly #journal: Journal;
  readonly #lines = new Map<string, Map<string, AccountLine>>();
  readonly #worths = new Map<string, WorthLine>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const line of journal.account as (AccountLine | WorthLine)[]) {
      if ('worth' in line) {
        this.#keepWorth(line);
      } else {
        this.#keep(line);
      }
    }
  }

  /** Books the fills of an order that are not in the account yet, and fees that became known since. */
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

  /** The booked fills of an order, in the order of matching. */
  of(ourId: string): AccountLine[] {
    return [...(this.#lines.get(ourId)?.values() ?? [])];
  }

  /** Books the result of a listing, once. It is kept here because the exchange drops events that ended long ago. */
  settle(listingId: string, worth: number | null): void {
    const known = this.#worths.get(listingId);
    if ((known?.worth ?? null) !== worth) {
      const line = { listingId, worth, revision: (known?.revision ?? 0) + 1 };
      this.#keepWorth(line);
      this.#journal.appendAccount({ key: listingId, revision: line.revision, line });
    }
  }

  /** @returns undefined while the listing is open */
  worthOf(listingId: string): number | undefined {
    return this.#worths.get(listingId)?.worth ?? undefined;
  }

  #keepWorth(line: WorthLine): void {
    if (line.revision >= (this.#worths.get(line.listingId)?.revision ?? 0)) {
      this.#worths.set(line.listingId, line);
    }
  }

  #keep(line: AccountLine): void {
    const lines = this.#lines.get(line.ourId) ?? new Map<string, AccountLine>();
    const known = lines.get(line.fillId);
    // The same line may come from the file and from the database, and only one of them may have the fee.
    this.#lines.set(line.ourId, lines.set(line.fillId, { ...line, fee: line.fee ?? known?.fee ?? null }));
  }
}

/** The opening balance in millionths of a dollar. */
const OPENING_BALANCE = 1_000_000_000_000n;
const ONE = BigInt(DOLLAR);
const WORTH = { YES: 1_000_000, NO: 0, VOID: 500_000 };

export interface Held {
  readonly listingId: string;
  readonly side: Side;
  readonly quantity: number;
}

export interface AccountHoldings {
  /** Positions in listings that are not settled. */
  readonly positions: Held[];
  readonly balance: bigint;
}

interface Gross {
  yes: bigint;
  no: bigint;
}

/**
 * Our positions and cash at the venue. Contracts of both sides of a listing are netted, and each pair pays a dollar at once. The rest is
 * paid when the listing resolves.
 * @param fillsOf returns the booked fills of an order
 * @param worthOf returns the worth of YES of a listing, in millionths of a dollar; undefined while it is open
 */
export function holdingsOf(
  orders: Iterable<PaperOrder>,
  fillsOf: (ourId: string) => readonly AccountLine[],
  worthOf: (listingId: string) => number | undefined,
): AccountHoldings {
  const holdings = new Map<string, Gross>();
  let balance = OPENING_BALANCE;
  for (const order of orders) {
    const gross = holdings.get(order.listingId) ?? { yes: 0n, no: 0n };
    holdings.set(order.listingId, gross);
    const sign = order.action === 'BUY' ? 1n : -1n;
    for (const fill of fillsOf(order.ourId)) {
      const product = BigInt(fill.quantity) * BigInt(fill.price);
      // A cost is rounded up, proceeds are rounded down.
      balance -= sign > 0n ? (product + ONE - 1n) / ONE : -(product / ONE);
      balance -= BigInt(fill.fee ?? 0);
      gross[order.side === 'YES' ? 'yes' : 'no'] += sign * BigInt(fill.quantity);
    }
  }
  const positions: Held[] = [];
  for (const [listingId, { yes, no }] of holdings) {
    const net = yes - no;
    const pairs = net > 0n ? no : yes;
    const worth = worthOf(listingId);
    balance += pairs;
    if (worth !== undefined) {
      balance += net >= 0n ? (net * BigInt(worth)) / ONE : (-net * (ONE - BigInt(worth))) / ONE;
    } else if (net !== 0n) {
      positions.push({
        listingId,
        side: net > 0n ? 'YES' : 'NO',
        quantity: Number(net > 0n ? net : -net),
      });
    }
  }
  return { positions, balance };
}

/**
 * @returns the value of YES in millionths of a dollar, half a dollar if the contract was voided; null while it is open
 */
export function worthOf({ resolution }: PaperContract): number | null {
  if (resolution === null) {
    return null;
  }
  return resolution.outcome === 'SPLIT' ? (resolution.yesWorth ?? WORTH.VOID) : WORTH[resolution.outcome];
}
