/**
 * The store of orders: the two money statements that place and move orders, in batches; the read that an order is decided on; and the
 * reads by id, key and page.
 */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import { type ErrorCode, refuse } from '../../core/errors.ts';
import type { Side } from '../../core/terms.ts';
import { asOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { isLocked } from '../../db/database-errors.ts';
import { callByShard, type Road } from '../../db/shards.ts';
import { packJournal } from '../../ledger/journal.ts';
import { type KnownMarket, readMarkets } from '../../markets/known-markets.ts';
import { createRelayWaker, type RelayWaker } from '../../webhooks/relay.ts';
import type { BrokenLimits } from '../refusals.ts';
import { ORDER_EFFECTS, ORDER_ROW, type OrderCommand, type OrderContext, type OrderRow } from './order.ts';

/**
 * The result of `place_orders`: an order that an earlier try (`created`) or an earlier request (`replay`) wrote, a refusal, or the change
 * since the order was decided, so that it is decided again.
 */
type OrderCode = ErrorCode | 'created' | 'replay' | 'limits' | 'jurisdiction' | Changed;
type Changed = 'quote_changed' | 'book_changed' | 'position_changed' | 'scenario_changed';

export interface OrderVerdict {
  /** Null or `created` if the order was written. */
  readonly code: OrderCode | null;
  readonly orderId: string;
  readonly positionId: string | null;
  readonly createdAt: Date;
  readonly limits: BrokenLimits | null;
}

export type PlaceOrders = (command: OrderCommand) => Promise<OrderVerdict>;

export function createPlaceOrders(sql: Sql, relay: RelayWaker): Batcher<OrderCommand, OrderVerdict> {
  return createCommandQueue(
    sql,
    () => relay.wake(),
    ({ sql: server, schema }, parameters) => server<OrderVerdict[]>`
      select code, order_id, position_id, created_at, limits from ${server(schema)}.place_orders(${parameters}) order by number`,
  );
}

/** Reasons for which an order may never be sent, as `transmission_refusal` in SQL returns them. The order is withdrawn with this code. */
const TRANSMISSION_REFUSALS = [
  'operator_suspended',
  'user_suspended',
  'market_not_open',
  'market_unavailable',
  'trading_paused',
  'over_order_limit',
  'over_tenant_exposure',
  'venue_unavailable',
] as const;
export type TransmissionRefusal = (typeof TRANSMISSION_REFUSALS)[number];

/**
 * Reasons for which a transition was not written. `waits` is a closed gate; after `order_moved` or `position_changed` it is decided again.
 */
export type TransitionCode =
  | TransmissionRefusal
  | 'waits'
  | 'order_moved'
  | 'position_changed'
  | 'unknown_order'
  | 'insufficient_collateral';

export interface TransitionVerdict {
  /** Null if the transition was written. */
  readonly code: TransitionCode | null;
  readonly movedAt: Date;
}

export function isTransmissionRefusal(code: TransitionCode): code is TransmissionRefusal {
  return TRANSMISSION_REFUSALS.some((refusal) => refusal === code);
}

/** @param transition the order as the transition leaves it, with the `version` on which it was decided */
export type ApplyTransition = (transition: OrderCommand) => Promise<TransitionVerdict>;

/**
 * @param moved called with the id of each order that was moved otherwise than by being sent
 * @param relay that of the process; a command of the command line has its own
 */
export function createTransitions(
  sql: Sql,
  moved: (orderId: string) => void,
  relay: RelayWaker = createRelayWaker(sql),
): ApplyTransition {
  return createCommandQueue(
    sql,
    (written) => {
      // first those that a customer waits for
      for (const { begins, orderId } of written) {
        if (begins !== true) {
          moved(orderId);
        }
      }
      relay.wake();
    },
    ({ sql: server, schema }, parameters) =>
      server<
        TransitionVerdict[]
      >`select code, moved_at from ${server(schema)}.move_orders(${parameters}) order by number`,
  );
}

/** A call is this full only under overload. There, calls of 64 handled a tenth fewer orders, because each call has a fixed cost. */
const MAX_COMMANDS = 192;
const CONCURRENCY = 2;
const SPARE_CALLS = 2;
/** Without this bound, two calls at once would carry two or three orders each at half of the peak rate. */
const FEWEST_BESIDE = 32;
const CHECK_VIOLATION = '23514';
const OVERDRAWN = ['wallet_not_overdrawn', 'collateral_not_overdrawn'];
const TRIES = 6;

/**
 * Batches commands for a money statement: each operator's in one call at a time, and at most one command of a customer per call.
 * @param onWritten called with the commands of a call that were written, if any were
 * @param call the money statement, which returns one verdict for each command, in their order
 */
function createCommandQueue<V extends { readonly code: string | null }>(
  sql: Sql,
  onWritten: (written: readonly OrderCommand[]) => void,
  call: (road: Road, parameters: ReturnType<typeof parametersOf>) => Promise<readonly V[]>,
): Batcher<OrderCommand, V> {
  return createBatcher<OrderCommand, V>(
    (all) =>
      callByShard(
        sql,
        all,
        async (road, commands, markets: readonly KnownMarket[] | null) => {
          const lists = packCommands(commands);
          const verdicts = await retryOnConflict(() =>
            call(road, parametersOf(road.sql, lists, road.operatorId, markets)),
          );
          const written = commands.filter((_, index) => isWritten(verdicts[index]));
          if (written.length > 0) {
            onWritten(written);
          }
          return verdicts;
        },
        (commands) =>
          readMarkets(
            sql,
            commands.map(({ contractId }) => contractId),
          ),
      ),
    {
      name: 'record orders',
      maxBatch: MAX_COMMANDS,
      concurrency: CONCURRENCY,
      spareCalls: SPARE_CALLS,
      fewestBeside: FEWEST_BESIDE,
      retryAlone: true,
      // Commands of one operator queue at its counter.
      groupOf: ({ operatorId }) => operatorId,
      // The second command of a customer is checked against the state that the first one wrote.
      keyOf: ({ operatorId, externalUserId }) => `${operatorId} ${externalUserId}`,
    },
  );
}

/** Whether the command was written, by this call or, if the code is `created`, by an earlier try whose response was lost. */
const isWritten = (verdict: { readonly code: string | null } | undefined): boolean =>
  verdict !== undefined && (verdict.code === null || verdict.code === 'created');

/** Commands as arrays: rows of `orders`, effects, rows of the journal, and for each journal row the number of its command. */
export function packCommands(commands: readonly OrderCommand[]) {
  return {
    orders: ORDER_ROW.toArray(commands),
    effects: ORDER_EFFECTS.toArray(commands),
    journal: packJournal(commands),
  };
}

/**
 * The parameters of `place_orders` and `move_orders`.
 * @param operatorId the operator of all commands, or '' if there are several
 * @param markets the market of each command, or null if the statement reads them itself
 */
export function parametersOf(
  sql: Sql,
  { orders, effects, journal }: ReturnType<typeof packCommands>,
  operatorId = '',
  markets: readonly KnownMarket[] | null = null,
) {
  return sql`${operatorId}, ${orders}::text::order_row[], ${effects}::text::order_effects[],
    ${journal.rows}::text::journal_row[], ${journal.commands}::integer[], ${markets === null ? null : [...markets]}::text[]::known_market[]`;
}

/**
 * Repeats a money statement that the balance of an account refused. Two statements at once may each see collateral that is enough for
 * one of them. The constraint refuses the later one, which sees the remaining balance when it is repeated.
 * @throws the last error, and any other error at once; a call that failed has written nothing
 */
async function retryOnConflict<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES || !isOverdrawn(error)) {
        throw error;
      }
    }
  }
}

