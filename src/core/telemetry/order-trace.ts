/**
 * The trace of what happens to an order after its request: sending, look-ups, webhooks. Its id is derived from the id of
 * the order, so every process continues the same trace and nothing has to be stored. The request links to it.
 */
import { createHash } from 'node:crypto';

/** @returns a `traceparent` that is sampled */
export function orderTrace(orderId: string): string {
  const digest = createHash('sha256').update(`inlay order ${orderId}`).digest('hex');
  return `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01`;
}
