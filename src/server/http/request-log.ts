/**
 * The id of each request, and one log line and one measurement: caller, address, route, result. It never reads query
 * strings or bodies.
 */

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../core/log.ts';
import { sampledTraceIdOf } from '../../core/tracing.ts';
import type { Metrics } from '../health/metrics.ts';
import { traceOf } from './request-traces.ts';

export function createResponseHook(log: Logger, metrics: Metrics) {
  return function observe(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { id, method } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.config.url ?? 'unknown';
    metrics.observeRequest(method, route, status, elapsedTime / 1000, sampledTraceIdOf(request.span?.traceparent));
    if (log.isLevelEnabled('info')) {
      const line = {
        id,
        method,
        route,
        status,
        ms: Math.round(elapsedTime * 100) / 100,
        key: request.attribution?.keyId ?? null,
        operator: request.attribution?.operatorId ?? null,
        customer: request.caller?.externalUserId ?? null,
        order: request.orderId,
        trace: traceOf(request),
        address: request.clientAddress,
      };
      log.info(line, 'request');
    }
    done();
  };
}

export function newRequestIds(): () => string {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `req_${process}${count.toString(36).padStart(6, '0')}`;
  };
}
