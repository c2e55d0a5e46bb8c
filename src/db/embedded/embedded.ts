/** Gives every process of ours a database: the one DATABASE_URL names, or the embedded server of the data folder, joined or started. */
import type { Environment } from '../../core/environment.ts';
import { connect } from '../client.ts';
import { prepareBinaries } from './binaries.ts';
import { DATABASE, ensureCluster, OWNER_ROLE, SERVICE_ROLE } from './cluster.ts';
import { findPlace, type Place } from './cluster-paths.ts';
import { isAlive, readRunning } from './pid-file.ts';
import { type Held, hold, type StartOptions } from './postmaster.ts';
import { withStartLock } from './start-lock.ts';

export interface Database {
  /** Connection string of the service's own role. */
  readonly url: string;
  /** Connection string of the role that migrates and owns the tables; the same as `url` where only one is configured. */
  readonly ownerUrl: string;
  readonly embedded: boolean;
  /** Lets go of the embedded server, which stops with its last user. Close every pool first. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The long-running use of a data folder, of which there is one at a time: a second one is refused by name. */
  readonly service?: string;
  /** Only tests turn durability off. */
  readonly durable?: boolean;
  readonly maxConnections?: number;
  /** Called once PostgreSQL is on its way; not called where nothing has to be started. */
  readonly onSpawned?: () => void;
}

type Where = Pick<Environment, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'>;

const MAX_CONNECTIONS = 100;
const LOOK_MS = 500;
const TAKEN_WAIT_MS = 2_000;
const SERVICE_LOCK = 7_316_001;

export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** @throws AlreadyRunning when `service` is given and the folder is served already. */
export async function openDatabase(where: Where, options: OpenOptions = {}): Promise<Database> {
  if (where.databaseUrl !== undefined) {
    return {
      url: where.databaseUrl,
      ownerUrl: where.databaseOwnerUrl ?? where.databaseUrl,
      embedded: false,
      close: async () => {},
    };
  }
  const place = findPlace(where.dataDir);
  const settings = {
    durable: options.durable ?? true,
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    ...(options.onSpawned === undefined ? {} : { onSpawned: options.onSpawned }),
  };
  const { native, held } = await acquire(place, settings);
  const ownerUrl = urlOf(OWNER_ROLE, place.ownerPassword, held.port);
  const kept = options.service === undefined ? undefined : await keep(place, native, held, ownerUrl, options.service);
  return {
    url: urlOf(SERVICE_ROLE, place.servicePassword, held.port),
    ownerUrl,
    embedded: true,
    close: kept ?? held.release,
  };
}

/** A server that runs is joined without waiting for anybody; to make or start one, processes take turns. */
async function acquire(place: Place, settings: StartOptions): Promise<{ native: string; held: Held }> {
  const get = async () => {
    const native = prepareBinaries(place.location, place.account);
    await ensureCluster(place, native);
    return { native, held: await hold(place, native, settings) };
  };
  return readRunning(place) === undefined ? withStartLock(place, get) : get();
}

function urlOf(role: string, password: string, port: number): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * Marks the folder as served and brings a server that died back on its own port, where all pools look for it.
 * The mark is a lock of a database session, so it ends with this process, however that ends.
 * @returns what lets go of both.
 */
async function keep(
  place: Place,
  native: string,
  first: Held,
  ownerUrl: string,
  service: string,
): Promise<() => Promise<void>> {
  let held = first;
  const sql = connect(ownerUrl, { max: 1, applicationName: `inlay-${service} ${process.pid}` });
  try {
    await claim();
  } catch (error) {
    await sql.end({ timeout: 1 });
    await held.release();
    throw error;
  }
  let closed = false;
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_MS);
  timer.unref();

  async function claim(): Promise<void> {
    const deadline = Date.now() + TAKEN_WAIT_MS;
    for (;;) {
      const [row] = await sql<{ claimed: boolean }[]>`select pg_try_advisory_lock(${SERVICE_LOCK}::int, 0) as claimed`;
      if (row?.claimed === true) {
        return;
      }
      if (Date.now() > deadline) {
        throw new AlreadyRunning(await whoServes());
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function whoServes(): Promise<string> {
    const [holder] = await sql<{ name: string }[]>`
      select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.classid = ${SERVICE_LOCK} and l.granted`;
    const [name, pid] = (holder?.name ?? '').split(' ');
    const who = name === undefined || name === '' ? 'Inlay' : `"${name.replace('-', ' ')}" (process ${pid})`;
    return `${who} already runs in this folder. Stop it first, or give this one its own INLAY_DATA_DIR and PORT.`;
  }

  async function look(): Promise<void> {
    if (isAlive(held.pid)) {
      return;
    }
    try {
      const dead = held;
      held = await hold(place, native, { durable: true, maxConnections: MAX_CONNECTIONS, port: dead.port });
      await dead.release();
      if (!closed) {
        await claim();
      }
    } catch {
      // tried again at the next look; requests answer 503 until then
    }
  }

  return async () => {
    closed = true;
    clearInterval(timer);
    await looking;
    await sql.end({ timeout: 1 });
    await held.release();
  };
}
