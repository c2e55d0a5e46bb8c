/** How an emulated exchange is made to bring a live order into a state of the contract's table. */
import type { StateName } from '../proofs/order-states.ts';

/** The states that an exchange decides; the others are reached without it. */
export type VenueState = Exclude<
  StateName,
  'reserve_pending' | 'pending_venue_execution' | 'cancelled by the operator' | 'withdrawn by the service'
>;

export type Reach =
  | {
      /** Before the order is sent. */
      arm(): void;
      /** Levels of the asks after `arm`, if it changes the book. */
      readonly asks?: number;
      /** Once the exchange has the order. */
      advance?(): void;
      /** What becomes of the order after `calm`, if it was open. */
      readonly end?: 'filled' | 'cancelled';
    }
  /** Why an order at this exchange is never in the state. */
  | { readonly cannot: string };

export interface TransitionExchange {
  readonly venue: 'kalshi' | 'polymarket';
  readonly listingId: string;
  readonly environment: Record<string, string>;
  readonly reach: Readonly<Record<VenueState, Reach>>;
  /** `METHOD path` of the request that sends an order. */
  readonly sends: string;
  /** No fault, full books, everything that was matched is final. */
  calm(): void;
  /** Orders that the exchange took. */
  orders(): number;
  /** Micro-contracts of YES that our account holds. */
  held(): bigint;
  close(): Promise<void>;
}

/** More often than any test asks. */
export const ALWAYS = 100_000;

/** Levels of the asks after `calm`. */
export const CALM_ASKS = 3;
