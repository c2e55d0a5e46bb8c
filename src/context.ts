/** Builds clock, database, board, secrets and log once and hands them down. Nothing else makes them; no rule lives here. */
import { type Clock, systemClock } from './core/clock.ts';
import type { Environment } from './core/environment.ts';
import { createLog, type Logger } from './core/log.ts';
import { loadSecrets, type Secrets } from './core/secret.ts';
import { connect, type Sql } from './db/client.ts';
import { type Board, openBoard } from './markets/board.ts';
import { type Catalogue, openCatalogue } from './markets/catalogue.ts';
import { openTrading, type Trading } from './trading/trading.ts';

/** `api` holds a board; `worker` and `cli` do without. */
export type Role = 'api' | 'worker' | 'cli';

export interface Context {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sql: Sql;
  /** Connection string of the service's own role, for what needs a connection of its own (LISTEN, COPY). */
  readonly databaseUrl: string;
  readonly secrets: Secrets;
  close(): Promise<void>;
}

/** A context of an API process. */
export interface ApiContext extends Context {
  readonly board: Board;
  readonly catalogue: Catalogue;
  readonly trading: Trading;
}

const POOL_SIZES: Record<Role, number> = { api: 10, worker: 8, cli: 2 };

/**
 * @param databaseUrl of the service role, as `openDatabase` gave it.
 * @param clock only tests hand one in.
 */
export function openContext(
  environment: Environment,
  databaseUrl: string,
  role: Role,
  clock: Clock = systemClock,
): Context {
  const sql = connect(databaseUrl, { max: POOL_SIZES[role], applicationName: `inlay-${role}` });
  return {
    environment,
    clock,
    log: createLog(environment.logLevel),
    sql,
    databaseUrl,
    secrets: loadSecrets(environment),
    close: () => sql.end({ timeout: 5 }),
  };
}

export async function openApiContext(
  environment: Environment,
  databaseUrl: string,
  clock: Clock = systemClock,
): Promise<ApiContext> {
  const context = openContext(environment, databaseUrl, 'api', clock);
  const board = await openBoard(context);
  return {
    ...context,
    board,
    catalogue: openCatalogue(board, clock),
    trading: openTrading({ ...context, board }),
    close: async () => {
      await board.close();
      await context.close();
    },
  };
}
