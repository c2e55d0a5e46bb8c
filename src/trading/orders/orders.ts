/** Where orders are kept: the batched money statement that writes them, and the reads by id, key and page. */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Side } from '../../core/terms.ts';
import { asOperator, callByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { packJournal } from '../../ledger/journal.ts';
import type { BrokenLimits } from '../refusals.ts';
import {
  type FillRow,
  ORDER_EFFECTS,
  ORDER_ROW,
  type OrderCommand,
  type OrderContext,
  type OrderRow,
} from './order.ts';

/**
 * What `place_orders` answers: the order of an earlier try (`created`) or of an earlier request (`replay`), a refusal, or
 * something that changed since the order was decided, so that it is decided again.
 */
export type OrderCode = ErrorCode | 'created' | 'replay' | 'limits' | 'jurisdiction' | Changed;
export type Changed = 'quote_changed' | 'book_changed' | 'position_changed' | 'scenario_changed';

export interface OrderVerdict {
  /** Null or `created` if the order was written. */
  readonly code: OrderCode | null;
  readonly orderId: string;
  readonly positionId: string | null;
  readonly createdAt: Date;
  readonly limits: BrokenLimits | null;
}

export type PlaceOrders = (command: OrderCommand) => Promise<OrderVerdict>;

export function createPlaceOrders(sql: Sql): Batcher<OrderCommand, OrderVerdict> {
  return createCommandQueue(
    sql,
    (parameters) => sql<OrderVerdict[]>`
      select code, order_id, position_id, created_at, limits from place_orders(${parameters}) order by number`,
  );
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

/** One page, newest first, and one row more if there is a next page. */
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

export function listFills(sql: Sql, operatorId: string, orderId: string): Promise<FillRow[]> {
  return asOperator<FillRow[]>(
    sql,
    operatorId,
    sql`
    select fill_id, quantity, price_micros, filled_at from fills
    where operator_id = ${operatorId} and order_id = ${orderId} order by fill_no`,
  );
}

export interface OrderContextRequest {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly quoteId: string;
  readonly clientOrderId: string;
  /** Whether it would be filled here and now: such a sell exits a simulated position only. */
  readonly simulates: boolean;
}

export type ReadOrderContext = (request: OrderContextRequest) => Promise<OrderContext>;

const MOST_CONTEXTS = 128;
const CONCURRENCY = 2;

/**
 * What an order is decided on: its quote, the position it would exit, the scenario armed for it, an earlier order of its key.
 *
 * One round trip for all orders that wait; `order_basis` is one indexed look-up of each part.
 */
export function createOrderContextReader(sql: Sql): ReadOrderContext {
  return createBatcher<OrderContextRequest, OrderContext>(
    (all) =>
      callByOperator(
        sql,
        all,
        (operatorId, requests) => sql<OrderContext[]>`
          select * from order_basis(
            ${operatorId}, ${requests.map((request) => request.operatorId)}::text[],
            ${requests.map((request) => request.externalUserId)}::text[],
            ${requests.map((request) => request.quoteId)}::text[],
            ${requests.map((request) => request.clientOrderId)}::text[],
            ${requests.map((request) => (request.simulates ? 't' : 'f'))}::text[]::boolean[]) order by number`,
      ),
    { name: 'read for orders', maxBatch: MOST_CONTEXTS, concurrency: CONCURRENCY, retryAlone: true },
  );
}

// Writes transitions of recorded orders: the batched money statement, and the read that a transition is decided on.

/** Why an order may never be sent: it is withdrawn with this code. `transmission_refusal` in SQL answers with it. */
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

/** Why a transition was not written. `waits` is a closed gate; `order_moved` and `position_changed` ask for a new decision. */
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

/** The order as the transition leaves it, with the `version` that it was decided on. */
export type ApplyTransition = (transition: OrderCommand) => Promise<TransitionVerdict>;

export function createTransitions(sql: Sql): ApplyTransition {
  return createCommandQueue(
    sql,
    (parameters) => sql<TransitionVerdict[]>`select code, moved_at from move_orders(${parameters}) order by number`,
  );
}

export async function readOrderForUpdate(sql: Sql, operatorId: string, orderId: string): Promise<OrderRow | undefined> {
  const [row] = await sql<OrderRow[]>`
    select * from orders where operator_id = ${operatorId} and order_id = ${orderId}`;
  return row;
}

/**
 * Waits until everything read of the order is replicated synchronously, so that its replay survives a fail-over. A read alone
 * does not wait: after a crash a primary shows commits that no standby has yet. The weakest row lock writes to the log, so the
 * commit of this statement waits for all earlier ones; it blocks neither transitions nor other readers.
 */
export async function awaitDurable(sql: Sql, operatorId: string, orderId: string): Promise<void> {
  await sql`select from orders where operator_id = ${operatorId} and order_id = ${orderId} for key share`;
}

// Commands of orders on their way to a money statement: batched, one of each customer at a time, and repeated on a
// conflict.

/** Only many that wait fill a call: under overload, where a call of 64 left a tenth of the orders to its fixed cost. */
const MOST_COMMANDS = 192;

const SPARE_CALLS = 2;
/** At half of the peak rate two calls at once would carry two or three orders each. */
const FEWEST_BESIDE = 32;
const CHECK_VIOLATION = '23514';
const OVERDRAWN = ['wallet_not_overdrawn', 'collateral_not_overdrawn'];
const TRIES = 6;

/** @param call the money statement; it returns one verdict for each command, in their order. */
function createCommandQueue<V>(
  sql: Sql,
  call: (parameters: ReturnType<typeof parametersOf>) => Promise<readonly V[]>,
): Batcher<OrderCommand, V> {
  return createBatcher<OrderCommand, V>(
    (all) =>
      callByOperator(sql, all, (operatorId, commands) => {
        const lists = packCommands(commands);
        return retryOnConflict(() => call(parametersOf(sql, lists, operatorId)));
      }),
    {
      name: 'record orders',
      maxBatch: MOST_COMMANDS,
      concurrency: CONCURRENCY,
      spareCalls: SPARE_CALLS,
      fewestBeside: FEWEST_BESIDE,
      retryAlone: true,
      // commands of one operator end in its counter
      groupOf: ({ operatorId }) => operatorId,
      // the second command of a customer is checked against what the first one wrote
      keyOf: ({ operatorId, externalUserId }) => `${operatorId} ${externalUserId}`,
    },
  );
}

/** Rows of `orders`, effects and rows of the journal as arrays, and the number of each journal row's command. */
export function packCommands(commands: readonly OrderCommand[]) {
  return {
    orders: ORDER_ROW.toArray(commands),
    effects: ORDER_EFFECTS.toArray(commands),
    journal: packJournal(commands),
  };
}

/** What `place_orders` and `move_orders` take. @param operatorId whose commands they are, or '' for several operators */
export function parametersOf(sql: Sql, { orders, effects, journal }: ReturnType<typeof packCommands>, operatorId = '') {
  return sql`${operatorId}, ${orders}::text::order_row[], ${effects}::text::order_effects[],
    ${journal.rows}::text::journal_row[], ${journal.commands}::integer[]`;
}

/**
 * Repeats a money statement that was refused by the balance of an account. Two statements at once may each see collateral that
 * is enough for one of them; the constraint refuses the later one, which then sees the balance that is left.
 * @throws the last error, and any other error at once. A call that failed wrote nothing.
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
    // where operators are spread over servers, a constraint is named in the message alone
    OVERDRAWN.some((constraint) => error.message.includes(constraint))
  );
}
