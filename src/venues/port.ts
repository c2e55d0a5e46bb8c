/**
 * The port of a venue, in neutral terms: catalogue, books, orders by our own id, fills and fees. Nothing here knows a
 * money rule, a tenant or a table. An adapter parses a venue's responses strictly; what does not match becomes evidence
 * (`Invalid`) and is never coerced.
 */
import type { RequestBucket, RequestKind } from '../core/request-budget.ts';
import type { VenueAccount } from './account.ts';
import type { FeeSchedule, Invalid, VenueBook, VenueCatalogue, VenueChange } from './listing.ts';
import type {
  FoundOrder,
  MayWrite,
  OrderToPlace,
  PlaceAnswer,
  PreparedOrder,
  SentOrder,
  UnfitOrder,
  VenueFill,
} from './order.ts';
import type { UnknownWord } from './unknowns.ts';

/** The address where a venue listens now, or undefined while it is not known. Called again at every reconnection. */
export type Locate = (name: string) => Promise<string | undefined>;

export interface WatchHandlers {
  /** Books that changed, in batches; also every book once after each (re)connection. */
  books(books: readonly VenueBook[]): void;
  changes(changes: readonly VenueChange[]): void;
  /** The connection is complete, and unchanged books are current as of `at`. Called about once a second. */
  confirmed(at: Date): void;
  /** All books are available again. Changes may have been missed before, so the catalogue must be read. */
  up(): void;
  down(reason: string): void;
  invalid(evidence: Invalid): void;
}

export interface Watch {
  readonly connected: boolean;
  close(): Promise<void>;
}

/** However long a venue asks us to wait: it is asked again after this time, and may then ask once more (contract 19.8). */
const LONGEST_WAIT_MS = 120_000;

/**
 * The outcome of a call is unknown: a timeout, a reset, a 5xx status, a response that cannot be parsed. After
 * `placeOrder` the venue may have the order; only a look-up by our id can show it.
 */
export class VenueUnknown extends Error {
  override name = 'VenueUnknown';
  readonly venue: string;
  /** What was received, if anything. */
  readonly evidence: Invalid | null;
  /**
   * True if the venue certainly did not process the request: it never left this machine, or the venue refused to
   * process it.
   */
  readonly notTaken: boolean;
  /** The delay that the venue requests before the next call, at most `LONGEST_WAIT_MS`. */
  readonly retryAfterMs: number | null;
  /** Status of the HTTP answer, if there was one. */
  readonly status: number | null;

  constructor(
    venue: string,
    message: string,
    options: {
      cause?: unknown;
      evidence?: Invalid;
      notTaken?: boolean;
      retryAfterMs?: number | undefined;
      status?: number;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.venue = venue;
    this.evidence = options.evidence ?? null;
    this.notTaken = options.notTaken ?? false;
    this.retryAfterMs = options.retryAfterMs === undefined ? null : Math.min(options.retryAfterMs, LONGEST_WAIT_MS);
    this.status = options.status ?? null;
  }
}

/** How many requests of one kind a venue takes now. */
export interface RequestsLeft {
  readonly kind: RequestKind;
  /** Below 0 where the last request itself was beyond the limit. */
  readonly left: number;
  /** No further request of the kind for so long. */
  readonly waitMs: number;
}

export interface Venue {
  readonly name: string;
  /** Whether "not found" of `findOrder` covers every order that was ever received. */
  readonly lookupIsComplete: boolean;
  /** Whether `maxCostMicros` is honoured. */
  readonly takesCostBound: boolean;
  /** Whether a buy names the dollars that it spends, so that a better price fills more than the quantity asked for. */
  readonly takesDollars?: boolean;
  /** Quantities are multiples of this, in micro-contracts. */
  readonly quantityStepMicros: bigint;
  /** Smallest quantity of one order, in micro-contracts. */
  readonly minimumQuantityMicros: bigint;
  /** How many requests the venue allows for our account, by its documents; all workers share them. */
  readonly limits: readonly RequestBucket[];
  /** What the venue allows our account now, in place of `limits`: the same buckets in the same order. @throws VenueUnknown */
  readLimits?(): Promise<readonly RequestBucket[]>;
  /** Tells how many requests of a kind the venue still takes of our account, as its answers say. */
  onRequestsLeft?(told: (left: RequestsLeft) => void): void;
  /** Smallest amount of one buy, in cents. */
  readonly minimumAmountMinor: bigint;
  /** The fee of an order is rounded up to a multiple of this, in micro-dollars; missing where it is not rounded. */
  readonly feeStepMicros?: bigint;

  /**
   * All listings, including those resolved in the last days.
   * @param held listings that are needed in any case, with their result, even if the venue no longer lists them
   * @throws VenueUnknown
   */
  catalogue(held?: readonly string[]): Promise<VenueCatalogue>;
  /**
   * The current book, or null if the venue has no such listing.
   * @throws VenueUnknown
   */
  book(listingId: string): Promise<VenueBook | null>;
  /** Follows books and changes; reconnects by itself until closed. Resolves once the first connection was requested. */
  watch(handlers: WatchHandlers): Promise<Watch>;

  /** Our account there; null if this release only reads the venue, or has no access to an account. */
  readonly account: VenueAccount | null;

  /**
   * Makes an order ready where the venue names orders by what they say: its id there is stored before it is sent. Elsewhere it
   * only finds out whether the order can be sent.
   * @returns null if nothing is to be stored
   * @throws VenueUnknown if what the order needs cannot be read; nothing was sent
   */
  prepareOrder?(order: Omit<OrderToPlace, 'expiresAt' | 'prepared'>): Promise<PreparedOrder | UnfitOrder | null>;
  /**
   * Sends once and never repeats by itself.
   * @param mayWrite called right before the request is written; if it returns false, nothing is written
   * @throws VenueUnknown, with `notTaken` if the venue certainly has no such order
   */
  placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer>;
  /** @param sent what was sent under this id, if known. @throws VenueUnknown */
  findOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder>;
  /**
   * All fills of our order so far, from the venue's account if it keeps one apart from its orders; also empty for an
   * unknown order.
   * @throws VenueUnknown
   */
  fills(ourId: string, sent?: SentOrder): Promise<readonly VenueFill[]>;
  /** Cancels the rest of a working order and returns the order after that. @throws VenueUnknown */
  cancelOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder>;
  /** Null if the venue has no such listing. @throws VenueUnknown */
  feeSchedule(listingId: string): Promise<FeeSchedule | null>;
  /** What it said since the last call that this release does not know; missing where all of it is ours. */
  unknowns?(): readonly UnknownWord[];
  close(): Promise<void>;
}

/** Whether an order's id at a venue is one that this service made: `att_` and the time at which it was made. */
export function isOurId(id: string): boolean {
  return /^att_[0-9a-f]{12}/.test(id);
}
