/** The state of the emulated exchange as plain data: contracts with their books, and accounts with dollars, positions, orders and trades. */
import type { Action } from '../../core/terms.ts';
import type { Level } from '../../exchange/ladder.ts';

type ContractStatus = 'approved' | 'active' | 'closed' | 'under_review' | 'settled' | 'invalid';

export interface Contract {
  readonly symbol: string;
  readonly eventTicker: string;
  readonly title: string;
  readonly category: string;
  readonly rules: string;
  readonly strike: { readonly type: string; readonly value: string } | null;
  readonly expiresAt: Date;
  priceStep: bigint;
  quantityStep: bigint;
  quantityMinimum: bigint;
  /** The exchange does not state the steps of its prices and quantities. */
  gridless: boolean;
  status: ContractStatus;
  marketState: 'open' | 'closed';
  winner: 'yes' | 'no' | null;
  resolvedAt: Date | null;
  /** The exchange responds that the event does not exist. */
  vanished: boolean;
  /** Prices of YES, best first. */
  bids: Level[];
  asks: Level[];
  lastPrice: bigint | null;
}

export interface Trade {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly symbol: string;
  readonly side: Action;
  /** Price of the traded outcome. */
  readonly price: bigint;
  readonly count: bigint;
  readonly fee: bigint;
  readonly at: Date;
}

export interface Order {
  readonly orderId: bigint;
  /** Made by the exchange or the sender; null if the order carries none. */
  clientOrderId: string | null;
  /** The id that its sender gave it, for testers. A response has it only if the order carries it. */
  readonly sentId: string | null;
  readonly symbol: string;
  readonly side: Action;
  readonly outcome: 'yes' | 'no';
  readonly price: bigint;
  readonly count: bigint;
  readonly createdAt: Date;
  filled: bigint;
  /** Sum of price times count. */
  paid: bigint;
  status: 'open' | 'filled' | 'cancelled';
  endedAt: Date | null;
}

export const CLIENT_IDS = ['exchange', 'sender', 'none'] as const;
type ClientIds = (typeof CLIENT_IDS)[number];

interface Settled {
  readonly symbol: string;
  readonly position: bigint;
  readonly winner: 'yes' | 'no';
  readonly at: Date;
}

export interface Transfer {
  readonly eid: number;
  readonly type: 'Deposit' | 'Withdrawal' | 'Reward';
  readonly status: 'Complete' | 'Advanced' | 'Pending';
  readonly amount: bigint;
  readonly at: Date;
}

export interface Account {
  readonly keyId: string;
  readonly secret: string;
  cash: bigint;
  acceptedTerms: boolean;
  /** Micro-contracts: of YES above 0, of NO below. */
  readonly positions: Map<string, bigint>;
  readonly orders: Map<bigint, Order>;
  readonly trades: Trade[];
  readonly settled: Settled[];
  readonly transfers: Transfer[];
}

export interface ExchangeState {
  readonly contracts: Map<string, Contract>;
  /** Accounts by the id of their key. */
  readonly accounts: Map<string, Account>;
  /** The exchange's clock minus that of the machine. */
  clockAheadMs: number;
  /** Whether two requests of one key may carry the same nonce. */
  repeatsNonces: boolean;
  /** Whether trades of NO are listed at the price of YES. */
  tradesInYes: boolean;
  /** How much later than its order a trade is listed. */
  tradesLateMs: number;
  /** The id that new orders carry: one that the exchange makes, as was recorded, that of their sender, or none. */
  clientIds: ClientIds;
}

export function newState(): ExchangeState {
  return {
    contracts: new Map(),
    accounts: new Map(),
    clockAheadMs: 0,
    repeatsNonces: true,
    tradesInYes: false,
    tradesLateMs: 0,
    clientIds: 'exchange',
  };
}

/** The time at the exchange. */
export function timeOf(state: Pick<ExchangeState, 'clockAheadMs'>): Date {
  return new Date(Date.now() + state.clockAheadMs);
}