function isOverdrawn(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === CHECK_VIOLATION &&
    // If operators are spread over servers, only the message names the constraint.
    OVERDRAWN.some((constraint) => error.message.includes(constraint))
  );
}

/** The result of a decision that must be made again, because its basis has changed. */
export const AGAIN = Symbol('again');

const DECISIONS = 8;

/**
 * Decides and writes again while the basis of the decision changes.
 * @param refusal the code that is thrown if it has changed eight times
 * @param decide receives the number of earlier decisions
 */
export async function decideAgain<T>(
  refusal: ErrorCode,
  decide: (decision: number) => Promise<T | typeof AGAIN>,
): Promise<T> {
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    const result = await decide(decision);
    if (result !== AGAIN) {
      return result;
    }
  }
  throw refuse(refusal);
}

export interface OrderContextRequest {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quoteId: string;
  readonly clientOrderId: string;
  /** Whether the service would fill the order at once: such a sell exits only a simulated position. */
  readonly simulates: boolean;
}

export type ReadOrderContext = (request: OrderContextRequest) => Promise<OrderContext>;

const MAX_CONTEXTS = 128;

/**
 * Reads the facts on which orders are decided: one round trip for all orders that wait, in which `order_basis` looks each part up by an
 * index.
 */
export function createOrderContextReader(sql: Sql): ReadOrderContext {
  return createBatcher<OrderContextRequest, OrderContext>(
    (all) =>
      callByShard(
        sql,
        all,
        ({ sql: server, schema, operatorId }, requests) => server<OrderContext[]>`
          select * from ${server(schema)}.order_basis(
            ${operatorId}, ${requests.map((request) => request.operatorId)}::text[],
            ${requests.map((request) => request.externalUserId)}::text[],
            ${requests.map((request) => request.quoteId)}::text[],
            ${requests.map((request) => request.clientOrderId)}::text[],
            ${requests.map((request) => (request.simulates ? 't' : 'f'))}::text[]::boolean[]) order by number`,
      ),
    { name: 'read for orders', maxBatch: MAX_CONTEXTS, concurrency: CONCURRENCY, retryAlone: true },
  );
}

