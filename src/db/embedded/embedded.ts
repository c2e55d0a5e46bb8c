/**
 * Opens the database of a process: the one that DATABASE_URL names, or the embedded server of the data folder, which is
 * joined or started.
 */
import { type Environment, EnvironmentError } from '../../core/environment.ts';
import { connect } from '../client.ts';
import { prepareBinaries } from './binaries.ts';
import { ADMIN_ROLE, DATABASE, ensureCluster, OWNER_ROLE, SERVICE_ROLE } from './cluster.ts';
import { type ClusterPaths, findClusterPaths } from './cluster-paths.ts';
import { isAlive, readRunning } from './pid-file.ts';
import { type Held, hold, type StartOptions } from './postmaster.ts';
import { withStartLock } from './start-lock.ts';

export interface Database {
  /** Connection string of the service's own role. */
  readonly url: string;
  /** Connection string of the role that migrates and owns the tables; the same as `url` if only one is configured. */
  readonly ownerUrl: string;
  /** Connection string of the role of the service operator's commands; the same as `url` if only one is configured. */
  readonly adminUrl: string;
  readonly embedded: boolean;
  /** Releases the embedded server, which stops with its last user. Close every pool first. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /**
   * The name of a long-running use of the data folder. There is only one at a time; a second one is refused with this
   * name.
   */
  readonly service?: string;
  /** Only tests turn durability off. */
  readonly durable?: boolean;
  readonly maxConnections?: number;
  /** Called when PostgreSQL is being started; not called if it runs already. */
  readonly onSpawned?: () => void;
}

type Where = Pick<Environment, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'> &
  Partial<Pick<Environment, 'databaseDirectUrl' | 'databaseAdminUrl'>>;

const MAX_CONNECTIONS = 100;
const LOOK_MS = 500;
const TAKEN_WAIT_MS = 2_000;
const SERVICE_LOCK = 7_316_001;

export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** @throws AlreadyRunning if `service` is given and the folder is already in use */
export async function openDatabase(where: Where, options: OpenOptions = {}): Promise<Database> {
  if (where.databaseUrl !== undefined) {
    return {
      url: where.databaseUrl,
      ownerUrl: where.databaseOwnerUrl ?? where.databaseDirectUrl ?? where.databaseUrl,
      adminUrl: where.databaseAdminUrl ?? where.databaseUrl,
      embedded: false,
      close: async () => {},
    };
  }
  const paths = findPaths(where.dataDir);
  const settings = {
    durable: options.durable ?? true,
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    ...(options.onSpawned === undefined ? {} : { onSpawned: options.onSpawned }),
  };
  const { native, held } = await acquire(paths, settings);
  const ownerUrl = urlOf(OWNER_ROLE, paths.ownerPassword, held.port);
  const kept = options.service === undefined ? undefined : await keep(paths, native, held, ownerUrl, options.service);
  return {
    url: urlOf(SERVICE_ROLE, paths.servicePassword, held.port),
    ownerUrl,
    adminUrl: urlOf(ADMIN_ROLE, paths.adminPassword, held.port),
    embedded: true,
    close: kept ?? held.release,
  };
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC']);

/** @throws EnvironmentError if the folder cannot be used */
function findPaths(dataDir: string): ClusterPaths {
  try {
    return findClusterPaths(dataDir);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (NOT_WRITABLE.has(code)) {
      throw new EnvironmentError(`INLAY_DATA_DIR: ${dataDir} cannot be written (${code}); name a folder of your own`);
    }
    throw error;
  }
}

/** A running server is joined without waiting. Only making or starting one needs the lock. */
async function acquire(paths: ClusterPaths, settings: StartOptions): Promise<{ native: string; held: Held }> {
  const get = async () => {
    const native = prepareBinaries(paths.location, paths.account);
    await ensureCluster(paths, native);
    return { native, held: await hold(paths, native, settings) };
  };
  return readRunning(paths) === undefined ? withStartLock(paths, get) : get();
}

function urlOf(role: string, password: string, port: number): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * Marks the folder as in use, and restarts a server that died on the same port, where all pools expect it. The mark is
 * a lock of a database session, so it ends with this process, however the process ends.
 * @returns a function that ends both
 */
async function keep(
  paths: ClusterPaths,
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
    return `${who} already runs in this folder. Stop it first, or set another INLAY_DATA_DIR and PORT for this one.`;
  }

  async function look(): Promise<void> {
    if (isAlive(held.pid)) {
      return;
    }
    try {
      const dead = held;
      held = await hold(paths, native, { durable: true, maxConnections: MAX_CONNECTIONS, port: dead.port });
      await dead.release();
      if (!closed) {
        await claim();
      }
    } catch {
      // retried at the next check; until then requests are answered with 503
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
