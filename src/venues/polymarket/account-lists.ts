/**
 * The account's lists at Polymarket: its trades, split into the parts that fill our orders; its funds, which decide whether an order can be
 * paid; and payments into the wallet or out of it apart from trades. A trade that is not `CONFIRMED` may still fail, and moves nothing.
 */
import { systemTicks } from '../../core/time.ts';
import { ONE_DOLLAR_MICROS } from '../../money/decimal.ts';
import type { Note, VenueFill, VenueTransfer } from '../port.ts';
import { openPromisedFunds } from '../promised-funds.ts';
import { expectShape, nextPageOf, noteFields } from '../shapes.ts';
import type { Clob } from './clob.ts';
import { LAST_PAGE, type PolymarketTrade, polymarketActivity, polymarketBalance, polymarketTrades } from './shapes.ts';
import { EXCHANGE, EXCHANGE_V3, NEG_RISK_EXCHANGE } from './sign.ts';
import { type TradingTerms, takerFeeOf } from './trading-terms.ts';

/** A part of a trade between one of our orders and one other order. An order that meets several makers has one part for each. */
export interface TradePart {
  readonly tradeId: string;
  /** The order's id at the exchange. */
  readonly orderRef: string;
  readonly token: string;
  readonly action: 'BUY' | 'SELL';
  readonly priceMicros: bigint;
  readonly sharesMicros: bigint;
  readonly partId: string;
  readonly taker: boolean;
  readonly at: Date;
}

const STATES = new Set(['MATCHED_NOT_BROADCASTED', 'MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED']);
const ROLES = new Set(['TAKER', 'MAKER']);

/**
 * @param note records states and roles that are not known here; such a state is not final
 * @param conditionId of one market; undefined for all
 * @returns all trades since then
 * @throws VenueUnknown
 */
export async function readTrades(
  venue: string,
  clob: Clob,
  note: Note,
  since: Date,
  conditionId?: string,
): Promise<PolymarketTrade[]> {
  const query = new URLSearchParams({
    maker_address: clob.wallet.funder(),
    after: String(Math.floor(since.getTime() / 1_000)),
  });
  if (conditionId !== undefined) {
    query.set('market', conditionId);
  }
  const trades: PolymarketTrade[] = [];
  const nextPage = nextPageOf(venue, 'trades', LAST_PAGE);
  for (;;) {
    const { body } = await clob.get(`/data/trades?${query}`);
    const page = expectShape(venue, 'trades', polymarketTrades, body);
    noteFields(note, 'polymarket-clob', 'Trade', page.data);
    for (const { status, trader_side: role } of page.data) {
      if (!STATES.has(status)) {
        note('trade status', status);
      }
      if (!ROLES.has(role)) {
        note('role in a trade', role);
      }
    }
    trades.push(...page.data);
    const cursor = nextPage(page.next_cursor);
    if (cursor === undefined) {
      return trades;
    }
    query.set('next_cursor', cursor);
  }
}

export const isFinal = ({ status }: PolymarketTrade): boolean => status === 'CONFIRMED' || status === 'FAILED';
export const isConfirmed = ({ status }: PolymarketTrade): boolean => status === 'CONFIRMED';

/** Whether the listed makers add up to the trade. Until they do, it is not booked, so that it is booked once (contract 18.12). */
export function isWhole({ status, trader_side: role, size, maker_orders: makers }: PolymarketTrade): boolean {
  const matched = (makers ?? []).reduce((sum, maker) => sum + maker.matched_amount, 0n);
  return role === 'MAKER' || status === 'FAILED' || (role === 'TAKER' && matched === size);
}