/** Reads an order, so that a transition can be decided on it. */
export async function readOrderForUpdate(sql: Sql, operatorId: string, orderId: string): Promise<OrderRow | undefined> {
  const [row] = await sql<OrderRow[]>`
    select * from orders where operator_id = ${operatorId} and order_id = ${orderId}`;
  return row;
}

/**
 * Waits until everything that was read of the order is replicated synchronously, so that its replay survives a fail-over. A read alone
 * does not wait: after a crash, a primary shows commits that no standby has yet. The weakest row lock writes to the log, so that the
 * commit of this statement waits for all earlier ones. It blocks neither transitions nor other readers.
 */
export async function awaitDurable(sql: Sql, operatorId: string, orderId: string): Promise<void> {
  await sql`select from orders where operator_id = ${operatorId} and order_id = ${orderId} for key share`;
}

export async function findOrder(sql: Sql, operatorId: string, orderId: string): Promise<OrderRow | undefined> {
  const [row] = await asOperator<OrderRow[]>(
    sql,
    operatorId,
    sql`select * from orders where operator_id = ${operatorId} and order_id = ${orderId}`,
  );
  return row;
}

export async function findOrderByKey(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  clientOrderId: string,
): Promise<OrderRow | undefined> {
  const [row] = await asOperator<OrderRow[]>(
    sql,
    operatorId,
    sql`
    select * from orders where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      and client_order_id = ${clientOrderId}`,
  );
  return row;
}

export interface OrderFilter {
  readonly externalUserId?: string | undefined;
  /** Any of these. */
  readonly status?: readonly string[] | undefined;
  readonly executionRef?: string | undefined;
  readonly contractId?: string | undefined;
  readonly side?: Side | undefined;
  /** Inclusive bounds on the time of creation. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Orders after this id in the listing, newest first. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** One page, newest first, and one additional row if there is a next page. */
export function listOrders(sql: Sql, operatorId: string, filter: OrderFilter): Promise<OrderRow[]> {
  return asOperator<OrderRow[]>(
    sql,
    operatorId,
    sql`
    select * from orders
    where operator_id = ${operatorId}
      ${filter.externalUserId === undefined ? sql`` : sql`and external_user_id = ${filter.externalUserId}`}
      ${filter.status === undefined ? sql`` : sql`and status = any(${filter.status}::text[])`}
      ${filter.executionRef === undefined ? sql`` : sql`and execution_ref = ${filter.executionRef}`}
      ${filter.contractId === undefined ? sql`` : sql`and contract_id = ${filter.contractId}`}
      ${filter.side === undefined ? sql`` : sql`and side = ${filter.side}`}
      ${filter.since === undefined ? sql`` : sql`and created_at >= ${filter.since}`}
      ${filter.until === undefined ? sql`` : sql`and created_at < ${filter.until}::timestamptz + interval '1 millisecond'`}
      ${filter.before === undefined ? sql`` : sql`and order_id < ${filter.before}`}
    order by order_id desc limit ${filter.limit + 1}`,
  );
}

/** `locked`: the database responds, but no order can be written. */
export type OrderDatabase = 'up' | 'locked' | 'down';

/** Tries the locks that an order needs, each for half a second at most, and changes nothing. A standby is `down`. */
export async function tryOrderLocks(sql: Sql): Promise<OrderDatabase> {
  try {
    const [row] = await sql<{ isStandby: boolean }[]>`
      select pg_is_in_recovery() as is_standby from try_order_locks()`;
    return row?.isStandby === false ? 'up' : 'down';
  } catch (error) {
    return isLocked(error) ? 'locked' : 'down';
  }
}
