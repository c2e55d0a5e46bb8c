/** What tests need of any emulated exchange, so that one table shows the same of Kalshi, Polymarket and Gemini (`every-exchange.ts`). */
import type { OrderToPlace, SentOrder, Venue } from '../../src/venues/port.ts';

/** Price in dollars and number of contracts. */
export type Levels = readonly (readonly [price: string, count: string])[];

/** Bids and asks of the listing at first. */
export const FIRST_BOOK: readonly [bids: Levels, asks: Levels] = [
  [['0.40', '50']],
  [
    ['0.45', '10'],
    ['0.46', '100'],
  ],
];

export interface Exchange {
  /** Our adapter, with our account of 1,000 dollars. */
  readonly venue: Venue;
  /** Has the book `FIRST_BOOK`; its event has no other. */
  readonly listingId: string;
  /** `METHOD path` of requests, for faults. */
  readonly paths: {
    readonly send: string;
    /** The list of orders, and that of fills or trades. */
    readonly orders: string;
    readonly fills: string;
  };
  /** Whether the answer to an order has its fills; otherwise a look-up shows them. */
  readonly answersFills: boolean;
  /** The fills of `order()`, in millionths. */
  readonly bought: readonly (readonly [priceMicros: bigint, quantityMicros: bigint, feeMicros: bigint])[];
  /** Sends any request to the control route. */
  tell(request: object): void;
  /** Lists another contract. @param name of capital letters. @returns its listing */
  list(name: string): string;
  setBook(bids: Levels, asks: Levels, listingId?: string): void;
  /** The listing has a final result. */
  resolve(outcome: 'YES' | 'NO'): void;
  /** Gives the order that was taken last a status that no document has. @returns the status */
  oddStatus(): string;
  /** A message of a new kind on the stream, and a hint that cannot be read. @returns the words under which they are noted */
  sayOddly(): readonly string[];
  /** An order that is ready to be sent: it buys 20 contracts at 0.46 or better, if nothing else is said. */
  order(changes?: Partial<OrderToPlace>): Promise<OrderToPlace & SentOrder>;
  /** How many orders the exchange has taken. */
  taken(): number;
  /** Micro-dollars of our account. */
  cash(): bigint;
  /** Micro-contracts of the listing that our account holds; below 0 they are of NO. */
  held(): bigint;
  /** Another adapter, without a key. */
  openReader(): Venue;
  close(): Promise<void>;
}

/** @returns what the promise was rejected with; undefined if it was not */
export function failure(promise: Promise<unknown> | undefined): Promise<unknown> {
  return (promise ?? Promise.resolve()).then(
    () => undefined,
    (cause: unknown) => cause,
  );
}
