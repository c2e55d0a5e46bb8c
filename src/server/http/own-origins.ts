/**
 * The origins at which browsers reach this service: `INLAY_PUBLIC_URL`, and the address it listens on. The `Host`
 * header is not used: a page that rebinds its own name to our address would appear in it.
 */
import type { AddressInfo } from 'node:net';
import { isLoopbackAddress } from '../../core/addresses.ts';
import type { Environment } from '../../core/environment.ts';
import type { Api } from './api.ts';

const ANY = new Set(['0.0.0.0', '::']);

/** @returns a function, because the port is known only after the service listens */
export function createOwnOrigins(app: Api, { publicOrigins }: Environment): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | undefined;
  return () => {
    const bound = app.server.address() as AddressInfo | null;
    if (bound === null) {
      return new Set(publicOrigins);
    }
    known ??= new Set([...publicOrigins, ...listeningOrigins(bound)]);
    return known;
  };
}

function listeningOrigins({ address, port, family }: AddressInfo): string[] {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}:${port}`);
  if (ANY.has(address) || isLoopbackAddress(address)) {
    return loopback;
  }
  return [...loopback, `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`];
}
