/** How the exchange of a simulated world words its answers: as the paper venue does. */
import { microsDecimal } from '../../src/venues/shapes.ts';
import type { HttpAnswer } from './network.ts';
import type { TrueOrder } from './true-order.ts';

/** Quantities and prices still in millionths. */
export function worded({ expiresAtMs, received, ...order }: TrueOrder) {
  return { ...order, orderId: `v-${order.ourId}`, receivedAt: received };
}

/** Every bigint in `body` is in millionths. */
export function jsonAnswer(status: number, body: object, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return {
    status,
    headers,
    body: JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? microsDecimal(value) : value)),
  };
}
