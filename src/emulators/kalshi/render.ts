/** The JSON of the emulated exchange: dollars with four places, counts with two, times as ISO-8601, refusals, and lists in pages. */
import { z } from 'zod';
import { DOLLAR, type Level } from '../../exchange/ladder.ts';
import type { Answer } from '../emulator.ts';
import type { Asked } from './requests.ts';
import type { Account, CashMove, ExchangeState, Fill, Market, Order, Settlement, Target } from './state.ts';

const PAGE = 100;

/** A refusal in the form that was recorded of the exchange. */
export function refused(status: number, code: string, message: string, details?: string): Answer {
  return { status, body: { error: { code, message, ...(details === undefined ? {} : { details }) } } };
}

const nested = z.strictObject({ error: z.looseObject({ code: z.string() }) });

/** The same refusal as the exchange's documents describe it; any other response is returned as it is. */
export function flattened(answer: Answer): Answer {
  return { ...answer, body: nested.safeParse(answer.body).data?.error ?? answer.body };
}

export function notFound(message: string): Answer {
  return refused(404, 'not_found', message);
}

/** The refusal of a parameter or a body. */
export function invalid(message: string): Answer {
  return refused(400, 'invalid_parameters', message);
}

/** @param query has `limit` and `cursor`. @returns a page, and the cursor at which the next one begins */
export function page<T>(items: readonly T[], query: URLSearchParams): { items: readonly T[]; cursor: string } {
  const from = Number(query.get('cursor') || 0);
  const limit = Math.min(1_000, Number(query.get('limit') ?? PAGE));
  const next = from + limit;
  return { items: items.slice(from, next), cursor: next < items.length ? String(next) : '' };
}

/** @param places least number of decimal places, at most 6 */
export function decimal(micros: bigint, places: number): string {
  const negative = micros < 0n;
  const digits = (negative ? -micros : micros).toString().padStart(7, '0');
  const whole = digits.slice(0, -6);
  const rest = digits.slice(-6).replace(/0+$/, '').padEnd(places, '0');
  return `${negative ? '-' : ''}${whole}.${rest}`;
}

const dollars = (micros: bigint) => decimal(micros, 4);
const count = (micros: bigint) => decimal(micros, 2);

/** The emulator cannot translate, so it only marks the text with the language. */
function inLanguage(text: string, language: Asked['language']): string {
  return language === undefined ? text : `${text} [${language}]`;
}

export function renderMarket(market: Market, language?: Asked['language']): object {
  const best = (levels: readonly Level[]) => levels[0]?.price ?? 0n;
  const size = (levels: readonly Level[]) => count(levels[0]?.count ?? 0n);
  return {
    ticker: market.ticker,
    event_ticker: market.eventTicker,
    market_type: 'binary',
    title: inLanguage(market.title, language),
    yes_sub_title: inLanguage(market.title, language),
    no_sub_title: inLanguage(market.title, language),
    created_time: market.openTime.toISOString(),
    updated_time: market.openTime.toISOString(),
    open_time: market.openTime.toISOString(),
    close_time: market.closeTime.toISOString(),
    latest_expiration_time: market.closeTime.toISOString(),
    settlement_timer_seconds: 60,
    status: market.status,
    result: market.result,
    settlement_value_dollars: market.settlementValue === null ? null : dollars(market.settlementValue),
    settlement_ts: market.settledAt?.toISOString() ?? null,
    expiration_value: '',
    yes_bid_dollars: dollars(best(market.yesBids)),
    yes_bid_size_fp: size(market.yesBids),
    yes_ask_dollars: dollars(market.noBids[0] === undefined ? DOLLAR : DOLLAR - best(market.noBids)),
    yes_ask_size_fp: size(market.noBids),
    no_bid_dollars: dollars(best(market.noBids)),
    no_ask_dollars: dollars(market.yesBids[0] === undefined ? DOLLAR : DOLLAR - best(market.yesBids)),
    last_price_dollars: dollars(market.lastPrice ?? 0n),
    // prices of a day ago: the emulator keeps no history
    previous_yes_bid_dollars: dollars(0n),
    previous_yes_ask_dollars: dollars(0n),
    previous_price_dollars: dollars(0n),
    volume_fp: count(market.volume),
    volume_24h_fp: count(market.volume),
    open_interest_fp: '0.00',
    notional_value_dollars: '1.0000',
    can_close_early: true,
    rules_primary: inLanguage(market.rules, language),
    rules_secondary: '',
    fee_waiver_expiration_time: market.feeWaivedUntil?.toISOString() ?? null,
    settlement_bounds_type: market.settlementFloor === null ? 'default' : 'floor',
    settlement_floor_dollars: market.settlementFloor === null ? null : dollars(market.settlementFloor),
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: dollars(market.tick) }],
    exchange_index: market.exchangeIndex,
    ...(market.customStrike === null ? {} : { strike_type: 'structured', custom_strike: market.customStrike }),
  };
}

