/**
 * Prometheus metrics of an API process, and `/metrics`, which serves them to this machine only or on a separate port.
 * Labels are routes, codes, venues and the slugs of ten tenants, never ids or customers.
 */
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricValue,
  type MetricValueWithName,
  Registry,
} from '@prometheus-io/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { ApiContext } from '../../context.ts';
import { refuse } from '../../core/errors.ts';
import type { Api } from '../http/api.ts';
import type { RequestObserver } from '../http/hooks.ts';
import { listen, type RunningServer } from '../http/listen.ts';
import { isFromThisMachine } from '../http/requests.ts';
import { registerTradingMetrics, registerVenueMetrics, registerWebhookMetrics } from './gauges.ts';
import { createHealthHandler } from './health.ts';
import { registerObjectives } from './objectives.ts';

export interface Metrics extends RequestObserver {
  readonly registry: Registry;
  /** @param callers how many callers one statement read */
  observeCallersRead(callers: number): void;
  /** Counts the objectives that are measured at intervals, as they are now. */
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
  // `trace_id` labels exemplars only. A registry of the plain format refuses them in the constructor, but not below.
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
    help: 'Callers (a key and the operator it acts for) whose rights were read with one statement.',
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
  // The client builds a label key on every call, so the labelled metrics are looked up once per route and status.
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

const PATH = '/metrics';
/**
 * Serves `/metrics` on the port of the API, for this machine only. Production does not call this, because a proxy on the
 * machine also connects from loopback.
 */
export function serveMetrics(app: Api, metrics: Metrics): void {
  app.route({
    method: 'GET',
    url: PATH,
    config: { auth: 'none', budget: 'metrics' },
    schema: { hide: true },
    handler: async (request, reply) => {
      if (!isFromThisMachine(request)) {
        throw refuse('not_found');
      }
      return sendMetrics(request, reply, metrics);
    },
  });
}

/**
 * Serves `/metrics` and `/api/health` on a separate port, to every client that can reach it. Clients of the API cannot take the connections
 * of this port, so a balancer that probes it never takes a busy process for a dead one.
 * @throws EnvironmentError naming INLAY_METRICS_PORT or INLAY_METRICS_HOST
 */
export async function listenForMetrics(
  metrics: Metrics,
  context: ApiContext,
  host: string,
  port: number,
): Promise<RunningServer> {
  const app = Fastify({ logger: false }).decorate('isStopping', false) as unknown as Api;
  app.get(PATH, (request, reply) => sendMetrics(request, reply, metrics));
  app.get('/api/health', createHealthHandler(app, context));
  return listen(app, host, port, { host: 'INLAY_METRICS_HOST', port: 'INLAY_METRICS_PORT' });
}

const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
async function sendMetrics(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { registry }: Metrics,
): Promise<FastifyReply> {
  return asksForOpenMetrics(headers.accept)
    ? reply.type(OPEN_METRICS_TYPE).send(await renderOpenMetrics(registry))
    : reply.type(registry.contentType).send(await registry.metrics());
}

function asksForOpenMetrics(accept: string | undefined): boolean {
  return accept?.includes('application/openmetrics-text') === true;
}

const TOTAL = /_total$/;

type Labels = Readonly<Partial<Record<string, string | number>>>;

/** The types of the client omit the exemplar. */
type Value = (MetricValue<string> | MetricValueWithName<string>) & {
  readonly exemplar?: { readonly labelSet: Labels; readonly value: number; readonly timestamp: number } | null;
};

/**
 * Renders the metrics as OpenMetrics text, the format that carries exemplars. The client's own rendering of this format
 * renames the counters of the registry for good, so that the plain format would lose their `_total`.
 */
async function renderOpenMetrics(registry: Registry): Promise<string> {
  const metrics = await registry.getMetricsAsJSON();
  const families = metrics.flatMap(({ name, help, type, values }) => {
    const kind = String(type);
    const family = kind === 'counter' ? name.replace(TOTAL, '') : name;
    const sample = kind === 'counter' ? `${family}_total` : name;
    return [
      `# HELP ${family} ${escapeText(help)}`,
      `# TYPE ${family} ${kind}`,
      ...values.map((value) => renderSample(sample, value)),
    ];
  });
  return `${families.join('\n')}\n# EOF\n`;
}

function renderSample(sample: string, value: Value): string {
  const name = 'metricName' in value ? (value.metricName ?? sample) : sample;
  const line = `${name}${renderLabels(value.labels)} ${renderNumber(value.value)}`;
  return value.exemplar == null
    ? line
    : `${line} # ${renderLabels(value.exemplar.labelSet)} ${value.exemplar.value} ${value.exemplar.timestamp}`;
}

function renderLabels(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeText(String(value)).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function renderNumber(value: number): string {
  if (Number.isFinite(value)) {
    return String(value);
  }
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
