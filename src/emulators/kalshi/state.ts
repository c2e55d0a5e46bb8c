/** The state of the emulated exchange as plain data: markets with their books, series, events and announced fees, and accounts with cash, positions, orders and fills. */
import type { Level } from '../../exchange/ladder.ts';

type MarketStatus =
  | 'initialized'
  | 'active'
  | 'inactive'
  | 'closed'
  | 'determined'
  | 'disputed'
  | 'amended'
  | 'finalized';

export interface Market {
  readonly ticker: string;
  readonly eventTicker: string;
  readonly title: string;
  readonly rules: string;
  /** Part of the exchange whose collateral pays its orders. */
  readonly exchangeIndex: number;
  /** Ids of the teams and players that it is about, by their kinds. */
  readonly customStrike: Readonly<Record<string, string>> | null;
  status: MarketStatus;
  openTime: Date;
  closeTime: Date;
  result: '' | 'yes' | 'no' | 'scalar';
  /** Value of a contract of YES, micro-dollars; null until there is a result. */
  settlementValue: bigint | null;
  settledAt: Date | null;
  /** Steps of prices, micro-dollars. */
  tick: bigint;
  /** Trades before then cost no fee. */
  feeWaivedUntil: Date | null;
  /** The lowest value at which YES can still settle, if the exchange raised it before the end. */
  settlementFloor: bigint | null;
  /** Bids only, highest first, of YES and of NO. */
  yesBids: Level[];
  noBids: Level[];
  volume: bigint;
  lastPrice: bigint | null;
  /** The exchange responds that the market does not exist. */
  vanished: boolean;
  /** Time of its last change, apart from trades and its book. */
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
  /** Net contracts that were held; below 0 they are of NO. */
  readonly held: bigint;
  readonly paid: bigint;
  readonly at: Date;
}

/** Money that was paid in or out by the bank. */
export interface CashMove {
  readonly id: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly status: 'pending' | 'applied' | 'failed' | 'returned';
  /** Micro-dollars in whole cents, like the fee. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly at: Date;
}

export interface OrderGroup {
  /** The part of the exchange that keeps it. */
  readonly exchangeIndex: number;
  /** Micro-contracts that may be matched in 15 seconds. */
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
  /** Payments for results. */
  readonly settlements: Settlement[];
  readonly cashMoves: CashMove[];
  /** Percent of the cash that the exchange keeps on each part; if empty, it moves none. */
  allocation: ReadonlyMap<number, number>;
  /** The only subaccount that its key may use; undefined if the key is not restricted. */
  readonly lockedTo: number | undefined;
  /** Rights of its key. */
  readonly scopes: readonly string[];
  /** After this time the key cannot trade markets that some regions restrict. */
  readonly regionExpiresAt: Date | undefined;
}

/** Terms that the events of one kind have in common. */
export interface Series {
  readonly category: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly feeType: string;
  readonly feeMultiplier: number;
  readonly updatedAt: Date;
}

/** Terms of an event that override those of its series. */
interface EventTerms {
  /** Deprecated; undefined if the event does not have it. */
  readonly category?: string | undefined;
  readonly feeType?: string | undefined;
  readonly feeMultiplier?: number | undefined;
  readonly updatedAt: Date;
}

/** A fee that is announced for a series or an event. For an event, null removes its own fee. */
export interface FeeChange {
  readonly id: string;
  readonly ticker: string;
  readonly feeType: string | null;
  readonly feeMultiplier: number | null;
  readonly at: Date;
}

export interface ExchangeState {
  readonly markets: Map<string, Market>;
  /** Those that a tester has changed. */
  readonly series: Map<string, Series>;
  readonly events: Map<string, EventTerms>;
  /** Teams and players by their ids. */
  readonly targets: Map<string, Target>;
  readonly feeChanges: FeeChange[];
  /** By the id of the key; a subaccount by `accountName`. */
  readonly accounts: Map<string, Account>;
  /** The older state that lists, positions and balances still show; undefined while they are current. */
  staleReads: { readonly asOf: Date; readonly accounts: ExchangeState['accounts'] } | undefined;
  tradingActive: boolean;
  /** Whether refusals have the form of the exchange's documents. */
  flatRefusals: boolean;
  /** Parts of the exchange on which trading is paused while it goes on elsewhere. */
  readonly pausedParts: Set<number>;
  /** The exchange's clock minus that of the machine. */
  clockAheadMs: number;
  /** Dates that a tester set in place of the usual ones, see `cutoffOf`. */
  readonly cutoffs: Map<ArchivedList, Date>;
  tier: Tier;
  /** Budget for writes that was left on each part at a time. */
  readonly writes: Map<number, { left: number; at: number }>;
}

/** Parts of the exchange. It keeps combinations on 1, crypto on 2, tennis and baseball on 3, and the rest on 0. */
export const PARTS = [0, 1, 2, 3] as const;

/** @param number of the subaccount; 0 is the primary account. @returns its name in `accounts` */
export function accountName(keyId: string, number = 0): string {
  return number === 0 ? keyId : `${keyId}/${number}`;
}

/** All accounts of a key, including the primary one. */
export function accountsOf({ accounts }: ExchangeState, keyId: string): Account[] {
  return [...accounts].filter(([name]) => name === keyId || name.startsWith(`${keyId}/`)).map(([, account]) => account);
}

export function addCash(account: Account, part: number, amount: bigint): void {
  account.cash.set(part, (account.cash.get(part) ?? 0n) + amount);
}

export const ARCHIVED_LISTS = ['orders', 'trades', 'markets', 'positions'] as const;
export type ArchivedList = (typeof ARCHIVED_LISTS)[number];

const DAY_MS = 86_400_000;
const LIVE_DAYS: Readonly<Record<ArchivedList, number>> = { orders: 14, trades: 90, markets: 90, positions: 90 };

/** Entries that ended before this date are in the historical list only. Each list has its own date, which moves with the clock. */
export function cutoffOf({ cutoffs, clockAheadMs }: ExchangeState, list: ArchivedList): Date {
  return cutoffs.get(list) ?? new Date(Date.now() + clockAheadMs - LIVE_DAYS[list] * DAY_MS);
}

/** How many requests an account may make. Writes are limited only if `enforced`. */
interface Tier {
  readonly name: string;
  readonly readPerSecond: number;
  readonly writePerSecond: number;
  /** The most writes at once. */
  readonly writeBurst: number;
  readonly enforced: boolean;
}

export function newAccount(
  cash: bigint,
  {
    scopes = ['read', 'write'],
    regionExpiresAt,
    subaccount = 0,
    lockedTo,
  }: {
    readonly scopes?: readonly string[] | undefined;
    readonly regionExpiresAt?: Date | undefined;
    readonly subaccount?: number;
    readonly lockedTo?: number | undefined;
  } = {},
): Account {
  const empty = {
    positions: new Map(),
    orders: new Map(),
    fills: [],
    settlements: [],
    cashMoves: [],
    groups: new Map(),
  };
  return { subaccount, lockedTo, scopes, regionExpiresAt, cash: new Map([[0, cash]]), allocation: new Map(), ...empty };
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
    staleReads: undefined,
    tradingActive: true,
    flatRefusals: false,
    pausedParts: new Set(),
    clockAheadMs: 0,
    cutoffs: new Map(),
    tier: BASIC,
    writes: new Map(),
  };
}
