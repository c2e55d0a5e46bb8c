/** What goes wrong in one seed. Every seed has some of it and few have all, so that a rare fault is met by a quiet world as well. */
import type { Chance } from '../support/random.ts';
import type { ExchangeFaults } from './exchange.ts';
import { SOUND_EXCHANGE } from './exchange.ts';
import type { Machine } from './process.ts';
import { type ReceiverFaults, SOUND_RECEIVER } from './receiver.ts';
import { type DatabaseFaults, SOUND_DATABASE } from './simulated-sql.ts';
import { type Faults, NO_FAULTS } from './wire.ts';

export interface Plan {
  readonly mode: 'live' | 'sandbox';
  readonly apis: number;
  readonly workers: number;
  /** Things that customers, partners and people do. */
  readonly actions: number;
  /** Everything that runs is ready before the first fault: clocks are measured and the account was compared. */
  readonly warmsUp: boolean;
  readonly database: DatabaseFaults;
  readonly http: Faults;
  readonly refusedConnections: number;
  readonly exchange: ExchangeFaults;
  readonly lostNotifications: number;
  /** Share of turns at which a process dies, and at which one freezes. */
  readonly deaths: number;
  readonly freezes: number;
  /** The database loses its last commits once. */
  readonly failsOver: boolean;
  /** Of the operator's webhook receiver; null where there is none. */
  readonly receiver: ReceiverFaults | null;
  /** Workers follow the books of the exchange, one of them at a time. */
  readonly ingests: boolean;
  /** Markets resolve otherwise after they were paid. */
  readonly revises: boolean;
  readonly machines: () => Machine;
  /** The exchanges of the deployment, the primary one first, and how far the clock of each is ahead. */
  readonly exchanges: readonly { readonly name: string; readonly aheadMs: number }[];
}

export function drawPlan(chance: Chance): Plan {
  const when = <T>(share: number, value: T, otherwise: T): T => (chance.happens(share) ? value : otherwise);
  const farClocks = chance.happens(0.2);
  return {
    mode: when(0.12, 'sandbox', 'live'),
    apis: when(0.5, 2, 1),
    workers: when(0.6, 2, 1),
    actions: 7 + chance.below(20),
    warmsUp: chance.happens(0.9),
    database: when(0.4, { brokenBefore: 0.01, brokenAfter: 0.015, hangs: 0.01 }, SOUND_DATABASE),
    http: when(0.7, { late: 0.25, lost: 0.08, repeated: 0.06, answerLate: 0.08, answerLost: 0.15 }, NO_FAULTS),
    refusedConnections: when(0.25, 0.1, 0),
    exchange: when(0.8, { tooMany: 0.04, failed: 0.04, garbage: 0.02, old: 0.2, refuses: 0.1 }, SOUND_EXCHANGE),
    lostNotifications: when(0.5, 0.3, 0),
    deaths: when(0.4, 0.004, 0),
    freezes: when(0.4, 0.004, 0),
    failsOver: chance.happens(0.06),
    receiver: when(0.25, chance.happens(0.7) ? { failed: 0.15, silent: 0.1, busy: 0.05 } : SOUND_RECEIVER, null),
    ingests: chance.happens(0.25),
    revises: chance.happens(0.08),
    machines: () => ({
      disk: new Map(),
      aheadMs:
        farClocks && chance.happens(0.5) ? chance.pick([-120_000, -30_000, 30_000, 120_000]) : chance.below(600) - 300,
      drift: chance.pick([0, 0, 0.0001, -0.0001]),
    }),
    exchanges: (chance.happens(0.3) ? ['paper', 'paper-2'] : ['paper']).map((name) => ({
      name,
      aheadMs: farClocks && chance.happens(0.2) ? chance.pick([-30_000, 30_000]) : chance.below(1_000) - 500,
    })),
  };
}
