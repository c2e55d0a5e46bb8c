/** The catalogue's own JSON: events with their markets, arrays written as JSON text. */
import { microsDecimal as plain } from '../../venues/shapes.ts';
import type { Market } from './state.ts';

export function renderGammaMarket(market: Market): Record<string, unknown> {
  const last = market.lastPrice ?? 500_000n;
  const prices = market.payout ?? [last, 1_000_000n - last];
  return {
    id: market.conditionId.slice(2, 12),
    question: market.title,
    conditionId: market.conditionId,
    slug: `m-${market.conditionId.slice(2, 12)}`,
    description: market.rules,
    endDate: market.closeTime.toISOString(),
    startDate: '2026-01-01T00:00:00Z',
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(prices.map(plain)),
    version: market.protocol,
    ...(market.protocol === 'v2'
      ? { positionIds: market.tokens, clobTokenIds: null }
      : { clobTokenIds: JSON.stringify(market.tokens) }),
    groupItemTitle: '',
    active: true,
    closed: market.closed,
    archived: false,
    acceptingOrders: market.acceptingOrders,
    enableOrderBook: true,
    orderPriceMinTickSize: Number(plain(market.tick)),
    orderMinSize: Number(plain(market.minimum)),
    lastTradePrice: market.lastPrice === null ? 0 : Number(plain(market.lastPrice)),
    negRisk: market.negRisk,
    feesEnabled: market.feeRate > 0n,
    feeSchedule: market.feeRate > 0n ? { rate: Number(plain(market.feeRate)), exponent: 1, takerOnly: true } : null,
    ...(market.protocol === 'v2'
      ? { umaResolutionStatus: null, resolutionStatus: market.oracle === 'resolved' ? 'resolved' : 'active' }
      : { umaResolutionStatus: market.oracle, umaResolutionStatuses: JSON.stringify(market.oracleHistory) }),
    ...(market.closedAt === null ? {} : { closedTime: market.closedAt.toISOString() }),
  };
}

export function renderGammaEvent(eventId: string, markets: readonly Market[]): object {
  return {
    id: eventId,
    slug: `event-${eventId}`,
    title: markets[0]?.title ?? eventId,
    startDate: '2026-01-01T00:00:00Z',
    endDate: markets[0]?.closeTime.toISOString(),
    active: true,
    closed: markets.every(({ closed }) => closed),
    negRisk: markets.some(({ negRisk }) => negRisk),
    tags: [{ id: '1', label: 'Economy', slug: 'economy' }],
    markets: markets.map(renderGammaMarket),
  };
}
