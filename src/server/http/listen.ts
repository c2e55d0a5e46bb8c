/**
 * Binds a server to its address, explains an address that cannot be used by the name of its variable, and stops without
 * aborting responses.
 */
import { type AddressInfo, createServer } from 'node:net';
import { EnvironmentError } from '../../core/environment.ts';
import type { Api } from './api.ts';

export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Address of the metrics, if they have a separate port. */
  readonly metricsUrl?: string;
  /**
   * Stops: health reports 503 at once; after `noticeMs` new connections are refused; running responses have 8 s to
   * complete, and remaining connections are then closed.
   * @param noticeMs time for a load balancer to notice and send its requests elsewhere
   */
  close(noticeMs?: number): Promise<void>;
}

const SETTINGS = { host: 'HOST', port: 'PORT' };
/** Longer than any response takes: `POST /orders` waits up to 5 s for a venue. */
const GRACE_MS = 8_000;
const IDLE_LOOK_MS = 25;

/**
 * @param names the environment variables of the address, for messages
 * @throws EnvironmentError naming one of them if the address cannot be used; the app is then closed
 */
export async function listen(app: Api, host: string, port: number, names = SETTINGS): Promise<RunningServer> {
  app.addHook('onRequest', (_request, reply, done) => {
    if (app.isStopping) {
      reply.header('connection', 'close');
    }
    done();
  });
  try {
    await app.listen({ host, port, backlog: 1024 });
  } catch (error) {
    await app.close();
    throw explain(error, host, port, names);
  }
  const { address, family, port: bound } = app.server.address() as AddressInfo;
  const shown = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${shown}:${bound}`,
    async close(noticeMs = 0) {
      app.isStopping = true;
      if (noticeMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, noticeMs));
      }
      const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
      // A connection that was answering when the stop began is kept alive by its client afterwards.
      const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
      await app.close().finally(() => {
        clearTimeout(cut);
        clearInterval(idle);
      });
    },
  };
}

/**
 * Reports a taken port before anything else is started.
 * @throws EnvironmentError as `listen` does
 */
export async function expectFreePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ host, port }, resolve));
  } catch (error) {
    throw explain(error, host, port, SETTINGS);
  }
  await new Promise((resolve) => probe.close(resolve));
}

function explain(error: unknown, host: string, port: number, names: typeof SETTINGS): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new EnvironmentError(`${names.port}: ${port} is taken on ${host}; set ${names.port} to a free one`);
    case 'EACCES':
      return new EnvironmentError(
        `${names.port}: not allowed to listen on ${port}; set ${names.port} to one above 1023`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new EnvironmentError(`${names.host}: ${host} is not an address of this machine`);
    default:
      return error;
  }
}
