/** A span for each request, under the `traceparent` that the caller sent; everything that the request does runs inside it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, startSpan, traceIdOf } from '../../core/tracing.ts';
import type { Api } from './api.ts';

/** Adds nothing without tracing. It must be the first hook, because later ones run inside the span. */
export function traceRequests(app: Api): void {
  if (!isTracing()) {
    return;
  }
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { traceparent } = request.headers;
    const route = request.routeOptions.config.url ?? 'unknown';
    const span = startSpan(`${request.method} ${route}`, {
      kind: 'server',
      facts: { 'http.request.method': request.method, 'http.route': route, 'inlay.request_id': request.id },
      ...(typeof traceparent === 'string' && traceIdOf(traceparent) !== undefined && { parent: traceparent }),
    });
    request.span = span ?? null;
    // `onResponse` is not called if the client goes away during the answer
    reply.raw.once('close', () => span?.end(new Error('the client went away')));
    span === undefined ? done() : span.run(done);
  });
  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const { span, attribution, orderId } = request;
    span?.set({
      'http.response.status_code': reply.statusCode,
      ...(attribution !== null && { 'inlay.operator_id': attribution.operatorId }),
      ...(orderId !== null && { 'inlay.order_id': orderId }),
    });
    span?.end(reply.statusCode >= 500 ? new Error(`status ${reply.statusCode}`) : undefined);
    done();
  });
}

/** For the log: of the span, or the one that the caller sent. */
export function traceOf({ span, headers }: FastifyRequest): string | null {
  return traceIdOf(span?.traceparent ?? headers['traceparent']) ?? null;
}
