/**
 * The port of a venue, which every adapter implements: catalogue, books, orders by our own id, fills, fees and our account there. It
 * contains no money rule, tenant or table. An adapter parses responses strictly: one that does not match becomes evidence (`Invalid`) and
 * is never coerced.
 */
import type { RequestBucket, RequestKind } from '../core/request-budget.ts';
import type { Side } from '../core/terms.ts';
import type { FeeSchedule, Invalid, VenueBook, VenueCatalogue, VenueChange } from './listing.ts';

export interface Venue {
  readonly name: string;
  /** Whether `not_found` of `findOrder` proves that the venue never received the order. */
  readonly lookupIsComplete: boolean;
  /**
   * Whether an order may come back without our id. The venue's own id is then stored as soon as it is known, and identifies the order from
   * then on.
   */
  readonly mayOmitOurId?: boolean;
  /** Whether `maxCostMicros` is honoured. */
  readonly takesCostBound: boolean;
  /** Whether a buy names the dollars that it spends, so that a better price fills more than the ordered quantity. */
  readonly takesDollars?: boolean;
  /** Quantities are multiples of this, in micro-contracts. */
  readonly quantityStepMicros: bigint;
  /** Smallest quantity of one order, in micro-contracts. */
  readonly minimumQuantityMicros: bigint;
  /** How many requests the venue's documents allow for our account; all workers share them. */
  readonly limits: readonly RequestBucket[];
  /** The limits that the venue reports for our account, which replace `limits`: the same buckets in the same order. @throws VenueUnknown */
  readLimits?(): Promise<readonly RequestBucket[]>;
  /** Registers a listener that receives how many requests of a kind the venue still accepts, as its responses report. */
  onRequestsLeft?(told: (left: RequestsLeft) => void): void;
  /** Smallest amount of one buy, in cents. */
  readonly minimumAmountMinor: bigint;
  /** The fee of an order is rounded up to a multiple of this, in micro-dollars; missing if it is not rounded. */
  readonly feeStepMicros?: bigint;

  /**
   * All listings, also those resolved in the last days.
   * @param held listings that are returned in any case, with their result, even if the venue no longer lists them
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
   * Checks whether an order can be sent, and sends nothing. If the venue's id of an order follows from its content, the order is also
   * made ready, so that the id can be stored before it is sent.
   * @returns null if the order can be sent and nothing must be stored
   * @throws VenueUnknown if facts that the order needs cannot be read
   */
  prepareOrder?(order: Omit<OrderToPlace, 'expiresAt' | 'prepared'>): Promise<PreparedOrder | UnfitOrder | null>;
  /**
   * Sends the order once; an adapter never repeats it.
   * @param mayWrite called right before the first byte is written; if it returns false, nothing is written
   * @throws VenueUnknown, with `notTaken` if the venue certainly has no such order
   */
  placeOrder(order: OrderToPlace, mayWrite: MayWrite): Promise<PlaceAnswer>;
  /**
   * Looks an order up by our id.
   * @param sent the order as it was sent under this id, if known
   * @throws VenueUnknown
   */
  findOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder>;
  /**
   * All fills of our order so far, from the list of fills if the venue has one apart from its orders; empty for an unknown order.
   * @throws VenueUnknown
   */
  fills(ourId: string, sent?: SentOrder): Promise<readonly VenueFill[]>;
  /** Cancels the rest of a working order and returns the order after that. @throws VenueUnknown */
  cancelOrder(ourId: string, sent?: SentOrder): Promise<FoundOrder>;
  /** @returns null if the venue has no such listing. @throws VenueUnknown */
  feeSchedule(listingId: string): Promise<FeeSchedule | null>;
  /** Unknown words in the venue's responses since the last call; missing for our own venues. */
  unknowns?(): readonly UnknownWord[];
  close(): Promise<void>;
}

/** Finds the current address of a venue; undefined while it is not known. Called again at every reconnection. */
export type Locate = (name: string) => Promise<string | undefined>;