/** The parts of a trade that belong to our orders. @param funder our address at the exchange */
export function partsOf(trade: PolymarketTrade, funder: string): TradePart[] {
  const head = { tradeId: trade.id, at: trade.match_time };
  const makers = trade.maker_orders ?? [];
  if (trade.trader_side === 'MAKER') {
    return makers
      .filter((maker) => maker.maker_address.toLowerCase() === funder.toLowerCase())
      .map((maker) => ({
        ...head,
        orderRef: maker.order_id,
        token: maker.asset_id,
        // two buys of opposite outcomes match each other, and so do two sales
        action: maker.asset_id === trade.asset_id ? opposite(trade.side) : trade.side,
        priceMicros: maker.price,
        sharesMicros: maker.matched_amount,
        partId: `${trade.id}:${maker.order_id}`,
        taker: false,
      }));
  }
  const ours = { ...head, orderRef: trade.taker_order_id, token: trade.asset_id, action: trade.side, taker: true };
  if (!isWhole(trade)) {
    return [];
  }
  return makers.map((maker) => ({
    ...ours,
    priceMicros: maker.asset_id === trade.asset_id ? maker.price : ONE_DOLLAR_MICROS - maker.price,
    sharesMicros: maker.matched_amount,
    partId: `${trade.id}:${maker.order_id}`,
  }));
}

/** @param ourId id of the order, which the fill carries */
export function readPart(part: TradePart, ourId: string, terms: TradingTerms): VenueFill {
  return {
    fillId: part.partId,
    ourId,
    listingId: terms.yes,
    quantityMicros: part.sharesMicros,
    priceMicros: part.priceMicros,
    // only takers pay
    ...(part.taker ? takerFeeOf(terms, part.priceMicros, part.sharesMicros) : { feeMicros: 0n }),
    occurredAt: part.at,
  };
}

function opposite(side: 'BUY' | 'SELL'): 'BUY' | 'SELL' {
  return side === 'BUY' ? 'SELL' : 'BUY';
}

/** The exchange still checks what this retired contract may take of the dollars, in markets that exclude each other. */
export const NEG_RISK_ADAPTER = '0xd91E80cF2E7be2e162c6513ceD06f1dD0dA35296';

interface Funds {
  /** Micro-dollars, or micro-shares of a token. */
  readonly balanceMicros: bigint;
  /** The amount that each contract may take, by its address in lower case. Contracts that the exchange does not list are missing. */
  readonly allowances: ReadonlyMap<string, bigint>;
}

/** A token, and the contract of its market's exchange. */
export interface Shares {
  readonly token: string;
  readonly contract: string;
}

/**
 * Reads the balance, and the amounts that the contracts may take of it.
 * @param shares undefined for dollars
 * @throws VenueUnknown
 */
export async function readFunds(venue: string, clob: Clob, shares?: Shares): Promise<Funds> {
  const { body } = await clob.get(`/balance-allowance?${queryOf(clob, shares)}`);
  const { balance, allowance, allowances } = expectShape(venue, 'balance', polymarketBalance, body);
  const named = Object.entries(allowances ?? {}).map(([address, amount]) => [address.toLowerCase(), amount] as const);
  const both = [EXCHANGE, NEG_RISK_EXCHANGE, EXCHANGE_V3].map(
    (address) => [address.toLowerCase(), allowance ?? 0n] as const,
  );
  return { balanceMicros: balance, allowances: new Map(allowance == null ? named : [...both, ...named]) };
}

interface PayableFunds {
  /**
   * Promises what the order needs, if that contract of the exchange can take it from the wallet. The balance that the exchange remembers may
   * be old, so before the answer is no, the exchange reads the chain again.
   * @param needed micro-dollars, or micro-shares of `token`
   * @throws VenueUnknown
   */
  canPay(ourId: string, needed: bigint, contract: string, token?: string): Promise<boolean>;
  /** Must be called once the exchange has responded to the order, whatever the response. */
  answered(ourId: string): void;
}

