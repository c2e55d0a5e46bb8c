/** Listens, and stops without cutting answers off. */
import type { AddressInfo } from 'node:net';
import { EnvironmentError } from '../core/environment.ts';
import type { Api } from './api.ts';

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Refuses new connections, lets running answers end for a moment, then closes what is left. */
  close(): Promise<void>;
}

const GRACE_MS = 3_000;
const IDLE_LOOK_MS = 25;

/** @throws EnvironmentError naming PORT or HOST where the address cannot be listened on. */
export async function listen(app: Api, host: string, port: number): Promise<RunningServer> {
  try {
    await app.listen({ host, port, backlog: 1024 });
  } catch (error) {
    await app.close();
    throw explain(error, host, port);
  }
  const { address, family, port: bound } = app.server.address() as AddressInfo;
  const shown = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${shown}:${bound}`,
    async close() {
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

function explain(error: unknown, host: string, port: number): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new EnvironmentError(`PORT: ${port} is taken on ${host}; set PORT to a free one`);
    case 'EACCES':
      return new EnvironmentError(`PORT: not allowed to listen on ${port}; set PORT to one above 1023`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new EnvironmentError(`HOST: ${host} is not an address of this machine`);
    default:
      return error;
  }
}
