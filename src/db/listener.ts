/**
 * LISTEN on a separate connection. It reconnects by itself and reports each new connection, because notifications sent in between are lost.
 * It runs no queries for others.
 */
import { HostedClient } from './pg-client.ts';

export interface ListenerOptions {
  readonly url: string;
  readonly applicationName: string;
  readonly channels: readonly string[];
  onNotification(channel: string, payload: string): void;
  /** Called after each connection is open and listening, including the first: check for what may have been missed. */
  onConnected(): void;
  onLost?(error: unknown): void;
}

export interface Listener {
  readonly connected: boolean;
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** A listening connection that does not respond within this time is replaced; otherwise notifications would be lost silently. */
const HEARTBEAT_MS = 5_000;

/** Starts at once and returns before the first connection is open. */
export function openListener(options: ListenerOptions): Listener {
  let client: HostedClient | undefined;
  let connected = false;
  let closed = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const mine = new HostedClient({
      connectionString: options.url,
      application_name: options.applicationName,
      query_timeout: HEARTBEAT_MS,
    });
    client = mine;
    mine.on('error', (error) => lost(mine, error));
    mine.on('end', () => lost(mine, undefined));
    mine.on('notification', ({ channel, payload }) => options.onNotification(channel, payload ?? ''));
    try {
      await mine.connect();
      for (const channel of options.channels) {
        await mine.query(`listen ${mine.escapeIdentifier(channel)}`);
      }
      if (closed || client !== mine) {
        return;
      }
      connected = true;
      heartbeat = setInterval(() => {
        mine.query('select 1').catch((error: unknown) => lost(mine, error));
      }, HEARTBEAT_MS);
      retryMs = FIRST_RETRY_MS;
      options.onConnected();
    } catch (error) {
      lost(mine, error);
    }
  }

  function lost(from: HostedClient, error: unknown): void {
    if (closed || client !== from) {
      return;
    }
    client = undefined;
    connected = false;
    clearInterval(heartbeat);
    from.destroy();
    options.onLost?.(error);
    timer = setTimeout(openSoon, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  function openSoon(): void {
    open().catch((error: unknown) => options.onLost?.(error));
  }

  openSoon();

  return {
    get connected() {
      return connected;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(heartbeat);
      await client?.close();
    },
  };
}
