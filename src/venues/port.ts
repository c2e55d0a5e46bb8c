/**
 * What the service asks of an exchange, in neutral words: catalogue, books, orders by our own id, fills and fees.
 * Nothing here knows a money rule, a tenant or a table. An adapter parses strictly what a venue says; what does not
 * fit comes out as evidence (`Invalid`) and is never coerced into something that fits.
 */
import type { FeeSchedule, Invalid, VenueBook, VenueCatalogue, VenueChange } from './listing.ts';
import type { FoundOrder, OrderToPlace, PlaceAnswer, VenueFill } from './order.ts';

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
  /** True where the request cannot have left this machine. */
  readonly neverSent: boolean;

  constructor(
    venue: string,
    message: string,
    options: { cause?: unknown; evidence?: Invalid; neverSent?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.venue = venue;
    this.evidence = options.evidence ?? null;
    this.neverSent = options.neverSent ?? false;
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
  /** Smallest amount of one buy, in cents. */
  readonly minimumAmountMinor: bigint;

  /** Everything listed, resolved listings of the last days included. @throws VenueUnknown */
  catalogue(): Promise<VenueCatalogue>;
  /** A fresh book. @throws VenueUnknown; null where the venue knows no such listing. */
  book(listingId: string): Promise<VenueBook | null>;
  /** Follows books and changes; reconnects by itself until closed. Resolves once the first connection is asked for. */
  watch(handlers: WatchHandlers): Promise<Watch>;

  /** Sends once, never repeats by itself. @throws VenueUnknown */
  placeOrder(order: OrderToPlace): Promise<PlaceAnswer>;
  /** @throws VenueUnknown */
  findOrder(ourId: string): Promise<FoundOrder>;
  /**
   * All fills of our order so far, from the venue's own account where it keeps one apart from its orders; empty also for an
   * unknown order. @throws VenueUnknown
   */
  fills(ourId: string): Promise<readonly VenueFill[]>;
  /** Asks for the rest of a working order to be closed; the answer is the order as it then stands. @throws VenueUnknown */
  cancelOrder(ourId: string): Promise<FoundOrder>;
  /** @throws VenueUnknown; null where the venue knows no such listing. */
  feeSchedule(listingId: string): Promise<FeeSchedule | null>;
  close(): Promise<void>;
}
