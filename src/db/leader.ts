/**
 * Leadership among processes by an advisory lock on a connection of its own: whoever holds the connection leads, and
 * whoever loses it has stopped leading the moment the server knows. It decides nothing about what a leader does.
 */
import pg from 'pg';

export interface Leadership {
  /** Rejects never; resolves when leadership ended, by `resign` or because the connection was lost. */
  readonly ended: Promise<void>;
  resign(): Promise<void>;
}

const RETRY_MS = 500;
// The lock is asked for again and again instead of waited for: a statement that waits for hours keeps vacuum from its work.
const KEEP_ALIVE_MS = 5_000;

/**
 * Waits until this process leads; a lost connection meanwhile is made again.
 * @param key a 64-bit number, one for each kind of leadership.
 * @param signal stops the waiting.
 * @returns null when `signal` was raised first.
 */
export async function lead(
  url: string,
  applicationName: string,
  key: bigint,
  signal: AbortSignal,
): Promise<Leadership | null> {
  while (!signal.aborted) {
    const leadership = await stand(url, applicationName, key, signal);
    if (leadership !== null) return leadership;
    await pause(RETRY_MS, signal);
  }
  return null;
}

/** Stands for election on one connection; null where it was lost or `signal` was raised. */
async function stand(
  url: string,
  applicationName: string,
  key: bigint,
  signal: AbortSignal,
): Promise<Leadership | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  const resign = async () => {
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    while (!signal.aborted) {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
        key.toString(),
      ]);
      if (rows[0]?.held === true) return { ended, resign };
      await pause(RETRY_MS, signal);
    }
  } catch {
    // The server is away; it is asked again.
  }
  await resign();
  return null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
