/** What a venue says of our account there, apart from its answers to single orders. Types only. */
import type { Side } from '../core/terms.ts';
import type { VenueFill, VenueOrder } from './order.ts';

/** What the account holds of a listing, both sides set off against each other. */
export interface VenuePosition {
  readonly listingId: string;
  readonly side: Side;
  /** Above 0, micro-contracts. */
  readonly quantityMicros: bigint;
}

/** The account of the service operator, in which all tenants trade. Every call throws `VenueUnknown`. */
export interface VenueAccount {
  /** The venue's clock. */
  serverTime(): Promise<Date>;
  /** Orders received or changed since then, whoever sent them, and all that still work. */
  ordersSince(since: Date): Promise<readonly VenueOrder[]>;
  /** Fills since then, whoever's order they are of. */
  fillsSince(since: Date): Promise<readonly VenueFill[]>;
  /** Of listings that are not resolved. */
  positions(): Promise<readonly VenuePosition[]>;
  /** Cash, in millionths of a dollar. */
  balanceMicros(): Promise<bigint>;
}
