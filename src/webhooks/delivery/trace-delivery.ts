/** The span of one attempt at a delivery, in the trace of the order that the event is about. */
import { isTracing, orderTrace, traced } from '../../core/tracing.ts';
import type { Notice } from './signed-request.ts';

const ORDER = /"orderId": ?"([^"]+)"/;

export function traceDelivery<T>({ eventId, type, data }: Notice, work: () => Promise<T>): Promise<T> {
  if (!isTracing()) {
    return work();
  }
  const orderId = ORDER.exec(data)?.[1];
  const options = orderId === undefined ? {} : { parent: orderTrace(orderId) };
  const facts = { 'inlay.event_id': eventId, 'inlay.event_type': type };
  return traced('webhook', { kind: 'client', facts, ...options }, work);
}
