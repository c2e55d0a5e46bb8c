/**
 * `/metrics`: on a separate port (`INLAY_METRICS_PORT`), otherwise on the API's port for this machine only, and in production not at
 * all: a proxy on the machine also comes from loopback. Outside production a request with a forwarding header is refused, and
 * one for another name than this machine's, which a page in a browser may have bound to it.
 */
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { isLoopbackAddress } from '../../core/addresses.ts';
import { refuse } from '../../core/errors.ts';
import type { Api } from '../http/api.ts';
import { listen, type RunningServer } from '../listen.ts';
import type { Metrics } from './metrics.ts';
import { asksForOpenMetrics, OPEN_METRICS_TYPE, renderOpenMetrics } from './open-metrics.ts';

const PATH = '/metrics';
const LOCALHOST = /^localhost(:\d+)?$/;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

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

/** @throws EnvironmentError naming INLAY_METRICS_PORT or INLAY_METRICS_HOST */
export async function listenForMetrics(metrics: Metrics, host: string, port: number): Promise<RunningServer> {
  const app = Fastify({ logger: false });
  app.get(PATH, (request, reply) => sendMetrics(request, reply, metrics));
  return listen(app as unknown as Api, host, port, { host: 'INLAY_METRICS_HOST', port: 'INLAY_METRICS_PORT' });
}

async function sendMetrics(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { registry }: Metrics,
): Promise<FastifyReply> {
  return asksForOpenMetrics(headers.accept)
    ? reply.type(OPEN_METRICS_TYPE).send(await renderOpenMetrics(registry))
    : reply.type(registry.contentType).send(await registry.metrics());
}

function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const isAddressed = LOCALHOST.test(headers.host ?? '') || isLoopbackAddress(headers.host);
  return (
    isAddressed && isLoopbackAddress(raw.socket.remoteAddress) && FORWARDED.every((name) => headers[name] === undefined)
  );
}
