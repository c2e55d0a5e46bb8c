/** Three nodes of PostgreSQL under Patroni, three members of etcd and HAProxy on loopback, by the files of deploy/patroni. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../../src/core/environment.ts';
import { chooseAccount } from '../../src/db/embedded/run-as-account.ts';
import { type Daemon, familyOf, signalAll, startDaemon } from './node-processes.ts';
import { findPorts } from './ports.ts';
import type { Programs } from './programs.ts';

const NODES = ['node-1', 'node-2', 'node-3'] as const;
const PATRONI_YAML = join(projectRoot, 'deploy', 'patroni', 'patroni.yaml');
const HAPROXY_CFG = join(projectRoot, 'deploy', 'patroni', 'haproxy.cfg');
const PASSWORD = 'of-loopback-only';
const ASK_MS = 1_500;
/** Two of etcd, PostgreSQL and Patroni. */
const PORTS_OF_NODE = 4;

const memberSchema = z.object({
  name: z.string(),
  role: z.string(),
  state: z.string(),
  timeline: z.union([z.number(), z.string()]).optional(),
});
export type Member = z.infer<typeof memberSchema>;

export interface Cluster {
  readonly folder: string;
  /** The address of the leader, through HAProxy. */
  address(role: string, database: string): string;
  /** Empty if no node answers. */
  members(): Promise<readonly Member[]>;
  /** The name of the leader that Patroni knows now. */
  leader(): Promise<string | undefined>;
  /** Whether all nodes follow one leader and one of them is a synchronous standby. */
  isWhole(): Promise<boolean>;
  /** Process ids of PostgreSQL on a node, parents first; empty while it does not run. */
  postgresOf(name: string): readonly number[];
  patroniOf(name: string): readonly number[];
  startPatroni(name: string): void;
  killEtcd(index: number): Promise<void>;
  startEtcd(index: number): void;
  switchover(from: string): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly name: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly restPort: number;
  readonly port: number;
}

