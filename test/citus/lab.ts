/**
 * Citus on one machine: a coordinator and workers, started from the PostgreSQL that CITUS_PG_CONFIG names. Their data is in a folder
 * that leaves with them, and nothing is written through to the disk.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ADMIN_ROLE, AUDIT_ROLE, DATABASE, OWNER_ROLE, SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import { chooseAccount } from '../../src/db/embedded/cluster-paths.ts';
import { freePort } from '../support/free-port.ts';

/** Where a server listens, and the folder of its data. */
export interface Place {
  readonly port: number;
  readonly data: string;
}

export interface Server extends Place {
  /** As a superuser. @param database by default that of the service */
  query<Row extends pg.QueryResultRow>(statement: string, database?: string): Promise<Row[]>;
  /** Ends it and all of its sessions at once, as a machine that loses power does. */
  kill(): void;
  start(): void;
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
  "shared_preload_libraries = 'citus'",
  "wal_level = 'logical'",
  "max_prepared_transactions = '200'",
  "max_connections = '300'",
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  "fsync = 'off'",
  "full_page_writes = 'off'",
  "max_worker_processes = '64'",
  "citus.enable_unsafe_triggers = 'on'",
  "citus.propagate_set_commands = 'local'",
  "citus.shard_count = '4'",
  "citus.enable_statistics_collection = 'off'",
];

/**
 * The folder of its programs.
 * @param pgConfig the `pg_config` of a PostgreSQL
 * @throws Error if it has no Citus
 */
export function findCitus(pgConfig = 'pg_config'): string {
  const { stdout } = spawnSync(pgConfig, ['--bindir', '--pkglibdir'], { encoding: 'utf8' });
  const [bin, libraries] = (stdout ?? '').trim().split('\n');
  if (bin === undefined || libraries === undefined || !existsSync(join(libraries, 'citus.so'))) {
    throw new Error('Citus not found');
  }
  return bin;
}

/** @param bin folder of the programs of a PostgreSQL that has Citus. @param workers none is one plain server */
export async function openLab(bin: string, workers: number): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-citus-'));
  chmodSync(folder, 0o755);
  const servers = await Promise.all(
    Array.from({ length: workers + 1 }, async (_, index) => {
      const server = await makeServer(bin, join(folder, String(index)));
      server.start();
      await server.query(`create role ${OWNER_ROLE} login`, 'postgres');
      await server.query(`create database ${DATABASE} owner ${OWNER_ROLE}`, 'postgres');
      if (workers > 0) {
        await server.query('create extension citus');
      }
      return server;
    }),
  );
  const [coordinator, ...others] = servers as [Server, ...Server[]];
  if (workers > 0) {
    await coordinator.query(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  }
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
  // tests that damage rows do it with triggers out of the way
  for (const server of servers) {
    await server.query(`grant set on parameter session_replication_role to ${OWNER_ROLE}`);
  }
  return {
    coordinator,
    workers: others,
    url: (role = SERVICE_ROLE) => `postgres://${role}@127.0.0.1:${coordinator.port}/${DATABASE}`,
    closeTemplate: async () => {
      for (const server of servers) {
        await server.query(`alter database ${DATABASE} allow_connections false`, 'postgres');
        await server.query(
          `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${DATABASE}'`,
          'postgres',
        );
      }
    },
    close: async () => {
      for (const server of servers) {
        server.kill();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeServer(bin: string, folder: string): Promise<Server> {
  const account = chooseAccount();
  mkdirSync(folder);
  if (account !== null) {
    chownSync(folder, account.uid, account.gid);
  }
  const data = join(folder, 'data');
  run(
    bin,
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '--auth',
    'trust',
    '--locale',
    'C',
    '--encoding',
    'UTF8',
    '--no-sync',
  );
  const port = await freePort();
  appendFileSync(join(data, 'postgresql.conf'), [...SETTINGS, `port = ${port}`, ''].join('\n'));
  return serverAt(bin, { port, data });
}

/** A server of the lab, as every process can reach it. */
export function serverAt(bin: string, { port, data }: Place): Server {
  const address = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  return {
    port,
    data,
    query: (statement, database = DATABASE) => ask(address(database), statement),
    kill: () => run(bin, 'pg_ctl', 'stop', '-D', data, '-m', 'immediate'),
    start: () => run(bin, 'pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'server.log')),
  };
}

function run(bin: string, program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(join(bin, program), args, {
    ...chooseAccount(),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`${program} failed: ${stderr}`);
  }
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