export interface WatchHandlers {
  /** Books that changed, in batches, and every book once after each connection. */
  books(books: readonly VenueBook[]): void;
  changes(changes: readonly VenueChange[]): void;
  /** All books that did not change are current as of `at`. Called about once per second while the connection is complete. */
  confirmed(at: Date): void;
  /** All books are available again. The caller must read the catalogue, because changes may have been missed. */
  up(): void;
  down(reason: string): void;
  invalid(evidence: Invalid): void;
}

export interface Watch {
  readonly connected: boolean;
  close(): Promise<void>;
}

/** How many requests of one kind a venue accepts now. */
export interface RequestsLeft {
  readonly kind: RequestKind;
  /** Negative if the last request itself exceeded the limit. */
  readonly left: number;
  /** How long no further request of the kind is accepted. */
  readonly waitMs: number;
}

export type Action = 'BUY' | 'SELL';

/** A limit order that fills immediately as far as possible and leaves nothing resting. */
export interface OrderToPlace {
  /** Our own id at the venue: at most 64 characters of `A-Za-z0-9_-`. The venue takes a repeated id for the same order. */
  readonly ourId: string;
  readonly listingId: string;
  /** The part of the venue where the listing lives, if it has parts and that is known. */
  readonly part?: number;
  /** The highest fee of the listing, with which the order was planned. */
  readonly fee?: FeeSchedule;
  readonly side: Side;
  readonly action: Action;
  /** A multiple of the venue's quantity step. */
  readonly quantityMicros: bigint;
  /** Worst price of the traded side: the highest for a buy, the lowest for a sell. */
  readonly limitPriceMicros: bigint;
  /** Maximum of cost and fees together, in micro-dollars; only if `takesCostBound`. */
  readonly maxCostMicros?: bigint;
  /** Amount that a buy spends before fees, in micro-dollars; only if `takesDollars`. A better price then fills more than the quantity. */
  readonly spendMicros?: bigint;
  /** The result of `prepareOrder`, if it was stored. */
  readonly prepared?: PreparedOrder;
  /** After this time the venue itself refuses the order. */
  readonly expiresAt: Date;
}

/** An order made ready for a venue whose order ids follow from their content. */
export interface PreparedOrder {
  /** The order's id at the venue, known before it is sent. */
  readonly venueRef: string;
  /** The exact payload that is sent. */
  readonly payload: object;
  /** The terms on which the fees of its fills depend, in the adapter's own form. */
  readonly terms: string;
}

/** The venue would not accept the order in this market now, so it is not sent. */
export interface UnfitOrder {
  /** `unpaid`: our account there cannot pay the order, or has not allowed the venue to take the money. */
  readonly unfit: 'below_minimum' | 'off_grid' | 'unpaid';
}

