/** Where everything of the cluster listens and keeps its data, and what the files of deploy/patroni get from the environment. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../src/core/environment.ts';
import { findPorts } from './ports.ts';
import type { Programs } from './programs.ts';

const PATRONI_YAML = join(projectRoot, 'deploy', 'patroni', 'patroni.yaml');
const HAPROXY_CFG = join(projectRoot, 'deploy', 'patroni', 'haproxy.cfg');
export const PASSWORD = 'of-loopback-only';
const NAMES = ['node-1', 'node-2', 'node-3'] as const;
/** Two of etcd, PostgreSQL and Patroni. */
const PORTS_OF_NODE = 4;

export interface Node {
  readonly name: string;
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
  /** The port of HAProxy. */
  readonly listen: number;
  readonly proxyEnvironment: Readonly<Record<string, string>>;
}

/**
 * `patroni.yaml` of deploy/patroni as it is, except that its watchdog is a named pipe and must be there, and that there are no
 * certificates: all of it is on loopback.
 * @returns JSON, which is YAML
 */
export function patroniSettings(device: string): string {
  const text = readFileSync(PATRONI_YAML, 'utf8')
    .replaceAll('- hostssl ', '- host ')
    .replaceAll(/^ +ssl(_\w+)?: .*\n/gm, '');
  const { watchdog, ...rest } = parse(text) as { watchdog: object };
  return JSON.stringify({ ...rest, watchdog: { ...watchdog, mode: 'required', driver: 'testing', device } });
}

/** `haproxy.cfg` of deploy/patroni, whose checks go without certificates here. */
export function proxySettings(): string {
  return readFileSync(HAPROXY_CFG, 'utf8').replace(/ check-ssl verify required ca-file "[^"]*"/, '');
}

export async function planTopology(folder: string, programs: Programs): Promise<Topology> {
  const ports = await findPorts(PORTS_OF_NODE * NAMES.length + 1);
  const portOf = (node: number, which: number) => ports[node * PORTS_OF_NODE + which] ?? 0;
  const listen = ports.at(-1) ?? 0;
  const clients = NAMES.map((_, index) => `127.0.0.1:${portOf(index, 0)}`);
  const peers = NAMES.map((_, index) => `etcd-${index}=http://127.0.0.1:${portOf(index, 1)}`).join(',');
  const etcd = NAMES.map((_, index): EtcdMember => {
    const [client, peer] = [`http://${clients[index]}`, `http://127.0.0.1:${portOf(index, 1)}`];
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
  const nodes = NAMES.map((name, index): Node => {
    const home = join(folder, name);
    const [port, restPort] = [portOf(index, 2), portOf(index, 3)];
    const environment = {
      PATRONI_NAME: name,
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
    return { name, home, data: join(home, 'data'), environment, settings, watchdog, restPort, port };
  });
  const proxyEnvironment = {
    INLAY_DB_LISTEN: `127.0.0.1:${listen}`,
    ...Object.fromEntries(
      nodes.flatMap(({ port, restPort }, index) => [
        [`INLAY_DB_NODE_${index + 1}`, `127.0.0.1:${port}`],
        [`INLAY_DB_CHECK_HOST_${index + 1}`, '127.0.0.1'],
        [`INLAY_DB_CHECK_PORT_${index + 1}`, String(restPort)],
      ]),
    ),
  };
  return { nodes, etcd, listen, proxyEnvironment };
}
