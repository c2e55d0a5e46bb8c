/** `/metrics` of a worker, on a port of its own. A worker has no API, and stops when it is asked to, so plain HTTP is enough. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from '../context.ts';
import { EnvironmentError } from '../core/environment.ts';
import { createRegistry, renderMetrics } from '../operations/metrics.ts';

interface MetricsServer {
  /** Without a trailing slash; undefined if no port is configured. */
  readonly url: string | undefined;
  close(): Promise<void>;
}

/**
 * Serves the metrics at INLAY_METRICS_HOST and INLAY_WORKER_METRICS_PORT, to every client that can reach them.
 * @throws EnvironmentError naming INLAY_WORKER_METRICS_PORT if it cannot listen there
 */
export async function startMetrics({ environment, ...pools }: Context): Promise<MetricsServer> {
  const { metricsHost: host, workerMetricsPort: port } = environment;
  if (port === undefined) {
    return { url: undefined, close: async () => {} };
  }
  const registry = createRegistry(pools);
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });

  async function answer({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url !== '/metrics' || method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    const { type, text } = await renderMetrics(registry, headers.accept);
    response.writeHead(200, { 'content-type': type }).end(text);
  }

  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new EnvironmentError(`INLAY_WORKER_METRICS_PORT: cannot listen on ${port} of ${host}${code}`);
  }
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
