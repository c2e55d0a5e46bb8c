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

/** The account of the service operator, in which all tenants trade. Every call may throw `VenueUnknown`. */
export interface VenueAccount {
  /** Whether contracts of both sides are kept apart; elsewhere a pair is returned as a dollar at once. */
  readonly keepsBothSides?: boolean;
  /** The time on the venue's clock. */
  serverTime(): Promise<Date>;
  /** Orders received or changed since then, by any sender, and all working orders. */
  ordersSince(since: Date): Promise<readonly VenueOrder[]>;
  /** Fills since then, of all orders. */
  fillsSince(since: Date): Promise<readonly VenueFill[]>;
  /** Of listings that are not resolved; a venue may keep a resolved one until it is redeemed. */
  positions(): Promise<readonly VenuePosition[]>;
  /** Cash, in millionths of a dollar. */
  balanceMicros(): Promise<bigint>;
  /** What resolved positions pay as soon as they are redeemed, where the venue does not pay by itself. */
  redeemableMicros?(): Promise<bigint>;
}
