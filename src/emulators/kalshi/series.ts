/**
 * The series of the emulated exchange, to which events belong: their categories, and the fees that follow from them, from overrides of
 * events, from announced changes, and for each fill.
 */
import { DOLLAR } from '../../exchange/ladder.ts';
import { type Answer, ok } from '../emulator.ts';
import { notFound, page } from './render.ts';
import type { Asked } from './requests.ts';
import type { ExchangeState, FeeChange, Market, Series } from './state.ts';

/** A series that a tester has not changed. */
const PLAIN: Series = {
  category: 'Economics',
  categories: ['Economics'],
  tags: [],
  feeType: 'quadratic',
  feeMultiplier: 1,
  updatedAt: new Date(0),
};

export function seriesOf(eventTicker: string): string {
  return eventTicker.split('-')[0] ?? eventTicker;
}

export function seriesNamed(state: ExchangeState, ticker: string): Series {
  return state.series.get(ticker) ?? PLAIN;
}

/** Multiplier of the fee of a market now, in ten-thousandths: that of its event if it has one, else that of its series. */
export function multiplierBps(state: ExchangeState, market: Market, now: Date): bigint {
  if (market.feeWaivedUntil !== null && market.feeWaivedUntil > now) {
    return 0n;
  }
  const { eventTicker } = market;
  const due = (ticker: string) => state.feeChanges.findLast((one) => one.ticker === ticker && one.at <= now);
  const event = due(eventTicker) ?? state.events.get(eventTicker);
  const series = due(seriesOf(eventTicker)) ?? seriesNamed(state, seriesOf(eventTicker));
  return BigInt(Math.round((event?.feeMultiplier ?? series.feeMultiplier ?? 1) * 10_000));
}

/** 0.0001 dollars in micro-dollars. */
const TICK = 100n;

interface FilledPart {
  /** Micro-contracts. */
  readonly count: bigint;
  /** Price of YES in micro-dollars. */
  readonly yesPrice: bigint;
  /** The contracts that an order buys: YES for a bid, NO for an ask. */
  readonly side: 'bid' | 'ask';
}

/**
 * Kalshi's taker fee: 0.07 * count * price * (1 - price), times the multiplier of the series, rounded up to 0.0001 dollars, and then
 * raised until the change of the balance is a multiple of 0.0001 dollars.
 *
 * @param multiplierBps 10,000 is 1
 * @returns the fee of the whole fill, micro-dollars
 */
export function takerFee({ count, yesPrice, side }: FilledPart, multiplierBps: bigint): bigint {
  const scale = DOLLAR * DOLLAR * 100n * 10_000n;
  const exact = 7n * multiplierBps * count * yesPrice * (DOLLAR - yesPrice);
  const tradeFee = ceil(exact, scale * TICK) * TICK;
  const cost = (count * (side === 'bid' ? yesPrice : DOLLAR - yesPrice)) / DOLLAR;
  return ceil(cost + tradeFee, TICK) * TICK - cost;
}

function ceil(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

/** @param ticker the part of the path behind `/series` */
export function seriesRoutes(state: ExchangeState, { query }: Asked, ticker: string | undefined): Answer {
  const known = new Map([...state.markets.values()].map((one) => [seriesOf(one.eventTicker), PLAIN] as const));
  for (const [name, series] of state.series) {
    known.set(name, series);
  }
  if (ticker === 'fee_changes') {
    const changes = upcoming(state, (one) => known.has(one.ticker));
    return ok({
      series_fee_change_arr: changes.map((one) => ({
        id: one.id,
        series_ticker: one.ticker,
        fee_type: one.feeType,
        fee_multiplier: one.feeMultiplier,
        scheduled_ts: one.at.toISOString(),
      })),
    });
  }
  if (ticker !== undefined) {
    const found = known.get(ticker);
    return found === undefined ? notFound('series not found') : ok({ series: renderSeries(ticker, found) });
  }
  const since = Number(query.get('min_updated_ts') ?? 0) * 1_000;
  const listed = [...known].filter(([, { updatedAt }]) => updatedAt.getTime() >= since);
  return ok({ series: listed.map(([name, series]) => renderSeries(name, series)) });
}

export function eventFeeChanges(state: ExchangeState, { query }: Asked): Answer {
  const events = new Set([...state.markets.values()].map(({ eventTicker }) => eventTicker));
  const { items, cursor } = page(
    upcoming(state, (one) => events.has(one.ticker)),
    query,
  );
  const changes = items.map((one) => ({
    id: one.id,
    event_ticker: one.ticker,
    series_ticker: seriesOf(one.ticker),
    fee_type_override: one.feeType,
    fee_multiplier_override: one.feeMultiplier,
    scheduled_ts: one.at.toISOString(),
  }));
  return ok({ event_fee_changes: changes, cursor });
}

function upcoming(state: ExchangeState, of: (change: FeeChange) => boolean): FeeChange[] {
  return state.feeChanges.filter((one) => of(one) && one.at.getTime() > Date.now() + state.clockAheadMs);
}

function renderSeries(ticker: string, series: Series): object {
  return {
    ticker,
    frequency: 'daily',
    title: ticker,
    category: series.category,
    categories: series.categories,
    tags: series.tags,
    settlement_sources: [],
    contract_url: '',
    contract_terms_url: '',
    fee_type: series.feeType,
    fee_multiplier: series.feeMultiplier,
    additional_prohibitions: [],
    last_updated_ts: series.updatedAt.toISOString(),
  };
}
