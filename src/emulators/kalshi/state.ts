/** What the emulated exchange knows: markets with their books, and accounts with cash, positions, orders and fills. Plain data. */

/** One dollar, in the unit of every amount here. */
export const DOLLAR = 1_000_000n;
export type MarketStatus =
  | 'initialized'
  | 'active'
  | 'inactive'
  | 'closed'
  | 'determined'
  | 'disputed'
  | 'amended'
  | 'finalized';

export interface Level {
  /** Micro-dollars. */
  readonly price: bigint;
  /** Micro-contracts, above 0. */
  readonly count: bigint;
}

export interface Market {
  readonly ticker: string;
  readonly eventTicker: string;
  readonly title: string;
  readonly rules: string;
  /** Part of the exchange whose collateral pays its orders. */
  readonly exchangeIndex: number;
  /** The ids of the team and the player that it is about, by their kinds. */
  readonly customStrike: Readonly<Record<string, string>> | null;
  status: MarketStatus;
  openTime: Date;
  closeTime: Date;
  result: '' | 'yes' | 'no' | 'scalar';
  /** Of a contract of YES, micro-dollars; null until there is a result. */
  settlementValue: bigint | null;
  settledAt: Date | null;
  /** Steps of prices, micro-dollars. */
  tick: bigint;
  /** Until then it costs no fee. */
  feeWaivedUntil: Date | null;
  /** The lowest value that YES can settle at, where that may be raised before the end. */
  settlementFloor: bigint | null;
  /** Bids only, highest first, of YES and of NO. */
  yesBids: Level[];
  noBids: Level[];
  volume: bigint;
  lastPrice: bigint | null;
  /** The exchange says that there is no such market. */
  vanished: boolean;
  /** When anything but its trades and book changed. */
  updatedAt: Date;
}

/** A team or a player. */
export interface Target {
  readonly name: string;
  readonly type: string;
  readonly imageUrl: string | null;
}

export interface Fill {
  readonly subaccount: number;
  readonly fillId: string;
  readonly orderId: string;
  readonly ticker: string;
  readonly exchangeIndex: number;
  readonly side: 'bid' | 'ask';
  readonly count: bigint;
  readonly yesPrice: bigint;
  readonly fee: bigint;
  readonly at: Date;
}

