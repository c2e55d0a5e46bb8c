/**
 * The port of a venue, in neutral terms: catalogue, books, orders by our own id, fills and fees. Nothing here knows a
 * money rule, a tenant or a table. An adapter parses a venue's responses strictly; what does not match becomes evidence
 * (`Invalid`) and is never coerced.
 */
import type { RequestBucket, RequestKind } from '../core/request-budget.ts';
import type { Side } from '../core/terms.ts';
import type { FeeSchedule, Invalid, VenueBook, VenueCatalogue, VenueChange } from './listing.ts';

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

// Our orders at a venue, in neutral words: what is sent, what is answered, and the fills. Types only; port.ts sends
// them.

export type Action = 'BUY' | 'SELL';

/** A limit order that fills at once as far as possible and leaves nothing resting. */
export interface OrderToPlace {
  /** Our own id at the venue: at most 64 characters of `A-Za-z0-9_-`. A repeated id means the same order there. */
  readonly ourId: string;
  readonly listingId: string;
  /** The part of the venue where the listing lives, if it has parts and that is known. */
  readonly part?: number;
  /** The highest fee of the listing, as it was planned with. */
  readonly fee?: FeeSchedule;
  readonly side: Side;
  readonly action: Action;
  /** A multiple of the venue's quantity step. */
  readonly quantityMicros: bigint;
  /** Price of the traded side: the highest for a buy, the lowest for a sell. */
  readonly limitPriceMicros: bigint;
  /** Maximum of cost and fees together, in micro-dollars; only if `takesCostBound`. */
  readonly maxCostMicros?: bigint;
  /** What a buy spends before fees, in micro-dollars; only if `takesDollars`. A better price then fills more than the quantity. */
  readonly spendMicros?: bigint;
  /** What `prepareOrder` made of it. */
  readonly prepared?: PreparedOrder;
  /** After this time the venue itself refuses the order. */
  readonly expiresAt: Date;
}

/** An order made ready for a venue that names orders by what they say. */
export interface PreparedOrder {
  /** The order's id at the venue, known before it is sent. */
  readonly venueRef: string;
  /** Exactly what is sent. */
  readonly payload: object;
}

/** The order does not fit what the venue takes in this market now, so it is not sent. */
export interface UnfitOrder {
  /** `unpaid`: our account there cannot pay it, or has not allowed the venue to take the money. */
  readonly unfit: 'below_minimum' | 'off_grid' | 'unpaid';
}

/** What was sent under an id of ours. Not every venue finds an order by our id alone, or says which side it was. */
export interface SentOrder {
  readonly listingId: string;
  readonly side: Side;
  readonly action: Action;
  /** The order's id at the venue, if it was known before the order was sent. */
  readonly venueRef?: string | undefined;
  /** When the attempt was recorded, by the database's clock; missing while it is being sent. */
  readonly sentAt?: Date | undefined;
}

export interface VenueFill {
  /** Unique at the venue. */
  readonly fillId: string;
  readonly ourId: string;
  readonly listingId: string;
  /** Above 0, in micro-contracts. */
  readonly quantityMicros: bigint;
  /** Price of the traded side, 0 to 1,000,000. */
  readonly priceMicros: bigint;
  /** Micro-dollars for the whole fill; null until the venue knows it. */
  readonly feeMicros: bigint | null;
  /** The part of the fee that the venue collects for us, in micro-dollars; missing where there is none. */
  readonly earnedMicros?: bigint;
  readonly occurredAt: Date;
}

export interface VenueOrder {
  readonly ourId: string;
  /** The order's id at the venue. */
  readonly venueOrderId: string;
  readonly listingId: string;
  /** `working` may still fill, `closed` cannot. */
  readonly state: 'working' | 'closed' | 'rejected';
  /** The venue's reason for a refusal; null otherwise. */
  readonly reason: string | null;
  readonly side: Side;
  readonly action: Action;
  readonly quantityMicros: bigint;
  /** The part of the venue where it is, if it has parts. */
  readonly part?: number;
  /** In the order of matching. */
  readonly fills: readonly VenueFill[];
}

/** Accepted or refused: in both cases the venue has decided. Every other result throws `VenueUnknown`. */
export type PlaceAnswer =
  | { readonly outcome: 'accepted'; readonly order: VenueOrder }
  | { readonly outcome: 'rejected'; readonly reason: string; readonly order: VenueOrder | null };

export type FoundOrder =
  | { readonly outcome: 'found'; readonly order: VenueOrder }
  /** `readOthers`: another order of ours was read in the same list, so the list works. */
  | { readonly outcome: 'not_found'; readonly readOthers?: boolean };

