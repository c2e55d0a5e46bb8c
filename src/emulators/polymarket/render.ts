/** The JSON of the order book and of the host of positions: decimal texts, seconds as text, books with the best level last. */
import { createHash } from 'node:crypto';
import type { Address } from 'viem';
import { countOf, DOLLAR, type Level } from '../../exchange/ladder.ts';
import { EXCHANGE, EXCHANGE_V3, NEG_RISK_EXCHANGE } from '../../venues/polymarket/sign.ts';
import { microsDecimal as plain } from '../../venues/shapes.ts';
import { costOfTrade } from './match-order.ts';
import { type Account, bookOf, type Market, type Order, type Trade } from './state.ts';

const seconds = (moment: Date) => String(Math.floor(moment.getTime() / 1_000));

/** The contract whose orders the market takes. */
export function contractOf({ protocol, negRisk }: Market): Address {
  if (protocol === 'v2') {
    return EXCHANGE_V3;
  }
  return negRisk ? NEG_RISK_EXCHANGE : EXCHANGE;
}

export function outcomeOf(market: Market, token: string): string {
  return market.outcomes[token === market.tokens[0] ? 0 : 1];
}

export function renderBook(market: Market, token: string, now: Date): object {
  const { bids, asks } = bookOf(market, token);
  const side = (levels: readonly Level[]) =>
    [...levels].reverse().map(({ price, count }) => ({ price: plain(price), size: plain(count) }));
  const book = {
    market: market.conditionId,
    asset_id: token,
    timestamp: String(now.getTime()),
    hash: '',
    bids: side(bids),
    asks: side(asks),
    min_order_size: plain(market.minimum),
    tick_size: plain(market.tick),
    neg_risk: market.negRisk,
    last_trade_price: market.lastPrice === null ? '' : plain(market.lastPrice),
  };
  // the hash of the text in which the hash is empty
  return { ...book, hash: createHash('sha1').update(JSON.stringify(book)).digest('hex') };
}

/** `/clob-markets`. Fields that are false are left out. */
export function renderTerms(market: Market): object {
  return {
    c: market.conditionId,
    t: market.tokens.map((token) => ({ t: token, o: outcomeOf(market, token) })),
    mos: Number(plain(market.minimum)),
    mts: Number(plain(market.tick)),
    mbf: 1000,
    tbf: 1000,
    ...(market.acceptingOrders ? { ao: true } : {}),
    ...(market.negRisk ? { nr: true } : {}),
    ...(market.feeRate === 0n ? {} : { fd: { r: Number(plain(market.feeRate)), e: 1, to: true } }),
  };
}

/** The worst price that the order accepts. */
export function priceOf({
  side,
  makerAmount,
  takerAmount,
}: Pick<Order, 'side' | 'makerAmount' | 'takerAmount'>): bigint {
  return side === 'BUY' ? (makerAmount * DOLLAR) / takerAmount : (takerAmount * DOLLAR) / makerAmount;
}

export function renderOrder(order: Order, account: Account): object {
  return {
    id: order.hash,
    status: order.status,
    owner: account.credentials?.apiKey ?? '',
    maker_address: account.funder,
    market: order.market.conditionId,
    asset_id: order.token,
    side: order.side,
    original_size: plain(order.side === 'BUY' ? order.takerAmount : order.makerAmount),
    size_matched: plain(order.matched),
    price: plain(priceOf(order)),
    outcome: outcomeOf(order.market, order.token),
    expiration: '0',
    order_type: order.type,
    associate_trades: order.trades,
    created_at: Math.floor(order.createdAt.getTime() / 1_000),
  };
}

export function renderTrade(trade: Trade, account: Account): object {
  const size = countOf(trade.parts);
  return {
    id: trade.id,
    taker_order_id: trade.orderHash,
    market: trade.market.conditionId,
    asset_id: trade.token,
    side: trade.side,
    size: plain(size),
    fee_rate_bps: '0',
    // with several makers it is the price of the last one
    price: plain(trade.parts.at(-1)?.price ?? 0n),
    status: trade.status,
    match_time: seconds(trade.at),
    last_update: seconds(trade.at),
    outcome: outcomeOf(trade.market, trade.token),
    bucket_index: 0,
    owner: account.credentials?.apiKey ?? '',
    maker_address: account.funder,
    transaction_hash: trade.status.startsWith('MATCHED') ? '' : trade.transactionHash,
    trader_side: 'TAKER',
    maker_orders: trade.parts.map((part) => ({
      order_id: part.orderId,
      owner: '00000000-0000-4000-8000-000000000000',
      maker_address: '0x000000000000000000000000000000000000dead',
      matched_amount: plain(part.count),
      price: plain(part.price),
      fee_rate_bps: '0',
      asset_id: trade.token,
      outcome: outcomeOf(trade.market, trade.token),
      side: trade.side === 'BUY' ? 'SELL' : 'BUY',
    })),
  };
}

