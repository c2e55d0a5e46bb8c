/** An order as it truly is at a simulated exchange, and everything that can happen to it. Pure but for the chance handed in. */
import { decimalMicros } from '../../src/venues/shapes.ts';
import type { Chance } from '../support/random.ts';

export interface Placed {
  readonly ourId: string;
  readonly listingId: string;
  readonly side: 'YES' | 'NO';
  readonly action: 'BUY' | 'SELL';
  readonly quantity: bigint;
  readonly limitPrice: bigint;
  readonly maxCost: bigint | null;
  readonly expiresAtMs: number;
}

export interface TrueFill {
  readonly fillId: string;
  readonly quantity: bigint;
  readonly price: bigint;
  readonly fee: bigint | null;
  readonly at: string;
}

export interface TrueOrder extends Placed {
  readonly state: 'working' | 'closed' | 'rejected';
  readonly reason: string | null;
  readonly fills: readonly TrueFill[];
  readonly received: string;
}

/** The order that a request asks for. */
export function placed(body: Record<string, string>): Placed {
  const micros = (name: string) => decimalMicros(body[name] ?? '') ?? 0n;
  return {
    ourId: body['ourId'] ?? '',
    listingId: body['listingId'] ?? '',
    side: body['side'] as Placed['side'],
    action: body['action'] as Placed['action'],
    quantity: micros('quantity'),
    limitPrice: micros('limitPrice'),
    maxCost: body['maxCost'] === undefined ? null : micros('maxCost'),
    expiresAtMs: Date.parse(body['expiresAt'] ?? ''),
  };
}

export function filledQuantity(order: TrueOrder): bigint {
  return order.fills.reduce((sum, fill) => sum + fill.quantity, 0n);
}

/**
 * One thing happens: a fee becomes known, a part fills, or the rest is closed. The same order where nothing can.
 * @param step smallest quantity that trades, in millionths.
 */
export function moved(order: TrueOrder, chance: Chance, nowMs: number, step: bigint): TrueOrder {
  const left = order.quantity - filledQuantity(order);
  const unread = order.fills.findIndex(({ fee }) => fee === null);
  if (unread >= 0 && chance.happens(0.4)) {
    return {
      ...order,
      fills: order.fills.map((fill, at) => (at === unread ? { ...fill, fee: feeOf(fill, chance) } : fill)),
    };
  }
  if (order.state !== 'working') {
    return order;
  }
  if (left === 0n || !chance.happens(0.75)) {
    return { ...order, state: 'closed' };
  }
  const part = chance.happens(0.3) ? left : (left * BigInt(1 + chance.below(9))) / 10n;
  const quantity = part - (part % step) || left;
  const better = BigInt(chance.below(20_000));
  const price = order.action === 'BUY' ? order.limitPrice - better : order.limitPrice + better;
  const fill = { fillId: `f-${order.ourId}-${order.fills.length}`, quantity, price, at: new Date(nowMs).toISOString() };
  const fee = chance.happens(0.4) ? null : feeOf(fill, chance);
  return { ...order, state: quantity === left ? 'closed' : 'working', fills: [...order.fills, { ...fill, fee }] };
}

export function cancelled(order: TrueOrder): TrueOrder {
  return order.state === 'working' ? { ...order, state: 'closed' } : order;
}

/** The same order where it has ended and every fee is known. */
export function finished(order: TrueOrder, chance: Chance): TrueOrder {
  if (order.state !== 'working' && order.fills.every(({ fee }) => fee !== null)) {
    return order;
  }
  const fills = order.fills.map((fill) => ({ ...fill, fee: fill.fee ?? feeOf(fill, chance) }));
  return { ...order, fills, state: order.state === 'working' ? 'closed' : order.state };
}

/** Now and then more than the venue had said. */
function feeOf(fill: { quantity: bigint; price: bigint }, chance: Chance): bigint {
  const bps = chance.pick([0n, 50n, 100n, 100n, 100n, 180n]);
  return (fill.quantity * fill.price * bps) / 10_000n / 1_000_000n;
}