/** Called right before the first byte of an order is written. If it returns false, nothing is written. */
export type MayWrite = () => boolean;

// What a venue says of our account there, apart from its answers to single orders. Types only.

/** The account's position in a listing, with both sides netted. */
export interface VenuePosition {
  readonly listingId: string;
  readonly side: Side;
  /** Above 0, in micro-contracts. */
  readonly quantityMicros: bigint;
}

/** A resolved position that the venue pays once it is redeemed. */
export interface Redeemable {
  readonly listingId: string;
  /** Contracts of the side that pays, in micro-contracts. */
  readonly quantityMicros: bigint;
  /** Above 0, in millionths of a dollar. */
  readonly paysMicros: bigint;
}

/** A part of a venue that keeps collateral apart from its other parts. */
export interface AccountPart {
  readonly part: number;
  /** Cash of our account on this part, in millionths of a dollar. */
  readonly balanceMicros: bigint;
  /** The venue takes no orders on this part now. */
  readonly paused: boolean;
}

/** One line of what `doctor` says of our account at a venue. */
export interface AccountCheck {
  /** Such as `clock`, `key`, `scope`. */
  readonly name: string;
  readonly ok: boolean;
  readonly warning?: boolean;
  readonly detail: string;
}

/** The account of the service operator, in which all tenants trade. Every call may throw `VenueUnknown`. */
export interface VenueAccount {
  /** Whether contracts of both sides are kept apart; elsewhere a pair is returned as a dollar at once. */
  readonly keepsBothSides?: boolean;
  /** The time on the venue's clock. */
  serverTime(): Promise<Date>;
  /** Whether the venue takes no orders now, as during its maintenance; missing where it does not say. */
  tradingPaused?(): Promise<boolean>;
  /** Orders received or changed since then, by any sender, and all working orders. */
  ordersSince(since: Date): Promise<readonly VenueOrder[]>;
  /** Fills since then, of all orders. */
  fillsSince(since: Date): Promise<readonly VenueFill[]>;
  /** Of listings that are not resolved; a venue may keep a resolved one until it is redeemed. */
  positions(): Promise<readonly VenuePosition[]>;
  /** Cash, in millionths of a dollar. */
  balanceMicros(): Promise<bigint>;
  /** What we have on each part of the venue; missing where it has one place for money, empty if it does not say. */
  parts?(): Promise<readonly AccountPart[]>;
  /** What resolved positions pay as soon as they are redeemed, where the venue does not pay by itself. */
  redeemableMicros?(): Promise<bigint>;
  /** The positions of `redeemableMicros`. */
  redeemable?(): Promise<readonly Redeemable[]>;
  /** Of these listings, those whose result it has paid since then; it may name others too. */
  settledSince?(since: Date, among: readonly string[]): Promise<readonly string[]>;
  /** A switch at the venue itself: from now on it takes no order of ours. Missing where there is none. */
  halt?(): Promise<void>;
  /** Ends `halt`. */
  release?(): Promise<void>;
  /** Whether it can be traded with: clock, key, scope, balance, region. What does not answer is a line too. */
  inspect?(): Promise<readonly AccountCheck[]>;
  /** What no document of the venue settles, asked of the venue itself without an order. What does not answer is a line too. */
  verify?(): Promise<readonly AccountCheck[]>;
  /**
   * Follows our orders and fills as the venue pushes them; reconnects by itself. A push only hastens a look-up.
   * @param onChange ids of orders that changed, ours or the venue's; none if it is not known which
   */
  follow?(onChange: (ids: readonly string[]) => void): { close(): void };
}

export interface UnknownWord {
  /** What it is about, such as `market status`. */
  readonly about: string;
  /** The value, the field or the code; shortened. */
  readonly word: string;
  readonly seen: number;
}

/** Called with what is not known. */
export type Note = (about: string, word: string) => void;

const LONGEST = 80;
/** A venue that sends something new with every message cannot fill the memory. */
const MOST = 500;

/**
 * What a venue says that this release does not know: values, fields, errors. It loses nothing; each is kept once, with how often it was
 * seen, until somebody takes it to log and count it.
 */
export class Unknowns {
  readonly #words = new Map<string, UnknownWord>();

  readonly note: Note = (about, text) => {
    const word = text.slice(0, LONGEST);
    const key = `${about}\n${word}`;
    const known = this.#words.get(key);
    if (known !== undefined || this.#words.size < MOST) {
      this.#words.set(key, { about, word, seen: (known?.seen ?? 0) + 1 });
    }
  };

  /** What was seen since the last call. */
  take(): readonly UnknownWord[] {
    const words = [...this.#words.values()];
    this.#words.clear();
    return words;
  }
}