/** A trade in the list of its taker's builder, which has amounts in millionths. */
export function renderBuilderTrade(trade: Trade): object {
  return {
    id: trade.id,
    tradeType: 'TAKER',
    takerOrderHash: trade.orderHash,
    builder: trade.builder,
    market: trade.market.conditionId,
    assetId: trade.token,
    side: trade.side,
    size: String(countOf(trade.parts)),
    sizeUsdc: String(costOfTrade(trade)),
    price: plain(trade.parts.at(-1)?.price ?? 0n),
    status: `TRADE_STATUS_${trade.status}`,
    outcome: outcomeOf(trade.market, trade.token),
    matchTime: seconds(trade.at),
    fee: String(trade.builderFee),
    feeUsdc: String(trade.builderFee),
  };
}

interface Holding {
  readonly market: Market;
  readonly token: string;
  readonly index: number;
  readonly held: bigint;
  /** Micro-dollars of one share. */
  readonly worth: bigint;
}

function holdingsOf(account: Account, markets: readonly Market[]): Holding[] {
  return markets.flatMap((market) =>
    market.tokens.flatMap((token, index) => {
      const held = account.shares.get(token) ?? 0n;
      const worth = market.payout?.[index] ?? market.lastPrice ?? 0n;
      return held === 0n ? [] : [{ market, token, index, held, worth }];
    }),
  );
}

/** The older list of the host of positions. */
export function renderPositions(account: Account, markets: readonly Market[]): object[] {
  return holdingsOf(account, markets).map(({ market, token, index, held, worth }) => ({
    proxyWallet: account.funder,
    asset: token,
    conditionId: market.conditionId,
    size: Number(plain(held)),
    curPrice: Number(plain(worth)),
    redeemable: market.payout !== null,
    outcome: market.outcomes[index],
    outcomeIndex: index,
    negativeRisk: market.negRisk,
  }));
}

/**
 * The newer list. Won positions that were not redeemed are in `OPEN` too. Lost ones are requested as `REDEEMABLE_LOST`, and their own
 * status is `REDEEMABLE`.
 *
 * @param least the smallest position, micro-shares
 */
export function renderHoldings(account: Account, markets: readonly Market[], status: string, least: bigint): object[] {
  return holdingsOf(account, markets)
    .filter(({ market, worth, held }) => {
      const lost = market.payout !== null && worth === 0n;
      const listed = status === 'OPEN' ? !lost : market.payout !== null && lost === (status === 'REDEEMABLE_LOST');
      return listed && held >= least;
    })
    .map((holding) => renderHolding(account, holding));
}

function renderHolding(account: Account, { market, token, index, held, worth }: Holding): object {
  const bought = account.trades.filter((trade) => trade.token === token && trade.side === 'BUY');
  const cost = bought.reduce((sum, trade) => sum + costOfTrade(trade), 0n);
  const fees = bought.reduce((sum, trade) => sum + trade.fee, 0n);
  // all shares that were ever bought, even if they were sold since
  const size = bought.reduce((sum, trade) => sum + countOf(trade.parts), 0n);
  const value = (held * worth) / DOLLAR;
  const number = (micros: bigint) => Number(micros) / 1e6;
  const at = (trade: Trade | undefined) => Math.floor((trade?.at.getTime() ?? 0) / 1_000);
  const other = market.tokens[1 - index] ?? '';
  return {
    proxy_wallet: account.funder,
    token_id: token,
    condition_id: market.conditionId,
    current_size: number(held),
    avg_price: size === 0n ? 0 : number((cost * DOLLAR) / size),
    entry_cost_usdc: number(cost),
    entry_fees_usdc: number(fees),
    total_cost_usdc: number(cost + fees),
    current_price: number(worth),
    current_value: number(value),
    total_size: number(size),
    realized_pnl: 0,
    unrealized_pnl: number(value - cost - fees),
    total_pnl: number(value - cost - fees),
    percent_pnl: 0,
    percent_realized_pnl: 0,
    status: market.payout === null ? 'OPEN' : 'REDEEMABLE',
    redeemable: market.payout !== null,
    mergeable: false,
    negative_risk: market.negRisk,
    archived: false,
    title: market.title,
    slug: `m-${market.conditionId.slice(2, 12)}`,
    icon: '',
    event_id: market.eventId,
    event_slug: `event-${market.eventId}`,
    outcome: market.outcomes[index],
    outcome_index: index,
    opposite_outcome: outcomeOf(market, other),
    opposite_token_id: other,
    end_date: market.closeTime.toISOString().slice(0, 10),
    last_event_at: at(bought.at(-1)),
    first_entry_at: at(bought[0]),
    name: '',
    profile_image: '',
    verified: false,
  };
}
