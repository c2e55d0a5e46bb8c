/**
 * Prometheus metrics of an API process, and `/metrics`, which serves them to this machine only or on a separate port. To those of every
 * process it adds requests, the board and the objectives.
 */
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type { ApiContext } from '../../context.ts';
import { refuse } from '../../core/errors.ts';
import { createRegistry, renderMetrics } from '../../operations/metrics.ts';
import type { Api } from '../http/api.ts';
import type { RequestObserver } from '../http/hooks.ts';
import { listen, type RunningServer } from '../http/listen.ts';
import { isFromThisMachine } from '../http/requests.ts';
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
  const registry = createRegistry(context);
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
  registerBoardMetrics(registry, context);
  const objectives = registerObjectives(registry, context);
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

/** The revision of the board, and the age of each venue's prices. */
function registerBoardMetrics(registry: Registry, { board, clock }: ApiContext): void {
  new Gauge({
    name: 'inlay_board_revision',
    help: 'Revision of the board that this process serves.',
    registers: [registry],
    collect() {
      this.set(Number(board.revision));
    },
  });
  new Gauge({
    name: 'inlay_price_age_seconds',
    help: 'Seconds since the book of an open contract was confirmed: the median and the oldest of a venue.',
    labelNames: ['venue', 'of'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [venue, ages] of agesByVenue()) {
        ages.sort((one, other) => one - other);
        this.set({ venue, of: 'median' }, ages[Math.floor((ages.length - 1) / 2)] ?? 0);
        this.set({ venue, of: 'oldest' }, ages.at(-1) ?? 0);
      }
    },
  });

  function agesByVenue(): Map<string, number[]> {
    const now = clock.now();
    const ages = new Map<string, number[]>();
    for (const contract of board.contracts.values()) {
      for (const { venue } of contract.status === 'open' ? contract.books : []) {
        const seconds = board.ageSeconds(contract, venue, now);
        if (Number.isFinite(seconds)) {
          const known = ages.get(venue) ?? [];
          known.push(seconds);
          ages.set(venue, known);
        }
      }
    }
    return ages;
  }
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

async function sendMetrics({ headers }: FastifyRequest, reply: FastifyReply, metrics: Metrics): Promise<FastifyReply> {
  const { type, text } = await renderMetrics(metrics.registry, headers.accept);
  return reply.type(type).send(text);
}
