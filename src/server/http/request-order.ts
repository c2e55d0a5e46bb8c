/** Which order a request is about, for its log line and its trace. */
import type { FastifyRequest } from 'fastify';
import { orderTrace } from '../../core/tracing.ts';

const ORDER_ID = /^ord_[\w-]{1,64}$/;

/** Ids that cannot be those of an order are ignored, since callers choose them. */
export function noteOrder(request: FastifyRequest, orderId: unknown): void {
  if (typeof orderId === 'string' && ORDER_ID.test(orderId)) {
    request.orderId = orderId;
    request.span?.link(orderTrace(orderId));
  }
}
