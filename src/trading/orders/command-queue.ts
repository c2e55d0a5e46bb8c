/** Commands of orders on their way to a money statement: batched, one of each customer at a time, and repeated on a conflict. */
import { type Batcher, createBatcher } from '../../core/batcher.ts';
import { callByOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { packJournal } from '../../ledger/journal.ts';
import { ORDER_ROW } from './order.ts';
import { ORDER_EFFECTS, type OrderCommand } from './order-command.ts';

/** Only many that wait fill a call: under overload, where a call of 64 left a tenth of the orders to its fixed cost. */
const MAX_BATCH = 192;
const CONCURRENCY = 2;
const SPARE_CALLS = 2;
/** At half of the peak rate two calls at once would carry two or three orders each. */
const FEWEST_BESIDE = 32;
const CHECK_VIOLATION = '23514';
const OVERDRAWN = ['wallet_not_overdrawn', 'collateral_not_overdrawn'];
const TRIES = 6;

/** @param call the money statement; it returns one verdict for each command, in their order. */
export function createCommandQueue<V>(
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
      maxBatch: MAX_BATCH,
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