export function openPayableFunds(venue: string, clob: Clob): PayableFunds {
  const funds = openPromisedFunds(systemTicks, async (pocket) => {
    const [contract = '', token] = pocket.split(' ');
    return payableOf(await readFunds(venue, clob, sharesOf(contract, token)), contract);
  });
  return {
    async canPay(ourId, needed, contract, token) {
      const pocket = token === undefined ? contract : `${contract} ${token}`;
      if (await funds.promise(pocket, ourId, needed)) {
        return true;
      }
      // the response carries nothing that matters
      const query = queryOf(clob, sharesOf(contract, token));
      await clob.call('GET', `/balance-allowance/update?${query}`).catch(() => undefined);
      return funds.promise(pocket, ourId, needed);
    },
    answered: funds.answered,
  };
}

const sharesOf = (contract: string, token: string | undefined): Shares | undefined =>
  token === undefined ? undefined : { token, contract };

/** An allowance that is not listed does not limit: the exchange itself refuses what it cannot take. */
function payableOf({ balanceMicros, allowances }: Funds, contract: string): bigint {
  const takers = contract === NEG_RISK_EXCHANGE ? [contract, NEG_RISK_ADAPTER] : [contract];
  return takers
    .map((taker) => allowances.get(taker.toLowerCase()) ?? balanceMicros)
    .reduce((least, allowed) => (allowed < least ? allowed : least), balanceMicros);
}

function queryOf(clob: Clob, shares: Shares | undefined): URLSearchParams {
  const conditional = shares?.contract === EXCHANGE_V3 ? 'CONDITIONAL-V2' : 'CONDITIONAL';
  return new URLSearchParams({
    asset_type: shares === undefined ? 'COLLATERAL' : conditional,
    ...(shares === undefined ? {} : { token_id: shares.token }),
    signature_type: String(clob.wallet.signatureType),
  });
}

/** Reads a path of a host that needs no signature. */
export type AskData = (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;

const MOVES: Readonly<Record<string, VenueTransfer['kind']>> = {
  DEPOSIT: 'deposit',
  WITHDRAWAL: 'withdrawal',
  TAKER_REBATE: 'rebate',
  MAKER_REBATE: 'rebate',
  REWARD: 'reward',
  REFERRAL_REWARD: 'reward',
  YIELD: 'reward',
};
const ACTIVITY_PAGE = 1_000;

/**
 * Payments into the wallet or out of it apart from trades, as the newer data API lists them. An entry has no id, so it is identified by its
 * type and transaction; the amounts of one transaction are added up.
 * @param funder address of the wallet
 * @returns an empty list if the exchange does not have this API; the payments are then an unexplained surplus
 * @throws VenueUnknown
 */
export async function readTransfers(
  venue: string,
  funder: string,
  askData: AskData,
  since: Date,
  note: Note,
): Promise<VenueTransfer[]> {
  const found = new Map<string, VenueTransfer>();
  const filters = {
    user: funder,
    type: Object.keys(MOVES).join(','),
    // without it, deposits and withdrawals are left out even if the request names them
    exclude_deposits_withdrawals: 'false',
    start: String(Math.floor(since.getTime() / 1_000)),
    limit: String(ACTIVITY_PAGE),
  };
  const nextPage = nextPageOf(venue, 'activity');
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = new URLSearchParams({ ...filters, ...(cursor === '' ? {} : { cursor }) });
    const { status, body } = await askData(`/v2/activity?${query}`);
    if (status === 404) {
      return [];
    }
    const page = expectShape(venue, 'activity', polymarketActivity, body);
    for (const { type, timestamp, transaction_hash: hash, usdc_size: size } of page.data) {
      const kind = MOVES[type];
      if (kind === undefined || !hash) {
        note('activity', kind === undefined ? type : `${type} without a transaction`);
        continue;
      }
      const id = `${type} ${hash}`;
      const amountMicros = (found.get(id)?.amountMicros ?? 0n) + (kind === 'withdrawal' ? -size : size);
      found.set(id, { id, kind, amountMicros, at: new Date(timestamp * 1_000), pending: false });
    }
    cursor = nextPage(page.pagination.next_cursor);
  }
  return [...found.values()];
}
