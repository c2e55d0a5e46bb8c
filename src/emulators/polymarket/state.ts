/**
 * The state of the emulated exchange as plain data: markets with their books, which are read and changed from the side of either token,
 * and wallets with dollars, shares, orders and trades.
 */
import { DOLLAR, type Level } from '../../exchange/ladder.ts';

type OracleStatus = 'proposed' | 'disputed' | 'resolved';

export interface Market {
  readonly conditionId: string;
  readonly eventId: string;
  readonly title: string;
  readonly rules: string;
  readonly outcomes: readonly [string, string];
  readonly tokens: readonly [string, string];
  readonly closeTime: Date;
  tick: bigint;
  minimum: bigint;
  readonly negRisk: boolean;
  /** Version of the protocol, which decides the ids of the outcomes and the contract that trades them. */
  readonly protocol: 'v1' | 'v2';
  /** Rate of takers, in millionths. */
  feeRate: bigint;
  /** The exchange responds that the market does not exist; `catalogue`: only the catalogue does, as for an archived one. */
  vanished: boolean | 'catalogue';
  closed: boolean;
  acceptingOrders: boolean;
  /** The oracle's state; null before anything was proposed. */
  oracle: OracleStatus | null;
  readonly oracleHistory: OracleStatus[];
  /** Micro-dollars that a share of each outcome pays; null until the market is resolved. */
  payout: readonly [bigint, bigint] | null;
  closedAt: Date | null;
  /** Prices and shares of the first outcome, best first. */
  bids: Level[];
  asks: Level[];
  lastPrice: bigint | null;
}

export interface MakerPart {
  readonly orderId: string;
  /** Price of the traded token. */
  readonly price: bigint;
  readonly count: bigint;
}

export interface Trade {
  readonly id: string;
  readonly orderHash: string;
  readonly market: Market;
  readonly token: string;
  readonly side: 'BUY' | 'SELL';
  readonly parts: readonly MakerPart[];
  /** Sum that the taker pays in addition to the price. */
  readonly fee: bigint;
  /** The part of the fee that the builder earns. */
  readonly builderFee: bigint;
  readonly builder: string;
  readonly at: Date;
  /** Shown once the trade is mined. */
  readonly transactionHash: string;
  status: 'MATCHED_NOT_BROADCASTED' | 'MATCHED' | 'MINED' | 'CONFIRMED' | 'FAILED';
  readonly minedAt: number;
  readonly finalAt: number;
  readonly fails: boolean;
}

export interface Order {
  readonly hash: string;
  readonly market: Market;
  readonly token: string;
  readonly side: 'BUY' | 'SELL';
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly type: 'GTC' | 'GTD' | 'FOK' | 'FAK';
  readonly createdAt: Date;
  matched: bigint;
  status: 'LIVE' | 'DELAYED' | 'MATCHED' | 'CANCELED';
  readonly trades: string[];
  /** When a delayed order is matched. */
  readonly matchesAt: number;
  readonly mostCount: bigint | undefined;
  readonly builder: string;
  readonly tradesFail: boolean;
}

export interface Credentials {
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** Dollars that moved apart from trades. */
export interface Activity {
  readonly type: string;
  readonly amount: bigint;
  readonly transactionHash: string;
  readonly at: Date;
}

/** The wallet of one signer. Addresses are in lower case. */
export interface Account {
  readonly signer: string;
  /** The address that holds the money. */
  readonly funder: string;
  readonly signatureType: number;
  /** Made for the signer. */
  credentials: Credentials | null;
  /** Made for the deposit wallet itself. */
  walletCredentials: Credentials | null;
  /**
   * The API key that orders of a deposit wallet need: the owner's, the owner's once the exchange has read the wallet's balance, or the
   * wallet's own.
   */
  readonly apiKeyBinding: 'owner' | 'owner_after_update' | 'wallet';
  /** The exchange has read the wallet's balance for its owner. */
  linked: boolean;
  /** Whether the exchange's redeemer may take the shares of resolved markets, which it then pays. */
  readonly redeemer: boolean;
  /** The account may close positions and open none. */
  readonly closedOnly: boolean;
  /** The orders and cancellations that were left at a time. */
  counted: Partial<Record<'orders' | 'cancels', { readonly left: number; readonly at: number }>>;
  /** Micro-dollars, without those that trades which are not final have taken. */
  cash: bigint;
  /** Dollars, and shares, that the wallet allows each contract of the exchange to take. */
  allowance: bigint;
  /** The amount that the retired adapter may take, which still limits orders in markets that exclude each other. */
  adapterAllowance: bigint;
  /** Micro-shares by token, without those that sales which are not final have taken. */
  readonly shares: Map<string, bigint>;
  readonly orders: Map<string, Order>;
  readonly trades: Trade[];
  readonly activity: Activity[];
}

/** The limits of requests of each signer. */
interface Limits {
  readonly tier: string;
  readonly orders: { readonly perSecond: number; readonly atOnce: number };
  readonly cancels: { readonly perSecond: number; readonly atOnce: number };
  /** If false, a request beyond the limit is accepted with a warning. */
  readonly enforced: boolean;
}

const STANDARD: Limits = {
  tier: 'standard',
  orders: { perSecond: 40, atOnce: 60 },
  cancels: { perSecond: 80, atOnce: 120 },
  enforced: false,
};

export interface ExchangeState {
  /** Rate of each builder for takers, in basis points of the dollars, by its code. */
  readonly builders: Map<string, bigint>;
  limits: Limits;
  /** How long after the end of a market the redeemer pays. */
  redeemMs: number;
  readonly markets: Map<string, Market>;
  readonly accounts: Map<string, Account>;
  /** `restricted`: the exchange takes no orders from the place of the caller. */
  trading: 'open' | 'cancel_only' | 'post_only' | 'disabled' | 'restricted';
  /** The versions of the data API that respond. */
  dataVersions: readonly ('v1' | 'v2')[];
  /** Time from the match of a trade until it is mined, and until it is final. */
  minedMs: number;
  finalMs: number;
  /** The exchange's clock minus that of the machine. */
  clockAheadMs: number;
}

/** The time at the exchange. */
export function timeOf(state: Pick<ExchangeState, 'clockAheadMs'>): Date {
  return new Date(Date.now() + state.clockAheadMs);
}

export function newState(): ExchangeState {
  return {
    builders: new Map(),
    limits: STANDARD,
    redeemMs: 0,
    markets: new Map(),
    accounts: new Map(),
    trading: 'open',
    dataVersions: ['v2'],
    minedMs: 200,
    finalMs: 600,
    clockAheadMs: 0,
  };
}

export function marketOfToken(state: ExchangeState, token: string): Market | undefined {
  return [...state.markets.values()].find(({ tokens }) => tokens.includes(token));
}

const mirrored = (levels: readonly Level[]): Level[] =>
  levels.map(({ price, count }) => ({ price: DOLLAR - price, count }));

/** The book from the side of one token, best first: a buy of one outcome is a sale of the other at the complement. */
export function bookOf(
  market: Market,
  token: string,
): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
  return token === market.tokens[0] ? market : { bids: mirrored(market.asks), asks: mirrored(market.bids) };
}