export function renderTarget(id: string, { name, type, imageUrl }: Target): object {
  return { id, name, type, details: imageUrl === null ? {} : { image_url: imageUrl } };
}

export function renderEvent(
  state: ExchangeState,
  eventTicker: string,
  markets: readonly Market[],
  nested: boolean,
  language?: Asked['language'],
): object {
  const { category, feeType, feeMultiplier } = state.events.get(eventTicker) ?? {};
  return {
    event_ticker: eventTicker,
    series_ticker: eventTicker.split('-')[0],
    title: inLanguage(markets[0]?.title ?? eventTicker, language),
    sub_title: '',
    ...(category === undefined ? {} : { category }),
    mutually_exclusive: false,
    collateral_return_type: '',
    settlement_sources: null,
    product_metadata: null,
    fee_type_override: feeType ?? null,
    fee_multiplier_override: feeMultiplier ?? null,
    exchange_index: markets[0]?.exchangeIndex ?? 0,
    ...(nested ? { markets: markets.map((market) => renderMarket(market, language)) } : {}),
  };
}

/** Bids only, the best one last. */
export function renderBook(market: Market): object {
  const side = (levels: readonly Level[]) =>
    [...levels].reverse().map((level) => [dollars(level.price), count(level.count)]);
  return { yes_dollars: side(market.yesBids), no_dollars: side(market.noBids) };
}

export function renderOrder(order: Order, fills: readonly Fill[], userId: string): object {
  const own = fills.filter((fill) => fill.orderId === order.orderId);
  const fees = own.reduce((sum, fill) => sum + fill.fee, 0n);
  const cost = own.reduce((sum, fill) => sum + (fill.count * costOf(fill)) / DOLLAR, 0n);
  return {
    order_id: order.orderId,
    user_id: userId,
    client_order_id: order.clientOrderId,
    ticker: order.ticker,
    outcome_side: order.side === 'bid' ? 'yes' : 'no',
    book_side: order.side,
    type: 'limit',
    status: order.status,
    yes_price_dollars: dollars(order.yesPrice),
    no_price_dollars: dollars(DOLLAR - order.yesPrice),
    initial_count_fp: count(order.count),
    fill_count_fp: count(order.filled),
    remaining_count_fp: count(order.status === 'resting' ? order.count - order.filled : 0n),
    taker_fill_cost_dollars: decimal(cost, 6),
    maker_fill_cost_dollars: '0.000000',
    taker_fees_dollars: decimal(fees, 6),
    maker_fees_dollars: '0.000000',
    created_time: order.createdAt.toISOString(),
    last_update_time: order.updatedAt.toISOString(),
    subaccount_number: order.subaccount,
    exchange_index: order.exchangeIndex,
  };
}

export function renderFill(fill: Fill): object {
  return {
    fill_id: fill.fillId,
    trade_id: fill.fillId,
    order_id: fill.orderId,
    ticker: fill.ticker,
    market_ticker: fill.ticker,
    outcome_side: fill.side === 'bid' ? 'yes' : 'no',
    book_side: fill.side,
    count_fp: count(fill.count),
    yes_price_dollars: dollars(fill.yesPrice),
    no_price_dollars: dollars(DOLLAR - fill.yesPrice),
    is_taker: true,
    fee_cost: decimal(fill.fee, 6),
    created_time: fill.at.toISOString(),
    ts: Math.floor(fill.at.getTime() / 1_000),
    subaccount_number: fill.subaccount,
    exchange_index: fill.exchangeIndex,
  };
}

