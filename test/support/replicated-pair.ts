/**
 * Two real PostgreSQL servers: a primary whose commits wait for its streaming standby, and that standby. Made from the
 * embedded programs; the standby begins as a copy of the stopped primary, as pg_basebackup would make one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, lchownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PROGRAM_ENVIRONMENT } from '../../src/db/embedded/cluster.ts';
import { type Account, findClusterPaths, prepareBinaries } from '../../src/db/embedded/cluster-paths.ts';
import { startDatabase } from '../../src/db/embedded/embedded.ts';
import { serverSettings } from '../../src/db/embedded/postmaster.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const STANDBY = 'standby';

export interface ReplicatedPair {
  /** Of the service's role, with both hosts and `target_session_attrs=read-write`. */
  readonly url: string;
  /** Of the role that owns the tables. */
  readonly ownerUrl: string;
  /** Kills the primary (kill -9). */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary; it waits for nobody any more. */
  promoteStandby(): Promise<void>;
  close(): Promise<void>;
}

interface Server {
  readonly port: number;
  readonly process: ChildProcess;
  readonly exited: Promise<void>;
}

/** @param prepare works on the database before it has a standby. */
export async function startReplicatedPair(
  prepare: (url: string) => Promise<void> = async () => {},
): Promise<ReplicatedPair> {
  const dataDir = mkdtempSync(join(tmpdir(), 'inlay-pair-'));
  chmodSync(dataDir, 0o711);
  const alone = await startDatabase(dataDir, { durable: false });
  await migrate(alone.ownerUrl);
  await prepare(alone.url);
  await alone.close();

  const { account, clusterDir, location } = findClusterPaths(dataDir);
  const program = join(prepareBinaries(location, account), 'bin', 'postgres');
  const copy = join(location, 'copy');
  cpSync(clusterDir, copy, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(copy, 'standby.signal'), '');
  chmodSync(copy, 0o700);
  giveTo(account, copy);

  const start = async (folder: string, settings: readonly string[]): Promise<Server> => {
    const port = await freePort();
    const all = [
      ...serverSettings({ durable: false, maxConnections: 100 }).filter((one) => !one.startsWith('synchronous_commit')),
      ...settings,
    ];
    const server = spawn(program, ['-D', folder, '-p', String(port), ...all.flatMap((one) => ['-c', one])], {
      ...account,
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      stdio: 'ignore',
    });
    return { port, process: server, exited: new Promise((resolve) => server.once('exit', () => resolve())) };
  };
  const primary = await start(clusterDir, [`synchronous_standby_names=${STANDBY}`]);
  const { username, password } = new URL(alone.ownerUrl);
  const standby = await start(copy, [
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=${STANDBY}`,
  ]);
  const at = (url: string, port: number) => url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
  const ask = async (port: number, statement: string) => {
    const client = new pg.Client({ connectionString: at(alone.ownerUrl, port) });
    await client.connect();
    try {
      return (await client.query<{ answer: boolean }>(statement)).rows[0]?.answer === true;
    } finally {
      await client.end();
    }
  };
  await until(
    () =>
      ask(primary.port, `select bool_or(sync_state = 'sync') as answer from pg_stat_replication`).catch(() => false),
    Boolean,
    30_000,
  );
  const both = (url: string) =>
    `${url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`)}?target_session_attrs=read-write`;
  const stop = async (server: Server, how: NodeJS.Signals) => {
    server.process.kill(how);
    await server.exited;
  };
  return {
    url: both(alone.url),
    ownerUrl: both(alone.ownerUrl),
    killPrimary: () => stop(primary, 'SIGKILL'),
    promoteStandby: async () => {
      await ask(standby.port, 'select pg_promote(true, 60) as answer');
    },
    close: async () => {
      await Promise.all([stop(primary, 'SIGQUIT'), stop(standby, 'SIGQUIT')]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function giveTo(account: Account | null, folder: string): void {
  if (account === null) {
    return;
  }
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, path), account.uid, account.gid);
  }
  chownSync(folder, account.uid, account.gid);
}
