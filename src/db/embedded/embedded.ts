/**
 * Opens the database of a process: the one that DATABASE_URL names, or the embedded server of the data folder. That server
 * belongs to `inlay up`, which starts and stops it; every other process uses it while it runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, EnvironmentError, readDatabaseUrl } from '../../core/environment.ts';
import { connect } from '../client.ts';
import { ADMIN_ROLE, AUDIT_ROLE, DATABASE, ensureCluster, OWNER_ROLE, SERVICE_ROLE } from './cluster.ts';
import { type ClusterPaths, findClusterPaths, prepareBinaries, readClusterPaths } from './cluster-paths.ts';
import { isAlive, type Postmaster, readRunning, startPostmaster, stop, untilReady } from './postmaster.ts';

export interface Database {
  /** Connection string of the service's own role. */
  readonly url: string;
  /** Connection string of the role that migrates and owns the tables; the same as `url` if only one is configured. */
  readonly ownerUrl: string;
  /** Connection string of the role of the service operator's commands; the same as `url` if only one is configured. */
  readonly adminUrl: string;
  /** Connection string of the auditor's role; the same as `url` if only one is configured. */
  readonly auditUrl: string;
  readonly embedded: boolean;
  /** Stops the server if this process started it. Close every pool first. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Only tests turn durability off. */
  readonly durable?: boolean;
  readonly maxConnections?: number;
  /** Called as soon as PostgreSQL is being started, so that the caller can do other work meanwhile. */
  readonly onSpawned?: (() => void) | undefined;
}

type Where = Pick<Environment, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'> &
  Partial<Pick<Environment, 'databaseDirectUrl' | 'databaseAdminUrl' | 'databaseAuditUrl'>>;

const MAX_CONNECTIONS = 100;
const START_DEADLINE_MS = 60_000;
const RETRY_MS = 500;
/** How long a server without a visible owner may still be that of a process that is just starting. */
const OWNER_WAIT_MS = 2_000;
const OWNER_LOOK_MS = 100;
/** The session by which another start sees the owner of this server; the process number follows. */
const OWNER = 'inlay-up';

/** A second `up` in one folder. */
export class AlreadyRunning extends Error {
  override name = 'AlreadyRunning';
}

/** No DATABASE_URL is set and no `up` runs in the folder. */
export class DatabaseNotRunning extends Error {
  override name = 'DatabaseNotRunning';
}

/** The embedded server runs and takes no connections: it starts, recovers from a crash, or stops. */
export class DatabaseStarting extends Error {
  override name = 'DatabaseStarting';
}

/**
 * @param waitMs how long an embedded server that starts is waited for, in milliseconds
 * @throws DatabaseNotRunning, DatabaseStarting
 */
export async function openDatabase(where: Where, waitMs?: number): Promise<Database> {
  const close = async () => {};
  if (where.databaseUrl !== undefined) {
    return {
      url: where.databaseUrl,
      ownerUrl: where.databaseOwnerUrl ?? where.databaseDirectUrl ?? where.databaseUrl,
      adminUrl: where.databaseAdminUrl ?? where.databaseUrl,
      auditUrl: where.databaseAuditUrl ?? where.databaseDirectUrl ?? where.databaseUrl,
      embedded: false,
      close,
    };
  }
  const paths = readClusterPaths(where.dataDir);
  const running = paths === undefined ? undefined : readRunning(paths);
  const ready = paths === undefined || running === undefined ? undefined : await untilReady(paths, running.pid, waitMs);
  if (paths === undefined || ready === undefined) {
    if (running !== undefined && isAlive(running.pid)) {
      throw new DatabaseStarting(`PostgreSQL (process ${running.pid}) of ${where.dataDir} takes no connections yet.`);
    }
    throw new DatabaseNotRunning(`DATABASE_URL is not set, and no service runs in ${where.dataDir}.`);
  }
  const urls = urlsOf(paths, ready.port);
  const { databaseAdminUrl } = where;
  const adminUrl = databaseAdminUrl === undefined ? urls.adminUrl : atServer(databaseAdminUrl, ready.port);
  return { ...urls, adminUrl, embedded: true, close };
}

