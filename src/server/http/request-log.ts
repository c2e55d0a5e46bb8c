/**
 * The id of each request, and one log line and one measurement: caller, address, route, result. It never reads query
 * strings or bodies.
 */

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../core/log.ts';
import { sampledTraceIdOf } from '../../core/telemetry/tracing.ts';
import type { Metrics } from '../health/metrics.ts';
import { traceOf } from './request-traces.ts';

/** What is measured of a request. */
export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Of a sampled trace. */
  readonly traceId?: string | undefined;
}

/** What its log line adds; null is what is not known of it. */
export interface RequestOrigin {
  readonly key: string | null;
  readonly operator: string | null;
  readonly customer: string | null;
  readonly order: string | null;
  readonly trace: string | null;
  readonly address: string | null;
}

/** @param originOf is called if the line is logged */
export type RecordRequest = (answered: AnsweredRequest, originOf: () => RequestOrigin) => void;

export function createRecorder(log: Logger, metrics: Metrics): RecordRequest {
  return ({ id, method, route, status, ms, traceId }, originOf) => {
    metrics.observeRequest(method, route, status, ms / 1000, traceId);
    if (log.isLevelEnabled('info')) {
      log.info({ id, method, route, status, ms: Math.round(ms * 100) / 100, ...originOf() }, 'request');
    }
  };
}

export function createResponseHook(record: RecordRequest) {
  return function observe(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    record(
      {
        id: request.id,
        method: request.method,
        route: request.routeOptions.config.url ?? 'unknown',
        status: reply.statusCode,
        ms: reply.elapsedTime,
        traceId: sampledTraceIdOf(request.span?.traceparent),
      },
      () => ({
        key: request.attribution?.keyId ?? null,
        operator: request.attribution?.operatorId ?? null,
        customer: request.caller?.externalUserId ?? null,
        order: request.orderId,
        trace: traceOf(request),
        address: request.clientAddress,
      }),
    );
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
