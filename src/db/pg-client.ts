/**
 * node-postgres clients, for what needs a connection of its own: LISTEN, COPY, migrations, jobs. They take an address of
 * several hosts, which node-postgres does not know, and wait for a connection a few seconds only.
 */
import pg from 'pg';
import { readDatabaseUrl, type WantedState } from '../core/database-url.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 5_000;
const CLOSE_MS = 1_000;

type Connected = (error: Error | null) => void;

/** Connects to the first host of its address that answers and is in the wanted state. */
export class HostedClient extends pg.Client {
  readonly #url: string;

  constructor(config: pg.ClientConfig = {}) {
    const url = config.connectionString ?? '';
    super({ ...withDefaults(config), connectionString: firstOf(url) });
    this.#url = url;
    // A connection can end in the moment between its start and the listener of its user, and must not end the process then.
    // Its user meets the error in the next query.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.Client> | undefined {
    const connecting = this.#choose().then(() => super.connect());
    if (connected === undefined) {
      return connecting;
    }
    connecting.then(() => connected(null), connected);
    return undefined;
  }

  /** Says goodbye; a server that does not answer is left. */
  async close(): Promise<void> {
    const { promise: tooLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, CLOSE_MS);
    await Promise.race([this.end().catch(() => {}), tooLate]);
    clearTimeout(timer);
    this.destroy();
  }

  /** Closes the socket at once: in the middle of a COPY, or if the server does not answer, nothing else stops it. */
  destroy(): void {
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } };
    connection.stream.destroy();
  }

  /** @throws the failure of the last host. */
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
