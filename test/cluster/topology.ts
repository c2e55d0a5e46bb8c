/**
 * Where everything of the cluster listens and keeps its data, and what the files of deploy/patroni or deploy/citus get from the
 * environment.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../src/core/environment.ts';
import { findPorts } from './ports.ts';
import type { Programs } from './programs.ts';

const HAPROXY_CFG = join(projectRoot, 'deploy', 'patroni', 'haproxy.cfg');
export const PASSWORD = 'of-loopback-only';
/** Three members of etcd, each with two ports. */
const ETCD = [0, 1, 2] as const;
const DATABASE = 'inlay';

export interface Plan {
  /** Machines of each group. PostgreSQL alone is one group; of Citus the first is the coordinator, which has three. */
  readonly groups: readonly number[];
  /** The `archive_command` of a group, if it archives its log. */
  readonly archive?: (group: number) => string;
  /** A command line that makes the first data folder of a group out of its backup. */
  readonly restore?: (group: number, data: string) => string;
}

export interface Node {
  readonly name: string;
  readonly group: number;
  readonly home: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The file that its Patroni reads. */
  readonly settings: string;
  /** The named pipe that is its watchdog. */
  readonly watchdog: string;
  /** Of Patroni's REST API. */
  readonly restPort: number;
  readonly port: number;
}

export interface EtcdMember {
  readonly name: string;
  readonly data: string;
  /** The arguments of a first start, or of a later one. */
  args(): readonly string[];
}

export interface Topology {
  readonly nodes: readonly Node[];
  readonly etcd: readonly EtcdMember[];
  /** The port of HAProxy, which is before the first group. */
  readonly listen: number;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
}

interface Settings {
  readonly bootstrap: { readonly dcs: { readonly postgresql: { readonly parameters: object } } };
  readonly watchdog: object;
}

/**
 * `patroni.yaml` of deploy/patroni or deploy/citus as it is, except that its watchdog is a named pipe and must be there, and that there
 * are no certificates: all of it is on loopback. Citus makes four shards of each table in place of 32, so that two cores suffice.
 * @returns JSON, which is YAML
 */
export function patroniSettings({ group, data, watchdog: device }: Node, { groups, archive, restore }: Plan): string {
  const folder = groups.length > 1 ? 'citus' : 'patroni';
  const text = readFileSync(join(projectRoot, 'deploy', folder, 'patroni.yaml'), 'utf8')
    .replaceAll('- hostssl ', '- host ')
    .replaceAll(/^ +ssl(_\w+)?: .*\n/gm, '')
    .replace(/(citus.node_conninfo): .*/, '$1: sslmode=disable\n        citus.shard_count: 4');
  const { watchdog, bootstrap, ...rest } = parse(text) as Settings;
  if (archive !== undefined) {
    Object.assign(bootstrap.dcs.postgresql.parameters, {
      archive_mode: 'on',
      archive_command: archive(group),
    });
  }
  const method = restore && {
    method: 'restore',
    restore: { command: restore(group, data), no_params: true, keep_existing_recovery_conf: true },
  };
  return JSON.stringify({
    ...rest,
    bootstrap: { ...bootstrap, ...method },
    watchdog: { ...watchdog, mode: 'required', driver: 'testing', device },
  });
}

/** `haproxy.cfg` of deploy/patroni, whose checks go without certificates here. */
export function proxySettings(): string {
  return readFileSync(HAPROXY_CFG, 'utf8').replace(/ check-ssl verify required ca-file "[^"]*"/, '');
}

export async function planTopology(folder: string, programs: Programs, { groups }: Plan): Promise<Topology> {
  const machines = groups.flatMap((count, group) => Array.from({ length: count }, () => group));
  const ports = await findPorts(2 * ETCD.length + 2 * machines.length + 1);
  const [listen = 0, ...others] = ports;
  const clients = ETCD.map((index) => `127.0.0.1:${others[2 * index]}`);
  const peerOf = (index: number) => `http://127.0.0.1:${others[2 * index + 1]}`;
  const peers = ETCD.map((index) => `etcd-${index}=${peerOf(index)}`).join(',');
  const etcd = ETCD.map((index): EtcdMember => {
    const [client, peer] = [`http://${clients[index]}`, peerOf(index)];
    const data = join(folder, `etcd-${index}`);
    return {
      name: `etcd-${index}`,
      data,
      args: () => [
        ...['--name', `etcd-${index}`, '--data-dir', data, '--log-level', 'warn'],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--initial-cluster', peers],
        ...['--initial-cluster-state', existsSync(join(data, 'member')) ? 'existing' : 'new'],
        ...['--heartbeat-interval', '200', '--election-timeout', '2000'],
      ],
    };
  });
  const nodes = machines.map((group, index): Node => {
    const name = `node-${index + 1}`;
    const home = join(folder, name);
    const [port = 0, restPort = 0] = others.slice(2 * (ETCD.length + index));
    const environment = {
      PATRONI_NAME: name,
      ...(groups.length > 1 && { PATRONI_CITUS_GROUP: String(group), PATRONI_CITUS_DATABASE: DATABASE }),
      PATRONI_ETCD3_HOSTS: clients.join(','),
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_POSTGRESQL_DATA_DIR: join(home, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: programs.postgresql,
      PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_REWIND_USERNAME: 'rewinder',
      PATRONI_REWIND_PASSWORD: PASSWORD,
      PGCONNECT_TIMEOUT: '3',
      HOME: home,
    };
    const [settings, watchdog] = [join(folder, `${name}.yaml`), join(folder, `${name}.watchdog`)];
    return { name, group, home, data: join(home, 'data'), environment, settings, watchdog, restPort, port };
  });
  const proxyEnvironment = {
    INLAY_DB_LISTEN: `127.0.0.1:${listen}`,
    ...Object.fromEntries(
      nodes
        .filter(({ group }) => group === 0)
        .flatMap(({ port, restPort }, index) => [
          [`INLAY_DB_NODE_${index + 1}`, `127.0.0.1:${port}`],
          [`INLAY_DB_CHECK_HOST_${index + 1}`, '127.0.0.1'],
          [`INLAY_DB_CHECK_PORT_${index + 1}`, String(restPort)],
        ]),
    ),
  };
  return { nodes, etcd, listen, proxyEnvironment };
}
