/**
 * Citus on one machine: a coordinator and workers, started from the PostgreSQL that CITUS_PG_CONFIG names. Their data is in a folder
 * that leaves with them, and nothing is written through to the disk.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ADMIN_ROLE, AUDIT_ROLE, DATABASE, OWNER_ROLE, SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { chooseAccount } from '../../src/db/embedded/run-as-account.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

export interface Server {
  readonly port: number;
  /** As a superuser, in the database of the service or in the maintenance database. */
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
  maintain(statement: string): Promise<void>;
  /** Ends it and all of its sessions at once, as a machine that loses power does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface Lab {
  readonly coordinator: Server;
  readonly workers: readonly Server[];
  /** @param role by default that of the service */
  url(role?: string): string;
  /** Ends all sessions of the database and lets in no other, so that it can be cloned. */
  closeTemplate(): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=200',
  'max_connections=300',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'full_page_writes=off',
  'max_worker_processes=64',
  'citus.enable_unsafe_triggers=on',
  'citus.propagate_set_commands=local',
  'citus.shard_count=4',
  'citus.enable_statistics_collection=off',
];
const STARTS_WITHIN_MS = 60_000;

/** The folder of its programs. @param pgConfig the `pg_config` of a PostgreSQL that has Citus */
export function findCitus(pgConfig = 'pg_config'): string {
  const { status, stdout, stderr } = spawnSync(pgConfig, ['--bindir'], { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`${pgConfig} says nothing: ${stderr}`);
  }
  return stdout.trim();
}

/** @param bin folder of the programs of a PostgreSQL that has Citus */
export async function openLab(bin: string, workers: number): Promise<Lab> {
  const account = chooseAccount();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-citus-'));
  chmodSync(folder, 0o755);
  const servers = await Promise.all(
    Array.from({ length: workers + 1 }, async (_, index) => {
      const server = await makeServer(bin, join(folder, String(index)), account);
      await server.start();
      await server.maintain(`create role ${OWNER_ROLE} login`);
      await server.maintain(`create database ${DATABASE} owner ${OWNER_ROLE}`);
      await server.query('create extension citus');
      return server;
    }),
  );
  const [coordinator, ...others] = servers as [Server, ...Server[]];
  await coordinator.query(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of others) {
    await coordinator.query(`select citus_add_node('127.0.0.1', ${port})`);
  }
  // Made on every server by Citus. A worker reads as the tenants' role, so it may log in; the others write by copying rows, which
  // PostgreSQL refuses to a role that has policies, even if they let it do everything.
  for (const role of [
    `${SERVICE_ROLE} bypassrls`,
    `${ADMIN_ROLE} bypassrls`,
    `${AUDIT_ROLE} bypassrls`,
    'inlay_tenant',
  ]) {
    await coordinator.query(`create role ${role} login`);
  }
  await coordinator.query(`grant inlay_tenant to ${SERVICE_ROLE}, ${ADMIN_ROLE}`);
  return {
    coordinator,
    workers: others,
    url: (role = SERVICE_ROLE) => `postgres://${role}@127.0.0.1:${coordinator.port}/${DATABASE}`,
    closeTemplate: async () => {
      for (const server of servers) {
        await server.maintain(`alter database ${DATABASE} allow_connections false`);
        await server.maintain(
          `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${DATABASE}'`,
        );
      }
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeServer(bin: string, data: string, account: ReturnType<typeof chooseAccount>): Promise<Server> {
  const options = { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
  const parent = mkdtempSync(`${data}-`);
  if (account !== null) {
    chownSync(parent, account.uid, account.gid);
  }
  const cluster = join(parent, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', cluster, '-U', 'postgres', '--auth', 'trust', '--locale', 'C', '--encoding', 'UTF8', '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${made.stderr}`);
  }
  const port = await freePort();
  let running: ChildProcess | undefined;
  const server: Server = {
    port,
    query: (statement) => ask(`postgres://postgres@127.0.0.1:${port}/${DATABASE}`, statement),
    maintain: async (statement) => {
      await ask(`postgres://postgres@127.0.0.1:${port}/postgres`, statement);
    },
    kill: async () => {
      if (running !== undefined) {
        const ended = new Promise((resolve) => running?.once('exit', resolve));
        running.kill('SIGQUIT');
        await ended;
        running = undefined;
      }
    },
    start: async () => {
      const args = ['-D', cluster, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])];
      running = spawn(join(bin, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'ignore'] });
      const answers = async () => {
        const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
        client.on('error', () => {});
        return client.connect().then(
          () => client.end().then(() => true),
          () => false,
        );
      };
      await until(answers, (ready) => ready, STARTS_WITHIN_MS);
    },
  };
  return server;
}

async function ask<Row extends pg.QueryResultRow>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
