/** The processes of the service in a simulated world: API processes and workers, started as the service starts them. */
import type { Context } from '../../src/context.ts';
import { readEnvironment } from '../../src/core/environment.ts';
import { createLog } from '../../src/core/log.ts';
import { paperToken } from '../../src/core/secret.ts';
import { systemClock } from '../../src/core/time.ts';
import { openListener } from '../../src/db/listener.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { startSettlement } from '../../src/jobs/settle.ts';
import { startTransmission } from '../../src/jobs/transmit.ts';
import { type Board, openBoard } from '../../src/markets/board/board.ts';
import { openVenueWait } from '../../src/trading/execution/await-answer.ts';
import { createTrading, type Trading } from '../../src/trading/trading.ts';
import { openVenues } from '../../src/venues/registry.ts';
import { type Books, followBooks } from './books.ts';
import type { Network } from './network.ts';
import { type Machine, SimulatedProcess } from './process.ts';
import { SECRETS } from './secrets.ts';
import { simulatedSql } from './simulated-sql.ts';

const ENVIRONMENT = readEnvironment({ LOG_LEVEL: 'silent', INLAY_SECRET: SECRETS.current });
const LOG = createLog(process.env['SIMULATION_LOG'] ?? 'silent');

/** One place in the deployment where a process runs, and is started again where it died. */
export interface Member<T> {
  readonly name: string;
  readonly process: SimulatedProcess;
  /** What it offers; undefined while it starts. */
  readonly parts: T | undefined;
  /** How often it was started. */
  readonly starts: number;
  start(): void;
}

function openMember<T>(
  name: string,
  network: Network,
  machine: Machine,
  boot: (context: Context) => Promise<T>,
): Member<T> {
  let process: SimulatedProcess;
  let parts: T | undefined;
  let starts = 0;
  const start = () => {
    starts += 1;
    const mine = new SimulatedProcess(`${name}.${starts}`, network, machine);
    process = mine;
    parts = undefined;
    const sql = simulatedSql(mine);
    const context: Context = {
      environment: ENVIRONMENT,
      clock: systemClock,
      log: LOG,
      sql,
      reads: sql,
      reports: sql,
      reportsOf: () => Promise.reject(new Error('no report runs here')),
      databaseUrl: 'postgres://simulated',
      listener: openListener('postgres://simulated', name),
      secrets: SECRETS,
      close: async () => {},
    };
    mine
      .run(() => boot(context))
      .then(
        (booted) => {
          parts = booted;
        },
        // a process that cannot start ends, and its supervisor starts it again
        () => mine.die(),
      );
  };
  start();
  return {
    name,
    get process() {
      return process;
    },
    get parts() {
      return parts;
    },
    get starts() {
      return starts;
    },
    start,
  };
}

export interface ApiParts {
  readonly trading: Trading;
  readonly board: Board;
}

export function openApi(name: string, network: Network, machine: Machine): Member<ApiParts> {
  return openMember(name, network, machine, async (context) => {
    const board = await openBoard(context);
    // A lost notification costs latency only: the relay of the worker polls.
    return {
      board,
      trading: createTrading({
        ...context,
        board,
        relay: { wake: () => {} },
        awaitVenue: openVenueWait(context.sql, context.listener).awaitVenue,
      }),
    };
  });
}

export interface WorkerParts {
  /** Names of the exchanges. */
  readonly venues: readonly string[];
  readonly webhooks: boolean;
  /** Books that it follows where it leads ingestion; null where nobody does. */
  readonly books: Books | null;
}

export function openWorker(name: string, network: Network, machine: Machine, parts: WorkerParts): Member<boolean> {
  return openMember(name, network, machine, async (context) => {
    if (parts.books !== null) {
      void followBooks(context, parts.books);
    }
    if (parts.webhooks) {
      await startWebhookJobs(context, { random: () => network.chance.below(1_000) / 1_000 });
    }
    await startTransmission(
      context,
      openVenues(parts.venues, async (venue) => `http://${venue}.simulated`, {
        paperToken: paperToken(context.secrets),
        settings: context.environment.venueSettings,
      }),
    );
    await startSettlement(context);
    return true;
  });
}
