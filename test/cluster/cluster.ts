/**
 * PostgreSQL under Patroni, three members of etcd and HAProxy on loopback. By the files of deploy/patroni it is one group of three nodes;
 * by those of deploy/citus, a group for the coordinator and one for each worker.
 */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { chooseAccount } from '../../src/db/embedded/cluster-paths.ts';
import { type Machine, openMachine } from './machine.ts';
import { type Daemon, familyOf, signalAll, startDaemon } from './node-processes.ts';
import type { Programs } from './programs.ts';
import { type Node, PASSWORD, type Plan, patroniSettings, planTopology, proxySettings } from './topology.ts';

const ASK_MS = 4_000;

const memberSchema = z.object({
  name: z.string(),
  role: z.string(),
  state: z.string(),
  timeline: z.union([z.number(), z.string()]).optional(),
});
export type Member = z.infer<typeof memberSchema>;

export interface Cluster {
  readonly folder: string;
  /** The first is the one that HAProxy leads to. */
  readonly groups: readonly Group[];
  /** The address of the leader of the first group, through HAProxy. */
  address(role: string, database: string): string;
  close(): Promise<void>;
}

/** Nodes that follow one leader. */
export interface Group {
  /** The address of a node, without HAProxy. */
  addressOf(name: string, role: string, database: string): string;
  /** Empty if no node answers. */
  members(): Promise<readonly Member[]>;
  /** The name of the leader that Patroni knows now. */
  leader(): Promise<string | undefined>;
  /** Whether all nodes follow one leader and one of them is a synchronous standby. */
  isWhole(): Promise<boolean>;
  machine(name: string): Machine;
  killEtcd(index: number): Promise<void>;
  startEtcd(index: number): void;
  switchover(from: string): Promise<void>;
}

/** @param onReset is told the name of each node that its watchdog reset */
export async function startCluster(programs: Programs, plan: Plan, onReset: (name: string) => void): Promise<Cluster> {
  const account = chooseAccount();
  const folder = mkdtempSync(join(tmpdir(), 'inlay-ha-'));
  chmodSync(folder, 0o755);
  const { nodes, etcd, listen, proxyEnvironment } = await planTopology(folder, programs, plan);
  for (const path of [...nodes.map(({ home }) => home), ...etcd.map(({ data }) => data)]) {
    mkdirSync(path, { mode: 0o700 });
    if (account !== null) {
      chownSync(path, account.uid, account.gid);
    }
  }
  const launch = (name: string, command: readonly string[], more: Readonly<Record<string, string>> = {}): Daemon =>
    startDaemon({
      command,
      environment: { ...programs.environment, ...more },
      account,
      log: join(folder, `${name}.log`),
    });

  const etcdDaemons = new Map<number, Daemon>();
  const startEtcd = (index: number) => {
    const member = etcd[index];
    if (member !== undefined) {
      etcdDaemons.set(index, launch(member.name, [programs.etcd, ...member.args()]));
    }
  };
  for (const index of etcd.keys()) {
    startEtcd(index);
  }
  const launchPatroni = ({ name, settings, environment }: Node) =>
    launch(name, [...programs.patroni, settings], environment);
  const machines = new Map<string, Machine>();
  for (const node of nodes) {
    writeFileSync(node.settings, patroniSettings(node, plan));
    const machine = openMachine(node, launchPatroni, () => onReset(node.name));
    machines.set(node.name, machine);
    machine.startPatroni();
  }
  const proxyFile = join(folder, 'haproxy.cfg');
  writeFileSync(proxyFile, proxySettings());
  const proxy = launch('haproxy', [programs.haproxy, '-db', '-f', proxyFile], proxyEnvironment);

  const groupOf = (own: readonly Node[], number: number): Group => {
    const members = async (): Promise<readonly Member[]> => {
      const answers = await Promise.all(own.map(askMembers));
      return answers.find((answer) => answer.length > 0) ?? [];
    };
    const nodeOf = (name: string) => {
      const node = own.find((one) => one.name === name);
      const machine = machines.get(name);
      if (node === undefined || machine === undefined) {
        throw new Error(`there is no node ${name} in group ${number}`);
      }
      return { node, machine };
    };
    return {
      addressOf: (name, role, database) =>
        `postgres://${role}:${PASSWORD}@127.0.0.1:${nodeOf(name).node.port}/${database}`,
      members,
      leader: async () => (await members()).find(({ role }) => role === 'leader')?.name,
      isWhole: async () => isWhole(await members(), own.length),
      machine: (name) => nodeOf(name).machine,
      killEtcd: async (index) => {
        const daemon = etcdDaemons.get(index);
        signalAll([daemon?.pid ?? 0], 'SIGKILL');
        await daemon?.exited;
      },
      startEtcd,
      switchover: (from) => {
        const [program = '', ...args] = programs.patronictl;
        const { node } = nodeOf(from);
        const options = ['--force', '--leader', from, ...(plan.groups.length > 1 ? ['--group', String(number)] : [])];
        return new Promise((resolve, reject) => {
          execFile(
            program,
            [...args, '-c', node.settings, 'switchover', ...options],
            { ...account, cwd: '/', env: { ...programs.environment, ...node.environment } },
            (_, stdout, stderr) =>
              /Successfully/.test(stdout) ? resolve() : reject(new Error(`${stdout}${stderr}`.trim().slice(-300))),
          );
        });
      },
    };
  };
  return {
    folder,
    groups: plan.groups.map((_, number) =>
      groupOf(
        nodes.filter(({ group }) => group === number),
        number,
      ),
    ),
    address: (role, database) => `postgres://${role}:${PASSWORD}@127.0.0.1:${listen}/${database}`,
    close: async () => {
      await Promise.all([...machines.values()].map((machine) => machine.close()));
      const daemons = [proxy, ...etcdDaemons.values()];
      signalAll(
        daemons.flatMap(({ pid }) => familyOf(pid)),
        'SIGKILL',
      );
      await Promise.all(daemons.map(({ exited }) => exited));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @returns what one node knows; empty if it does not answer */
async function askMembers({ restPort }: Node): Promise<readonly Member[]> {
  try {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(ASK_MS) });
    return z.object({ members: z.array(memberSchema) }).parse(await answer.json()).members;
  } catch {
    return [];
  }
}

function isWhole(members: readonly Member[], count: number): boolean {
  const followers = members.filter(({ role, state }) => role !== 'leader' && state === 'streaming');
  return (
    members.some(({ role, state }) => role === 'leader' && state === 'running') &&
    followers.length === count - 1 &&
    followers.some(({ role }) => role === 'sync_standby') &&
    new Set(members.map(({ timeline }) => timeline)).size === 1
  );
}