/**
 * Starts the embedded server of a folder, and starts it again on the same port, where all pools expect it, if it dies.
 * @throws AlreadyRunning if another process has started it; EnvironmentError if the folder cannot be used
 */
export async function startDatabase(dataDir: string, options: StartOptions = {}): Promise<Database> {
  const paths = findPaths(dataDir);
  const settings = { durable: true, maxConnections: MAX_CONNECTIONS, ...options };
  const native = prepareBinaries(paths.location, paths.account);
  await ensureCluster(paths, native);
  const start = async (port?: number): Promise<Postmaster> => {
    const deadline = Date.now() + START_DEADLINE_MS;
    while (Date.now() < deadline) {
      await stopAbandoned(paths);
      const started = await startPostmaster(paths, native, settings, port);
      if (started !== undefined) {
        return started;
      }
    }
    throw new Error(`PostgreSQL did not become ready in time; its log is ${paths.log}`);
  };
  let server = await start();
  const urls = urlsOf(paths, server.port);
  const mark = connect(maintenanceUrl(paths, server.port), { max: 1, applicationName: `${OWNER} ${process.pid}` });
  await mark`select 1`;
  let closed = false;
  const keep = async () => {
    for (;;) {
      await server.exited;
      if (closed) {
        return;
      }
      try {
        server = await start(server.port);
        await mark`select 1`;
      } catch {
        // tried again; until then requests are refused with 503
        await sleep(RETRY_MS);
      }
      if (closed) {
        await server.stop();
      }
    }
  };
  const kept = keep();
  return {
    ...urls,
    embedded: true,
    close: async () => {
      closed = true;
      await mark.end({ timeout: 1 });
      await server.stop();
      await kept;
    },
  };
}

/**
 * Stops a server whose owner was killed on a system whose kernel does not stop it.
 * @throws AlreadyRunning if the owner lives
 */
async function stopAbandoned(paths: ClusterPaths): Promise<void> {
  const running = readRunning(paths);
  if (running === undefined) {
    return;
  }
  const ready = await untilReady(paths, running.pid);
  const owner = ready === undefined ? undefined : await seeOwner(maintenanceUrl(paths, ready.port));
  if (owner !== undefined) {
    throw new AlreadyRunning(
      `"inlay up" (process ${owner}) already runs in this folder. Stop it first, or set another INLAY_DATA_DIR and PORT for this one.`,
    );
  }
  await stop(running.pid);
}

/** The process that started the server; undefined if none is seen for a while, or if the server is stopping. */
async function seeOwner(url: string): Promise<number | undefined> {
  const sql = connect(url, { max: 1, applicationName: 'inlay-starting' });
  try {
    for (const deadline = Date.now() + OWNER_WAIT_MS; Date.now() < deadline; await sleep(OWNER_LOOK_MS)) {
      const owners = await sql<{ name: string }[]>`
        select application_name as name from pg_stat_activity where application_name like ${`${OWNER} %`}`;
      const owner = owners.map(({ name }) => Number(name.split(' ')[1])).find(isAlive);
      if (owner !== undefined) {
        return owner;
      }
    }
  } catch {
    // it ends meanwhile
  } finally {
    await sql.end({ timeout: 1 });
  }
  return undefined;
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC']);

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

function urlsOf(paths: ClusterPaths, port: number): Pick<Database, 'url' | 'ownerUrl' | 'adminUrl' | 'auditUrl'> {
  return {
    url: urlOf(SERVICE_ROLE, paths.servicePassword, port),
    ownerUrl: urlOf(OWNER_ROLE, paths.ownerPassword, port),
    adminUrl: urlOf(ADMIN_ROLE, paths.adminPassword, port),
    auditUrl: urlOf(AUDIT_ROLE, paths.auditPassword, port),
  };
}

/** The login in an address, whatever its host, port and database: the port changes with each start. */
function atServer(login: string, port: number): string {
  const url = new URL(readDatabaseUrl(login).withHost({ name: '127.0.0.1', port }));
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/** The URL of another database than ours, because a session in ours would prevent copying it. */
function maintenanceUrl(paths: ClusterPaths, port: number): string {
  return urlOf(OWNER_ROLE, paths.ownerPassword, port, 'postgres');
}

function urlOf(role: string, password: string, port: number, database = DATABASE): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}