/** The order that was sent under our id. Not every venue finds an order by our id alone, or reports its side. */
export interface SentOrder {
  readonly listingId: string;
  readonly side: Side;
  readonly action: Action;
  /** The order's id at the venue, if it is known: before the order was sent, or since the venue responded. */
  readonly venueRef?: string | undefined;
  /** The terms with which it was prepared; the current ones count if they are missing. */
  readonly terms?: string | undefined;
  /** When the attempt was recorded, by the clock of the database; missing while it is being sent. */
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
  /** The part of the fee that the venue collects for us, in micro-dollars; missing if it collects none. */
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

/** The venue has decided, either way. Every other result throws `VenueUnknown`. */
export type PlaceAnswer =
  | {
      readonly outcome: 'accepted';
      readonly order: VenueOrder;
      /** The fills that a second source of the venue confirms, for example its response and its stream; missing if there was only one. */
      readonly confirmed?: readonly VenueFill[];
    }
  | { readonly outcome: 'rejected'; readonly reason: string; readonly order: VenueOrder | null };

export type FoundOrder =
  | { readonly outcome: 'found'; readonly order: VenueOrder }
  /** `readOthers`: the same list showed another order of ours, so the list works. */
  | { readonly outcome: 'not_found'; readonly readOthers?: boolean }
  /** No order carries our id, and each of these, which carry none of ours, could be this one (`unnamed-orders.ts`). */
  | { readonly outcome: 'unnamed'; readonly orders: readonly UnnamedOrder[]; readonly readOthers: boolean };

/** An order at a venue that carries no id of ours, with its terms as the venue shows them. */
export interface UnnamedOrder {
  readonly venueOrderId: string;
  readonly listingId: string;
  readonly side: Side;
  readonly action: Action;
  readonly quantityMicros: bigint;
  /** Worst price of the traded side; null if the venue does not show it. */
  readonly limitPriceMicros: bigint | null;
  /** By the venue's clock. */
  readonly madeAt: Date;
  /** Its filled quantity and average price; null while it may still fill. */
  readonly filled: { readonly quantityMicros: bigint; readonly priceMicros: bigint | null } | null;
}

/** @returns false if the order must not be written any more */
export type MayWrite = () => boolean;

/** Our position in one side of a listing. A venue that does not keep both sides apart reports at most one side of a listing. */
export interface VenuePosition {
  readonly listingId: string;
  readonly side: Side;
  /** Above 0, in micro-contracts. */
  readonly quantityMicros: bigint;
}

/** A resolved position that the venue pays when it is redeemed. */
export interface Redeemable {
  readonly listingId: string;
  /** Quantity of the side that pays, in micro-contracts. */
  readonly quantityMicros: bigint;
  /** Above 0, in millionths of a dollar. */
  readonly paysMicros: bigint;
}

/** Cash of our account that moved otherwise than by an order or a result. */
export interface VenueTransfer {
  /** Unique at the venue among those of its kind. */
  readonly id: string;
  /** `return`: a deposit or withdrawal that the bank sent back. `rebate`: fees that come back. `reward`: other payments of the venue. */
  readonly kind: 'deposit' | 'withdrawal' | 'return' | 'rebate' | 'reward';
  /** Micro-dollars by which our balance changed; below 0 they were taken out. */
  readonly amountMicros: bigint;
  /** When the balance changed. */
  readonly at: Date;
  /** Whether the venue has not completed it, so that the balance may have changed by it or not. */
  readonly pending: boolean;
}

/** A part of a venue that keeps collateral apart from its other parts. */
export interface AccountPart {
  readonly part: number;
  /** Cash of our account on this part, in millionths of a dollar. */
  readonly balanceMicros: bigint;
  /** Whether the venue accepts no orders on this part now. */
  readonly paused: boolean;
}

/** One line of `doctor` about our account at a venue. */
export interface AccountCheck {
  /** For example `clock`, `key` or `scope`. */
  readonly name: string;
  readonly ok: boolean;
  readonly warning?: boolean;
  readonly detail: string;
}

/** The account of the service operator, through which all tenants trade. Every call may throw `VenueUnknown`. */
export interface VenueAccount {
  /** Whether contracts of both sides are kept apart; otherwise a pair becomes a dollar immediately. */
  readonly keepsBothSides?: boolean;
  /**
   * By how much the fee of a fill may differ from the fee that we calculate, in micro-dollars, because no document states how the venue
   * rounds it; missing if the venue reports the fee.
   */
  readonly feeErrorMicros?: bigint;
  /** The time on the venue's clock. */
  serverTime(): Promise<Date>;
  /** Whether the venue accepts no orders now, for example during maintenance; missing if it does not report that. */
  tradingPaused?(): Promise<boolean>;
  /** Everything before this time is in the lists and positions of our account; missing if the venue does not report it. */
  listsAsOf?(): Promise<Date>;
  /** Orders of any sender that were received or changed since then, and all working orders. */
  ordersSince(since: Date): Promise<readonly VenueOrder[]>;
  /** Fills of all orders since then. */
  fillsSince(since: Date): Promise<readonly VenueFill[]>;
  /** Positions in listings that are not resolved; a venue may keep a resolved one until it is redeemed. */
  positions(): Promise<readonly VenuePosition[]>;
  /** Cash, in millionths of a dollar. */
  balanceMicros(): Promise<bigint>;
  /**
   * Cash that was paid in or out since then apart from trading, as the venue lists it, and pending payments; the list may contain others.
   * Missing if the venue lists none.
   */
  transfersSince?(since: Date): Promise<readonly VenueTransfer[]>;
  /** Our cash on each part of the venue; missing if it keeps all money in one place, empty if it reports none. */
  parts?(): Promise<readonly AccountPart[]>;
  /** Amount that resolved positions pay when they are redeemed; missing if the venue pays by itself. */
  redeemableMicros?(): Promise<bigint>;
  /** The positions of `redeemableMicros`. */
  redeemable?(): Promise<readonly Redeemable[]>;
  /** The listings among these whose result the venue has paid since then; the list may contain others. */
  settledSince?(since: Date, among: readonly string[]): Promise<readonly string[]>;
  /** Makes the venue itself refuse our orders from now on; missing if it has no such switch. */
  halt?(): Promise<void>;
  /** Ends `halt`. */
  release?(): Promise<void>;
  /** Checks whether the account can trade: clock, key, scope, balance, region. A check without a response is a line too. */
  inspect?(): Promise<readonly AccountCheck[]>;
  /** Checks facts that the venue's documents leave open, without an order. A check without a response is a line too. */
  verify?(): Promise<readonly AccountCheck[]>;
  /**
   * Follows our orders and fills as the venue pushes them; reconnects by itself. A push only triggers an earlier look-up.
   * @param onChange receives ids of orders that changed, ours or the venue's; empty if the push does not name them
   */
  follow?(onChange: (ids: readonly string[]) => void): { close(): void };
}

/** Whether an order's id at a venue is one that this service made: `att_` and the time at which it was made. */
export function isOurId(id: string): boolean {
  return /^att_[0-9a-f]{12}/.test(id);
}

/** The longest delay that a venue can request. After it, the venue is called again and may request another one (contract 19.8). */
const LONGEST_WAIT_MS = 120_000;

/**
 * The outcome of a call is unknown: a timeout, a reset, a status of 500 or above, or a response that cannot be parsed. After `placeOrder`
 * the venue may have the order, and only a look-up by our id can show whether it does.
 */
export class VenueUnknown extends Error {
  override name = 'VenueUnknown';
  readonly venue: string;
  /** The response that was received, if any. */
  readonly evidence: Invalid | null;
  /**
   * True if the venue certainly did not process the request: it never left this machine, or the venue refused to
   * process it.
   */
  readonly notTaken: boolean;
  /** The delay that the venue requests before the next call, at most `LONGEST_WAIT_MS`. */
  readonly retryAfterMs: number | null;
  /** Status of the HTTP response, if any. */
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

export interface UnknownWord {
  /** The subject of the word, for example `market status`. */
  readonly about: string;
  /** The value, field or code; shortened. */
  readonly word: string;
  readonly seen: number;
}

/**
 * Notes an unknown word.
 * @param about the subject of the word, for example `market status`
 */
export type Note = (about: string, word: string) => void;

const LONGEST_WORD = 80;
/** Limits the memory that a venue can fill with ever new words. */
const MOST_WORDS = 500;

/**
 * Values, fields and errors of a venue that this release does not know. Each is kept once, with the number of times it was seen, until
 * it is taken to be logged and counted.
 */
export class Unknowns {
  readonly #words = new Map<string, UnknownWord>();

  readonly note: Note = (about, text) => {
    const word = text.slice(0, LONGEST_WORD);
    const key = `${about}\n${word}`;
    const known = this.#words.get(key);
    if (known !== undefined || this.#words.size < MOST_WORDS) {
      this.#words.set(key, { about, word, seen: (known?.seen ?? 0) + 1 });
    }
  };

  /** The words that were seen since the last call. */
  take(): readonly UnknownWord[] {
    const words = [...this.#words.values()];
    this.#words.clear();
    return words;
  }
}
