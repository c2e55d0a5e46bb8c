/** Prometheus metrics of an API process. Labels are routes, codes, venues and the slugs of ten tenants, never ids or customers. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { ApiContext } from '../../context.ts';
import { registerObjectives } from './objectives.ts';
import { registerTradingMetrics } from './trading-metrics.ts';
import { registerVenueMetrics } from './venue-metrics.ts';
import { registerWebhookMetrics } from './webhook-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  /** @param traceId of a sampled trace: the exemplar of its bucket */
  observeRequest(method: string, route: string, status: number, seconds: number, traceId?: string): void;
  observeCallersRead(callers: number): void;
  /** Counts what the objectives say of this moment; called by the clock. */
  lookAtObjectives(): Promise<void>;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000];

interface Observed {
  readonly seconds: { observe(value: number): void };
  readonly count: { inc(): void };
}

export function createMetrics(context: ApiContext): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'inlay_' });
  // `trace_id` labels exemplars only. They are refused in a registry that is created for the plain format, so it is added below.
  const durations = new Histogram<'method' | 'route' | 'trace_id'>({
    name: 'inlay_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    enableExemplars: true,
    registers: [],
  });
  registry.registerMetric(durations);
  const requests = new Counter({
    name: 'inlay_http_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const batches = new Histogram({
    name: 'inlay_callers_read',
    help: 'Callers (keys, and for whom they act) whose rights were read with one statement.',
    buckets: SIZES,
    registers: [registry],
  });
  new Gauge({
    name: 'inlay_database_pool_max',
    help: 'Connections that the pool may hold.',
    registers: [registry],
    collect() {
      this.set(context.sql.options.max);
    },
  });
  new Gauge({
    name: 'inlay_board_revision',
    help: 'Revision of the board that this process serves.',
    registers: [registry],
    collect() {
      this.set(Number(context.board.revision));
    },
  });
  const objectives = registerObjectives(registry, context);
  registerWebhookMetrics(registry, context.sql);
  registerVenueMetrics(registry, context.sql);
  registerTradingMetrics(registry, context);
  // The client builds a label key on every call, so the children are looked up once per route and status.
  const children = new Map<string, Observed>();
  return {
    registry,
    observeRequest(method, route, status, seconds, traceId) {
      const key = `${method}${status}${route}`;
      let observed = children.get(key);
      if (observed === undefined) {
        observed = { seconds: durations.labels(method, route), count: requests.labels(method, route, String(status)) };
        children.set(key, observed);
      }
      if (traceId === undefined) {
        observed.seconds.observe(seconds);
      } else {
        durations.observe({ labels: { method, route }, value: seconds, exemplarLabels: { trace_id: traceId } });
      }
      observed.count.inc();
      objectives.observeRequest(method, route, status, seconds);
    },
    observeCallersRead: (callers) => batches.observe(callers),
    lookAtObjectives: objectives.look,
  };
}
