/** What a venue says of our account there, apart from its answers to single orders. Types only. */
import type { Side } from '../core/terms.ts';
import type { VenueFill, VenueOrder } from './order.ts';

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
