/**
 * node-postgres clients for work that needs a connection of its own: LISTEN, COPY, migrations, jobs. They accept an
 * address with several hosts, which node-postgres does not support, and wait only a few seconds for a connection.
 */
import pg from 'pg';
import { readDatabaseUrl, type WantedState } from '../core/environment.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
const CLOSE_MS = 1_000;

type Connected = (error: Error | null) => void;

/** Connects to the first host of its address that answers and has the wanted state. */
export class HostedClient extends pg.Client {
  readonly #url: string;

  constructor(config: pg.ClientConfig = {}) {
    const url = config.connectionString ?? '';
    super({ ...withDefaults(config), connectionString: firstOf(url) });
    this.#url = url;
    // A connection can end between its start and the moment at which its user adds a listener; that must not end the
    // process. The user gets the error from the next query.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.Client> | undefined {
    const connecting = this.#choose()
      .then(() => super.connect())
      .catch(nameLateness);
    if (connected === undefined) {
      return connecting;
    }
    connecting.then(() => connected(null), connected);
    return undefined;
  }

  /** Closes the connection in order; a server that does not answer is abandoned. */
  async close(): Promise<void> {
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.end().catch(() => {}), tooLate]);
    clearTimeout(timer);
    this.destroy();
  }

  /** Closes the socket at once. Nothing else stops a COPY in progress or a server that does not answer. */
  destroy(): void {
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } };
    connection.stream.destroy();
  }

  /** @throws the error of the last host */
  async #choose(): Promise<void> {
    const { hosts, wanted, withHost } = readDatabaseUrl(this.#url);
    if (hosts.length === 1 && wanted === 'any') {
      return;
    }
    let failure: unknown;
    for (const host of hosts) {
      try {
        if (await isInState(withHost(host), wanted)) {
          this.host = host.name;
          this.port = host.port;
          return;
        }
        failure ??= Object.assign(new Error(`no host of the address is ${wanted}`), { code: 'NO_SUITABLE_HOST' });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

/** node-postgres gives the error of a host that does not answer in time no code; this is the one of postgres.js. */
function nameLateness(error: unknown): never {
  if (error instanceof Error && error.message === 'timeout expired') {
    throw Object.assign(
      new Error(`PostgreSQL did not answer within ${CONNECT_TIMEOUT_MS / 1000} seconds`, { cause: error }),
      {
        code: 'CONNECT_TIMEOUT',
      },
    );
  }
  throw error;
}

function withDefaults(config: pg.ClientConfig): pg.ClientConfig {
  return {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...config,
  };
}

function firstOf(url: string): string {
  const { hosts, wanted, withHost } = readDatabaseUrl(url);
  const [first] = hosts;
  return first === undefined || (hosts.length === 1 && wanted === 'any') ? url : withHost(first);
}

async function isInState(url: string, wanted: WantedState): Promise<boolean> {
  const client = new pg.Client(
    withDefaults({ connectionString: url, application_name: 'inlay-host', query_timeout: CONNECT_TIMEOUT_MS }),
  );
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ recovering: boolean; read_only: boolean }>(
      `select pg_is_in_recovery() as recovering, current_setting('transaction_read_only') = 'on' as read_only`,
    );
    const { recovering = true, read_only: readOnly = true } = rows[0] ?? {};
    switch (wanted) {
      case 'primary':
        return !recovering;
      case 'standby':
        return recovering;
      case 'read-write':
        return !readOnly;
      case 'read-only':
        return readOnly;
      default:
        return true;
    }
  } finally {
    client.end().catch(() => {});
  }
}
