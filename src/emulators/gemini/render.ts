/** The JSON of the emulated exchange: events, books, orders, trades and positions. Amounts are texts; ids are numbers with more digits than JavaScript keeps. */
import { DOLLAR, type Level } from '../../exchange/ladder.ts';
import { microsDecimal } from '../../venues/shapes.ts';
import type { Account, Contract, ExchangeState, Order, Trade } from './state.ts';

/** A whole number in JSON, however large. */
export function bigNumber(value: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value));
}

export function renderEvent(contracts: readonly Contract[]): object {
  const [first] = contracts;
  const settled = contracts.every(({ status }) => status === 'settled');
  return {
    id: first?.eventTicker,
    title: first?.title,
    slug: first?.eventTicker.toLowerCase(),
    description: null,
    imageUrl: null,
    type: contracts.length > 1 ? 'categorical' : 'binary',
    category: first?.category,
    series: null,
    ticker: first?.eventTicker,
    status: contracts.some(({ status }) => status === 'active') ? 'active' : first?.status,
    resolvedAt: settled ? (first?.resolvedAt?.toISOString() ?? null) : null,
    createdAt: '2026-01-01T00:00:00.000Z',
    effectiveDate: '2026-01-01T00:00:00.000Z',
    expiryDate: first?.expiresAt.toISOString(),
    volume: '0',
    liquidity: null,
    tags: [],
    contracts: contracts.map(renderContract),
  };
}

function renderContract(contract: Contract): object {
  const { strike, status, winner, resolvedAt, gridless } = contract;
  const grid = (value: bigint) => (gridless ? null : microsDecimal(value));
  const [bid, ask] = [contract.bids[0], contract.asks[0]].map((best) => best && microsDecimal(best.price));
  return {
    id: contract.symbol,
    label: contract.title,
    description: { content: [{ value: contract.rules }] },
    prices: {
      buy: {},
      sell: {},
      bestBid: bid ?? null,
      bestAsk: ask ?? null,
      lastTradePrice: contract.lastPrice === null ? null : microsDecimal(contract.lastPrice),
    },
    color: null,
    status,
    imageUrl: null,
    priceHistory: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    expiryDate: contract.expiresAt.toISOString(),
    resolutionSide: winner,
    resolvedAt: resolvedAt?.toISOString() ?? null,
    ticker: contract.symbol.split('-').at(-1),
    instrumentSymbol: contract.symbol,
    quantityIncrement: grid(contract.quantityStep),
    quantityMinimum: grid(contract.quantityMinimum),
    priceIncrement: grid(contract.priceStep),
    priceMinimum: grid(contract.priceStep),
    quoteAssetPrecision: 2,
    effectiveDate: '2026-01-01T00:00:00.000Z',
    marketState: contract.marketState,
    sortOrder: null,
    ...(strike === null ? {} : { strike: { ...strike, availableAt: null } }),
  };
}

export function renderBook({ bids, asks }: Contract): object {
  const levels = (some: readonly Level[]) =>
    some.map(({ price, count }) => ({ price: microsDecimal(price), amount: microsDecimal(count), timestamp: '0' }));
  return { bids: levels(bids), asks: levels(asks) };
}

export function renderOrder(order: Order): object {
  const average = order.filled === 0n ? null : microsDecimal(order.paid / order.filled);
  return {
    orderId: bigNumber(order.orderId),
    hashOrderId: null,
    clientOrderId: order.clientOrderId,
    globalOrderId: null,
    status: order.status,
    symbol: order.symbol,
    side: order.side,
    outcome: order.outcome,
    orderType: 'limit',
    quantity: microsDecimal(order.count),
    filledQuantity: microsDecimal(order.filled),
    remainingQuantity: microsDecimal(order.count - order.filled),
    price: microsDecimal(order.price),
    stopPrice: null,
    avgExecutionPrice: average,
    createdAt: order.createdAt.toISOString(),
    updatedAt: (order.endedAt ?? order.createdAt).toISOString(),
    cancelledAt: order.status === 'cancelled' ? (order.endedAt?.toISOString() ?? null) : null,
  };
}

export function renderTrade(state: ExchangeState, account: Account, trade: Trade): object {
  const order = account.orders.get(trade.orderId);
  const mirrored = state.tradesInYes && order?.outcome === 'no';
  return {
    price: microsDecimal(mirrored ? DOLLAR - trade.price : trade.price),
    amount: microsDecimal(trade.count),
    timestamp: Math.floor(trade.at.getTime() / 1_000),
    timestampms: trade.at.getTime(),
    type: trade.side === 'buy' ? 'Buy' : 'Sell',
    aggressor: true,
    fee_currency: 'USD',
    fee_amount: microsDecimal(trade.fee),
    tid: bigNumber(trade.id),
    order_id: String(trade.orderId),
    ...(order?.clientOrderId ? { client_order_id: order.clientOrderId } : {}),
    exchange: 'gemini',
    is_clearing_fill: false,
    symbol: trade.symbol,
  };
}

export function renderPosition([symbol, position]: readonly [string, bigint]): object {
  return {
    symbol,
    instrumentId: 1_001,
    totalQuantity: microsDecimal(position < 0n ? -position : position),
    quantityOnHold: '0',
    avgPrice: '0',
    outcome: position < 0n ? 'no' : 'yes',
    resolutionSide: null,
    realizedPl: '0',
  };
}