/** The fill as the stream reports it. */
export function renderStreamFill(fill: Fill): object {
  const outcome = fill.side === 'bid' ? 'yes' : 'no';
  return {
    trade_id: fill.fillId,
    order_id: fill.orderId,
    market_ticker: fill.ticker,
    exchange_index: fill.exchangeIndex,
    is_taker: true,
    side: outcome,
    action: 'buy',
    purchased_side: outcome,
    outcome_side: outcome,
    book_side: fill.side,
    count_fp: count(fill.count),
    yes_price_dollars: dollars(fill.yesPrice),
    fee_cost: decimal(fill.fee, 6),
    post_position_fp: count(fill.count),
    ts: Math.floor(fill.at.getTime() / 1_000),
    ts_ms: fill.at.getTime(),
    subaccount: fill.subaccount,
  };
}

/** The averages of an order's fills in the response to it, weighted by quantity; nothing if it filled nothing. */
export function renderAverages({ orderId, filled }: Order, fills: readonly Fill[]): object {
  if (filled === 0n) {
    return {};
  }
  const own = fills.filter((fill) => fill.orderId === orderId);
  const cost = own.reduce((sum, fill) => sum + fill.count * fill.yesPrice, 0n);
  const fees = own.reduce((sum, fill) => sum + fill.fee, 0n);
  return {
    average_fill_price: decimal(cost / filled, 4),
    average_fee_paid: decimal((fees * DOLLAR) / filled, 4),
  };
}

export function renderPositions(state: ExchangeState, account: Account): object[] {
  return [...account.positions]
    .filter(([, held]) => held !== 0n)
    .map(([ticker, held]) => renderPosition(state, account, ticker, held, new Date()));
}

export function renderSettledPosition(state: ExchangeState, account: Account, { ticker, at }: Settlement): object {
  return renderPosition(state, account, ticker, 0n, at);
}

function renderPosition({ markets }: ExchangeState, account: Account, ticker: string, held: bigint, at: Date): object {
  return {
    ticker,
    position_fp: count(held),
    market_exposure_dollars: '0.000000',
    total_traded_dollars: '0.000000',
    realized_pnl_dollars: '0.000000',
    fees_paid_dollars: decimal(feesOf(account, ticker), 6),
    last_updated_ts: at.toISOString(),
    exchange_index: markets.get(ticker)?.exchangeIndex ?? 0,
  };
}

function feesOf(account: Account, ticker: string): bigint {
  return account.fills.filter((fill) => fill.ticker === ticker).reduce((sum, fill) => sum + fill.fee, 0n);
}

function costOf(fill: Fill): bigint {
  return fill.side === 'bid' ? fill.yesPrice : DOLLAR - fill.yesPrice;
}

export function renderCashMove({ id, status, amount, fee, at }: CashMove): object {
  const seconds = Math.floor(at.getTime() / 1_000);
  return {
    id,
    status,
    type: 'wire',
    amount_cents: Number(amount / 10_000n),
    fee_cents: Number(fee / 10_000n),
    created_ts: seconds,
    finalized_ts: status === 'pending' ? null : seconds,
  };
}

export function renderSettlement({ markets }: ExchangeState, { ticker, held, paid, at }: Settlement): object {
  const market = markets.get(ticker);
  return {
    ticker,
    event_ticker: market?.eventTicker ?? '',
    exchange_index: market?.exchangeIndex ?? 0,
    market_result: market?.result ?? '',
    yes_count_fp: count(held > 0n ? held : 0n),
    yes_total_cost_dollars: '0.000000',
    no_count_fp: count(held < 0n ? -held : 0n),
    no_total_cost_dollars: '0.000000',
    revenue: Number(paid / 10_000n),
    value: Number((market?.settlementValue ?? 0n) / 10_000n),
    fee_cost: '0.000000',
    settled_time: at.toISOString(),
  };
}
