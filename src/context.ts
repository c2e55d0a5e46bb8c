/**
 * Builds clock, database, board, secrets and log once per process and hands them down. Nothing else makes them, and no rule stands here.
 */
import type { Environment } from './core/environment.ts';
import { createLog, type Logger } from './core/log.ts';
import { openTracing } from './core/open-tracing.ts';
import { loadSecrets, type Secrets } from './core/secret.ts';
import { type Clock, systemClock } from './core/time.ts';
import { canTrade } from './core/venue-settings.ts';
import { type BooksWatch, createWitness, watchBooks } from './db/books-witness.ts';
import { connectAsOperator, connectAsTenant, logLeftOut } from './db/by-operator.ts';
import { connect, type Sql } from './db/client.ts';
import { type Listener, listenerName, openListener } from './db/listener.ts';
import { openRowWait, type RowWait } from './ledger/await-rows.ts';
import { type Board, openBoard } from './markets/board/board.ts';
import { type Catalogue, openCatalogue } from './markets/catalogue/catalogue.ts';
import { createEventRules } from './markets/catalogue/render-event.ts';
import { createRecentTrades, type RecentTrades } from './markets/prices/recent-trades.ts';
import { openRateCounters, type RateCounters } from './operators/rate-counters.ts';
import { type AwaitVenue, openVenueWait } from './trading/execution/await-answer.ts';
import { createTrading, type Trading } from './trading/trading.ts';
import { createRelayWaker, type RelayWaker } from './webhooks/relay.ts';

/** Only `api` holds a board. */
type Role = 'api' | 'worker' | 'cli';

export interface Context {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  /** For money, admission and everything for which a customer waits. */
  readonly sql: Sql;
  /**
   * For pages of orders, positions, settlements, the feed and histories. In an API process it sees only the rows of the operator that
   * `asOperator` names.
   */
  readonly reads: Sql;
  /** For long work: maintenance, and reports on all operators. */
  readonly reports: Sql;
  /** Opens connections that see only the rows of one operator, for its report. The caller ends them. */
  readonly reportsOf: (operatorId: string) => Promise<Sql>;
  /**
   * Connection string of the service's own role, for work that needs a session (LISTEN, exports, leases, jobs). It is the direct address if
   * `sql` is behind a pooler.
   */
  readonly databaseUrl: string;
  /** The one connection of the process that listens. */
  readonly listener: Listener;
  readonly secrets: Secrets;
  close(): Promise<void>;
}

/** A context of a worker or of a command. */
export interface AuditingContext extends Context {
  /** Connections of the auditor, which reads everything and writes only its own tables. */
  readonly audit: Sql;
}

/** A context of an API process, without connections of the auditor. */
export interface ApiContext extends Context {
  readonly board: Board;
  readonly catalogue: Catalogue;
  readonly recentTrades: RecentTrades;
  readonly trading: Trading;
  /** Use cases call it after they have committed events. */
  readonly relay: RelayWaker;
  readonly awaitVenue: AwaitVenue;
  readonly books: BooksWatch;
  /** The requests that this process has counted. */
  readonly counters: RateCounters;
  /** For reads that wait for the next item. */
  readonly rowWait: RowWait;
}

interface PoolPlan {
  readonly max: number;
  readonly deadlineMs: number;
}

/** Pages and reports have separate connections, so that one tenant's cannot take those that trade. */
const POOLS: Record<Role, Record<'sql' | 'reads' | 'reports', PoolPlan>> = {
  api: {
    sql: { max: 8, deadlineMs: 5_000 },
    reads: { max: 4, deadlineMs: 10_000 },
    reports: { max: 2, deadlineMs: 120_000 },
  },
  worker: {
    sql: { max: 8, deadlineMs: 10_000 },
    reads: { max: 2, deadlineMs: 10_000 },
    reports: { max: 2, deadlineMs: 600_000 },
  },
  cli: {
    sql: { max: 2, deadlineMs: 600_000 },
    reads: { max: 1, deadlineMs: 600_000 },
    reports: { max: 2, deadlineMs: 600_000 },
  },
};

/**
 * @param databaseUrl connection string of the service's role or of the role of the service operator's commands, as `openDatabase` returned it
 * @param clock only tests set it
 */
export function openContext(
  environment: Environment,
  databaseUrl: string,
  role: 'worker' | 'cli',
  clock: Clock = systemClock,
): AuditingContext {
  const context = openPools(environment, databaseUrl, role, clock);
  const audit = connect(environment.databaseAuditUrl ?? context.databaseUrl, {
    ...POOLS[role].reports,
    applicationName: `inlay-${role}-audit`,
  });
  logLeftOut(audit, context.log);
  return {
    ...context,
    audit,
    close: async () => {
      await Promise.all([context.close(), audit.end({ timeout: 5 })]);
    },
  };
}

function openPools(environment: Environment, databaseUrl: string, role: Role, clock: Clock): Context {
  const directUrl = environment.databaseDirectUrl ?? databaseUrl;
  const open = (url: string, pool: 'sql' | 'reads' | 'reports', suffix: string) =>
    connect(url, { ...POOLS[role][pool], applicationName: `inlay-${role}${suffix}` });
  const sql = open(databaseUrl, 'sql', '');
  const reads = open(directUrl, 'reads', '-reads');
  const reports = open(directUrl, 'reports', '-reports');
  const listener = openListener(directUrl, listenerName(role));
  const log = createLog(environment.logLevel);
  logLeftOut(sql, log);
  return {
    environment,
    clock,
    log,
    sql,
    reads,
    reports,
    reportsOf: (operatorId) =>
      connectAsOperator(reports, directUrl, operatorId, {
        ...POOLS[role].reports,
        applicationName: `inlay-${role}-reports`,
      }),
    databaseUrl: directUrl,
    listener,
    secrets: loadSecrets(environment),
    close: async () => {
      await Promise.all([listener.close(), ...[sql, reads, reports].map((pool) => pool.end({ timeout: 5 }))]);
    },
  };
}

export async function openApiContext(
  environment: Environment,
  databaseUrl: string,
  clock: Clock = systemClock,
): Promise<ApiContext> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) {
      await end();
    }
  };
  try {
    const tracing = await openTracing(environment, 'inlay-api');
    closing.push(tracing.close);
    const opened = openPools(environment, databaseUrl, 'api', clock);
    closing.push(opened.close);
    const reads = await connectAsTenant(opened.sql, opened.databaseUrl, {
      ...POOLS.api.reads,
      applicationName: 'inlay-api-reads',
    });
    closing.push(() => reads.end({ timeout: 5 }));
    const context: Context = { ...opened, reads };
    const books = await watchBooks(createWitness(context.sql, environment.dataDir), context.log);
    closing.push(books.close);
    const board = await openBoard(context);
    closing.push(board.close);
    const relay = createRelayWaker(context.sql);
    const { awaitVenue, close: closeWait } = openVenueWait(context.sql, context.listener);
    closing.push(closeWait);
    const counters = openRateCounters(context.sql, context.log);
    closing.push(counters.close);
    const rowWait = openRowWait(context.sql, context.listener);
    closing.push(rowWait.close);
    return {
      ...context,
      board,
      catalogue: openCatalogue(board, clock, createEventRules(context.reads), (venue) =>
        canTrade(venue, environment.venueSettings),
      ),
      recentTrades: createRecentTrades(board),
      trading: createTrading({ ...context, board, relay, awaitVenue }),
      relay,
      awaitVenue,
      books,
      counters,
      rowWait,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
