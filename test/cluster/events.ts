/** What is done to a group of the cluster: a function for each kind of event. Each returns when its cause is over; the group may recover later. */
import { timePasses, until } from '../support/until.ts';
import type { Group } from './cluster.ts';
import { signalAll } from './node-processes.ts';

export interface Kind {
  readonly name: string;
  /** How often it happens among the others. */
  readonly weight: number;
  /**
   * @param leader the node that leads at this moment
   * @returns what was measured besides the gap
   */
  readonly run: (group: Group, leader: string) => Promise<string | undefined>;
}

/** The longest time in which another node must lead: the lease of the leader and its election. */
const REPLACED_WITHIN_MS = 60_000;
const SUPERVISOR_MS = 1_000;
const SWITCHOVER_TRIES = 5;
const BETWEEN_TRIES_MS = 2_000;

export const KINDS: readonly Kind[] = [
  {
    name: 'switchover',
    weight: 5,
    run: switchOver,
  },
  {
    name: 'PostgreSQL of the primary killed',
    weight: 6,
    run: async (group, leader) => {
      signalAll(group.machine(leader).postgres(), 'SIGKILL');
      await replaced(group, leader);
    },
  },
  {
    name: 'Patroni and PostgreSQL of the primary killed',
    weight: 2,
    run: async (group, leader) => {
      const machine = group.machine(leader);
      signalAll([...machine.patroni(), ...machine.postgres()], 'SIGKILL');
      await replaced(group, leader);
      machine.startPatroni();
    },
  },
  {
    name: 'the primary frozen until it was replaced',
    weight: 1,
    run: async (group, leader) => {
      const { patroni, postgres, watchdog } = group.machine(leader);
      const pids = [...patroni(), ...postgres()];
      watchdog.freeze();
      signalAll(pids, 'SIGSTOP');
      try {
        await replaced(group, leader);
      } finally {
        signalAll(pids, 'SIGCONT');
        watchdog.thaw();
      }
    },
  },
  {
    name: 'Patroni of the primary frozen, the watchdog resets its machine',
    weight: 1,
    run: resetByWatchdog,
  },
  {
    name: 'Patroni of the primary killed, started again',
    weight: 2,
    run: async (group, leader) => {
      const machine = group.machine(leader);
      signalAll(machine.patroni(), 'SIGKILL');
      await timePasses(SUPERVISOR_MS);
      machine.startPatroni();
    },
  },
  {
    name: 'PostgreSQL of the synchronous standby killed',
    weight: 3,
    run: async (group) => {
      const standby = (await group.members()).find(({ role }) => role === 'sync_standby');
      signalAll(standby === undefined ? [] : group.machine(standby.name).postgres(), 'SIGKILL');
      await timePasses(SUPERVISOR_MS);
    },
  },
  {
    name: 'a member of etcd killed, started again',
    weight: 3,
    run: async (group, leader) => {
      const index = leader.charCodeAt(leader.length - 1) % 3;
      await group.killEtcd(index);
      await timePasses(3 * SUPERVISOR_MS);
      group.startEtcd(index);
    },
  },
];

/** Patroni refuses a switchover as long as it has no good candidate, so it is asked again. */
async function switchOver(group: Group, leader: string): Promise<undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      await group.switchover(leader);
      return;
    } catch (error) {
      const now = await group.leader();
      if (now !== undefined && now !== leader) {
        return;
      }
      if (tries === SWITCHOVER_TRIES) {
        throw error;
      }
      await timePasses(BETWEEN_TRIES_MS);
    }
  }
}

/** The kinds in turn, each as often as its weight, spread out. */
export function planEvents(count: number, kinds: readonly Kind[]): Kind[] {
  const credit = kinds.map(() => 0);
  const all = kinds.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: count }, () => {
    kinds.forEach(({ weight }, index) => {
      credit[index] = (credit[index] ?? 0) + weight;
    });
    const next = credit.indexOf(Math.max(...credit));
    credit[next] = (credit[next] ?? 0) - all;
    return kinds[next] as Kind;
  });
}

/** A leader whose Patroni hangs must be down before another one leads: its own PostgreSQL would go on answering. */
async function resetByWatchdog(group: Group, leader: string): Promise<string> {
  const { patroni, watchdog } = group.machine(leader);
  const before = watchdog.resets.length;
  signalAll(patroni(), 'SIGSTOP');
  await replaced(group, leader);
  const resetAt = watchdog.resets[before];
  if (resetAt === undefined) {
    throw new Error(`${leader} was replaced before its watchdog reset it`);
  }
  return `reset ${((performance.now() - resetAt) / 1000).toFixed(1)} s before another led`;
}

async function replaced(group: Group, former: string): Promise<void> {
  await until(
    () => group.leader(),
    (leader) => leader !== undefined && leader !== former,
    REPLACED_WITHIN_MS,
  );
}
