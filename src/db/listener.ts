/**
 * LISTEN, on one separate connection of a process. One is enough for all channels, and more would cost: PostgreSQL wakes each session that
 * listens to anything at each notification. It reconnects by itself and reports each new connection, because notifications sent in between
 * are lost. It runs no queries for others.
 */
import { HostedClient } from './pg-client.ts';

export interface Listener {
  /** Whether the connection is open and listens. */
  readonly connected: boolean;
  /**
   * Listens to a channel. It starts at once and returns before the connection is open.
   * @returns a function that ends it
   */
  listen(channel: string, subscriber: Subscriber): () => void;
  close(): Promise<void>;
}

export interface Subscriber {
  onNotification(payload: string): void;
  /** Called each time the channel is listened to anew, also for the first time: check for what may have been missed. */
  onConnected(): void;
}

/** The name of the session in pg_stat_activity. */
export const listenerName = (role: string): string => `inlay-${role}-listener`;

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** A connection that does not respond within this time is replaced; otherwise notifications would be lost silently. */
const HEARTBEAT_MS = 5_000;

/**
 * It connects when something is listened to.
 * @param url of a server on which LISTEN works, so not of a pooler
 */
export function openListener(url: string, applicationName: string): Listener {
  const subscriptions = new Set<{ readonly channel: string; readonly subscriber: Subscriber }>();
  let client: HostedClient | undefined;
  let connected = false;
  let started = false;
  let closed = false;
  let retryMs = FIRST_RETRY_MS;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  async function open(): Promise<void> {
    const mine = new HostedClient({
      connectionString: url,
      application_name: applicationName,
      query_timeout: HEARTBEAT_MS,
    });
    client = mine;
    mine.on('error', () => lost(mine));
    mine.on('end', () => lost(mine));
    mine.on('notification', ({ channel, payload }) => {
      for (const one of subscriptions) {
        if (one.channel === channel) {
          one.subscriber.onNotification(payload ?? '');
        }
      }
    });
    try {
      await mine.connect();
      // those that come meanwhile are visited as well
      for (const { channel } of subscriptions) {
        await listenOn(mine, channel);
      }
      if (closed || client !== mine) {
        return;
      }
      connected = true;
      heartbeat = setInterval(() => {
        mine.query('select 1').catch(() => lost(mine));
      }, HEARTBEAT_MS);
      retryMs = FIRST_RETRY_MS;
      for (const { subscriber } of subscriptions) {
        subscriber.onConnected();
      }
    } catch {
      lost(mine);
    }
  }

  function lost(from: HostedClient): void {
    if (closed || client !== from) {
      return;
    }
    client = undefined;
    connected = false;
    clearInterval(heartbeat);
    from.destroy();
    timer = setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }

  return {
    get connected() {
      return connected;
    },
    listen(channel, subscriber) {
      const subscription = { channel, subscriber };
      subscriptions.add(subscription);
      const mine = client;
      if (!started) {
        started = true;
        open();
      } else if (connected && mine !== undefined) {
        listenOn(mine, channel).then(subscriber.onConnected, () => lost(mine));
      }
      return () => subscriptions.delete(subscription);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(heartbeat);
      await client?.close();
    },
  };
}

async function listenOn(client: HostedClient, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}