export interface Order {
  readonly subaccount: number;
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly ticker: string;
  readonly exchangeIndex: number;
  readonly side: 'bid' | 'ask';
  readonly yesPrice: bigint;
  readonly count: bigint;
  filled: bigint;
  status: 'resting' | 'canceled' | 'executed';
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface Settlement {
  readonly ticker: string;
  /** Net contracts that were held; below 0 they were of NO. */
  readonly held: bigint;
  readonly paid: bigint;
  readonly at: Date;
}

export interface OrderGroup {
  /** The part on which it lives. */
  readonly exchangeIndex: number;
  /** Micro-contracts in 15 seconds. */
  limit: bigint;
  triggered: boolean;
  matched: readonly { readonly at: number; readonly count: bigint }[];
}

/** The account of one API key, or one of its subaccounts. */
export interface Account {
  /** 0 is the primary one. */
  readonly subaccount: number;
  /** Micro-dollars on each part of the exchange. */
  readonly cash: Map<number, bigint>;
  /** Micro-contracts; below 0 they are of NO. */
  readonly positions: Map<string, bigint>;
  readonly orders: Map<string, Order>;
  readonly fills: Fill[];
  readonly groups: Map<string, OrderGroup>;
  /** What was paid for results. */
  readonly settlements: Settlement[];
  /** Percent of its cash that the exchange keeps on each part; empty: it moves none. */
  allocation: ReadonlyMap<number, number>;
  /** What its key may do. */
  readonly scopes: readonly string[];
  /** After it the key cannot trade what some regions restrict. */
  readonly regionExpiresAt: Date | undefined;
}

/** What events of one kind have in common. */
export interface Series {
  readonly category: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly feeType: string;
  readonly feeMultiplier: number;
  readonly updatedAt: Date;
}

/** What an event has instead of its series. */
export interface EventTerms {
  /** Deprecated; undefined: the event does not say it. */
  readonly category?: string | undefined;
  readonly feeType?: string | undefined;
  readonly feeMultiplier?: number | undefined;
  readonly updatedAt: Date;
}

/** A fee that is announced for a series or an event; of an event, null clears what it has. */
export interface FeeChange {
  readonly id: string;
  readonly ticker: string;
  readonly feeType: string | null;
  readonly feeMultiplier: number | null;
  readonly at: Date;
}

export interface ExchangeState {
  readonly markets: Map<string, Market>;
  /** Those of which a tester said something. */
  readonly series: Map<string, Series>;
  readonly events: Map<string, EventTerms>;
  /** Teams and players by their ids. */
  readonly targets: Map<string, Target>;
  readonly feeChanges: FeeChange[];
  /** By the id of the key; a subaccount by `accountName`. */
  readonly accounts: Map<string, Account>;
  tradingActive: boolean;
  /** Parts of the exchange on which trading is paused while it goes on elsewhere. */
  readonly pausedParts: Set<number>;
  /** The exchange's clock minus that of the machine. */
  clockAheadMs: number;
  /** What a tester set in place of `cutoffOf`. */
  readonly cutoffs: Map<ArchivedList, Date>;
  tier: Tier;
  /** Tokens of writes that are left on each part, since a time. */
  readonly writes: Map<number, { left: number; at: number }>;
}

/** Of the exchange itself: combinations are on 1, crypto on 2, tennis and baseball on 3, the rest on 0. */
export const PARTS = [0, 1, 2, 3] as const;

export function addCash(account: Account, part: number, amount: bigint): void {
  account.cash.set(part, (account.cash.get(part) ?? 0n) + amount);
}

export const ARCHIVED_LISTS = ['orders', 'trades', 'markets', 'positions'] as const;
export type ArchivedList = (typeof ARCHIVED_LISTS)[number];

const DAY_MS = 86_400_000;
const LIVE_DAYS: Readonly<Record<ArchivedList, number>> = { orders: 14, trades: 90, markets: 90, positions: 90 };

/** What ended before is in the historical list alone. Each list has its own, which moves by itself. */
export function cutoffOf({ cutoffs, clockAheadMs }: ExchangeState, list: ArchivedList): Date {
  return cutoffs.get(list) ?? new Date(Date.now() + clockAheadMs - LIVE_DAYS[list] * DAY_MS);
}

/** How many requests an account may make. Its writes are counted where a tester wants that. */
export interface Tier {
  readonly name: string;
  readonly readPerSecond: number;
  readonly writePerSecond: number;
  /** The most that a bucket of writes holds. */
  readonly writeBurst: number;
  readonly enforced: boolean;
}

export function newAccount(
  cash: bigint,
  {
    scopes = ['read', 'write'],
    regionExpiresAt,
    subaccount = 0,
  }: {
    readonly scopes?: readonly string[] | undefined;
    readonly regionExpiresAt?: Date | undefined;
    readonly subaccount?: number;
  } = {},
): Account {
  const empty = { positions: new Map(), orders: new Map(), fills: [], settlements: [], groups: new Map() };
  return { subaccount, scopes, regionExpiresAt, cash: new Map([[0, cash]]), allocation: new Map(), ...empty };
}

const BASIC: Tier = { name: 'basic', readPerSecond: 200, writePerSecond: 100, writeBurst: 100, enforced: false };

export function newState(): ExchangeState {
  return {
    markets: new Map(),
    series: new Map(),
    events: new Map(),
    feeChanges: [],
    targets: new Map(),
    accounts: new Map(),
    tradingActive: true,
    pausedParts: new Set(),
    clockAheadMs: 0,
    cutoffs: new Map(),
    tier: BASIC,
    writes: new Map(),
  };
}