export async function startCluster(programs: Programs): Promise<Cluster> {
  const account = chooseAccount();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-ha-'));
  chmodSync(folder, 0o755);
  const own = (path: string) => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (account !== null) {
      chownSync(path, account.uid, account.gid);
    }
    return path;
  };
  const launch = (name: string, command: readonly string[], more: Record<string, string> = {}): Daemon =>
    startDaemon({
      command,
      environment: { ...programs.environment, ...more },
      account,
      log: join(folder, `${name}.log`),
    });

  const ports = await findPorts(PORTS_OF_NODE * NODES.length + 1);
  const portOf = (node: number, which: number) => ports[node * PORTS_OF_NODE + which] ?? 0;
  const listen = ports.at(-1) ?? 0;
  const etcds = NODES.map((_, index) => ({ client: portOf(index, 0), peer: portOf(index, 1) }));
  const peers = etcds.map(({ peer }, index) => `etcd-${index}=http://127.0.0.1:${peer}`).join(',');
  const etcdDaemons = new Map<number, Daemon>();
  const startEtcd = (index: number) => {
    const member = etcds[index];
    const data = own(join(folder, `etcd-${index}`));
    const addresses = [`http://127.0.0.1:${member?.peer}`, `http://127.0.0.1:${member?.client}`];
    etcdDaemons.set(
      index,
      launch(`etcd-${index}`, [
        ...[programs.etcd, '--name', `etcd-${index}`, '--data-dir', data, '--log-level', 'warn'],
        ...['--listen-peer-urls', addresses[0] ?? '', '--initial-advertise-peer-urls', addresses[0] ?? ''],
        ...['--listen-client-urls', addresses[1] ?? '', '--advertise-client-urls', addresses[1] ?? ''],
        ...[
          '--initial-cluster',
          peers,
          '--initial-cluster-state',
          existsSync(join(data, 'member')) ? 'existing' : 'new',
        ],
        ...['--heartbeat-interval', '200', '--election-timeout', '2000'],
      ]),
    );
  };
  etcds.forEach((_, index) => {
    startEtcd(index);
  });

  const nodes: Node[] = [];
  for (const [index, name] of NODES.entries()) {
    const [port, restPort] = [portOf(index, 2), portOf(index, 3)];
    const home = own(join(folder, name));
    nodes.push({
      name,
      port,
      restPort,
      data: join(home, 'data'),
      environment: {
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: etcds.map(({ client }) => `127.0.0.1:${client}`).join(','),
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
      },
    });
  }
  const patronis = new Map<string, Daemon>();
  const nodeOf = (name: string): Node => {
    const node = nodes.find((one) => one.name === name);
    if (node === undefined) {
      throw new Error(`there is no node ${name}`);
    }
    return node;
  };
  const startPatroni = (name: string) => {
    patronis.set(name, launch(name, [...programs.patroni, PATRONI_YAML], { ...nodeOf(name).environment }));
  };
  for (const { name } of nodes) {
    startPatroni(name);
  }

  const proxy = launch('haproxy', [programs.haproxy, '-db', '-f', HAPROXY_CFG], {
    INLAY_DB_LISTEN: `127.0.0.1:${listen}`,
    ...Object.fromEntries(
      nodes.flatMap(({ port, restPort }, index) => [
        [`INLAY_DB_NODE_${index + 1}`, `127.0.0.1:${port}`],
        [`INLAY_DB_CHECK_HOST_${index + 1}`, '127.0.0.1'],
        [`INLAY_DB_CHECK_PORT_${index + 1}`, String(restPort)],
      ]),
    ),
  });

  const postgresOf = (name: string): readonly number[] => {
    try {
      const pid = Number(readFileSync(join(nodeOf(name).data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return existsSync(`/proc/${pid}`) ? familyOf(pid) : [];
    } catch {
      return [];
    }
  };
  const patroniOf = (name: string): readonly number[] => {
    const patroni = patronis.get(name);
    const servers = postgresOf(name);
    return patroni === undefined ? [] : familyOf(patroni.pid).filter((pid) => !servers.includes(pid));
  };
  const members = async (): Promise<readonly Member[]> => {
    const answers = await Promise.all(
      nodes.map(({ restPort }) =>
        fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(ASK_MS) })
          .then(async (answer) => z.object({ members: z.array(memberSchema) }).parse(await answer.json()).members)
          .catch(() => []),
      ),
    );
    return answers.find((answer) => answer.length > 0) ?? [];
  };
  const leader = async () => (await members()).find(({ role }) => role === 'leader')?.name;
  return {
    folder,
    address: (role, database) => `postgres://${role}:${PASSWORD}@127.0.0.1:${listen}/${database}`,
    members,
    leader,
    isWhole: async () => {
      const all = await members();
      const followers = all.filter(({ role, state }) => role !== 'leader' && state === 'streaming');
      return (
        all.some(({ role, state }) => role === 'leader' && state === 'running') &&
        followers.length === NODES.length - 1 &&
        followers.some(({ role }) => role === 'sync_standby') &&
        new Set(all.map(({ timeline }) => timeline)).size === 1
      );
    },
    postgresOf,
    patroniOf,
    startPatroni,
    killEtcd: async (index) => {
      const daemon = etcdDaemons.get(index);
      signalAll([daemon?.pid ?? 0], 'SIGKILL');
      await daemon?.exited;
    },
    startEtcd,
    switchover: (from) =>
      new Promise((resolve, reject) => {
        const [program = '', ...args] = programs.patronictl;
        const child = spawn(program, [...args, '-c', PATRONI_YAML, 'switchover', '--force', '--leader', from], {
          env: { ...programs.environment, ...nodeOf(from).environment },
          cwd: '/',
          ...account,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let said = '';
        child.stdout.on('data', (text: Buffer) => {
          said += text.toString();
        });
        child.stderr.on('data', (text: Buffer) => {
          said += text.toString();
        });
        child.once('error', reject);
        child.once('close', () => (/Successfully/.test(said) ? resolve() : reject(new Error(said.trim().slice(-300)))));
      }),
    close: async () => {
      const servers = nodes.flatMap(({ name }) => postgresOf(name));
      const daemons = [proxy, ...patronis.values(), ...etcdDaemons.values()];
      signalAll([...daemons.flatMap(({ pid }) => familyOf(pid)), ...servers], 'SIGKILL');
      await Promise.all(daemons.map(({ exited }) => exited));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
