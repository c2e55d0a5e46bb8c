/**
 * What the service asks of an exchange, in neutral words: catalogue, books, orders by our own id, fills and fees.
 * Nothing here knows a money rule, a tenant or a table. An adapter parses strictly what a venue says; what does not
 * fit comes out as evidence (`Invalid`) and is never coerced into something that fits.
 */
import type { VenueAccount } from './account.ts';
import type { FeeSchedule, Invalid, VenueBook, VenueCatalogue, VenueChange } from './listing.ts';
import type { FoundOrder, MayWrite, OrderToPlace, PlaceAnswer, SentOrder, VenueFill } from './order.ts';

/** The address where a venue listens now, or undefined while it is not known. Called again at every reconnection. */
export type Locate = (name: string) => Promise<string | undefined>;

export interface WatchHandlers {
  /** Books that changed, in batches; also every book once after each (re)connection. */
  books(books: readonly VenueBook[]): void;
  changes(changes: readonly VenueChange[]): void;
  /** The connection is whole and unchanged books are current as of `at`. About once a second. */
  confirmed(at: Date): void;
  /** Books are whole again. Changes may have been missed before: read the catalogue. */
  up(): void;
  down(reason: string): void;
  invalid(evidence: Invalid): void;
}

export interface Watch {
  readonly connected: boolean;
  close(): Promise<void>;
}

/**
 * The outcome of a call is not known: time-out, reset, 5xx, an answer that does not parse. After `placeOrder` the
 * order may stand at the venue; only a look-up by our id can tell.
 */
export class VenueUnknown extends Error {
  override name = 'VenueUnknown';
  readonly venue: string;
  /** What was received, where anything was. */
  readonly evidence: Invalid | null;
  /** True where the venue certainly did not take the request: it never left this machine, or the venue refused to look at it. */
  readonly notTaken: boolean;
  /** How long the venue asks to be left alone. */
  readonly retryAfterMs: number | null;

  constructor(
    venue: string,
    message: string,
    options: { cause?: unknown; evidence?: Invalid; notTaken?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.venue = venue;
    this.evidence = options.evidence ?? null;
    this.notTaken = options.notTaken ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

export interface Venue {
  readonly name: string;
  /** Whether "not found" of `findOrder` covers every order that was ever received. */
  readonly lookupIsComplete: boolean;
  /** Whether `maxCostMicros` is honoured. */
  readonly takesCostBound: boolean;
  /** Quantities are multiples of this many micro-contracts. */
  readonly quantityStepMicros: bigint;
  /** Smallest quantity of one order, micro-contracts. */
  readonly minimumQuantityMicros: bigint;
  /** Requests a second that the venue takes of our account; all workers share them. */
  readonly requestsPerSecond: number;
  /** Smallest amount of one buy, in cents. */
  readonly minimumAmountMinor: bigint;

  /**
   * Everything listed, resolved listings of the last days included.
   * @param held listings that are wanted in any case, with their result, even if the venue lists them no more.
   * @throws VenueUnknown
   */
  catalogue(held?: readonly string[]): Promise<VenueCatalogue>;
  /** A fresh book. @throws VenueUnknown; null where the venue knows no such listing. */
  book(listingId: string): Promise<VenueBook | null>;
  /** Follows books and changes; reconnects by itself until closed. Resolves once the first connection is asked for. */
  watch(handlers: WatchHandlers): Promise<Watch>;

  /** Our account there; null where this release only reads the venue, or has no access to an account. */
  readonly account: VenueAccount | null;

  /**
   * Sends once, never repeats by itself.
   * @param mayWrite asked right before the request is written to the wire; where it says no, nothing is written.
   * @throws VenueUnknown, with `notTaken` where the venue certainly has no such order.
   */
  placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer>;
  /** @param sent what was sent under this id, where that is known. @throws VenueUnknown */
  findOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder>;
  /**
   * All fills of our order so far, from the venue's own account where it keeps one apart from its orders; empty also for an
   * unknown order. @throws VenueUnknown
   */
  fills(ourId: string, sent?: SentOrder): Promise<readonly VenueFill[]>;
  /** Asks for the rest of a working order to be closed; the answer is the order as it then stands. @throws VenueUnknown */
  cancelOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder>;
  /** @throws VenueUnknown; null where the venue knows no such listing. */
  feeSchedule(listingId: string): Promise<FeeSchedule | null>;
  close(): Promise<void>;
}
