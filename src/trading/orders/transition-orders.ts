/** Moves of recorded orders: what a move is, and the batched money statement that writes it. */
import { createBatcher } from '../../core/batcher.ts';
import { type Fact, packBatch } from '../../core/fact.ts';
import type { Sql } from '../../db/client.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { OrderRow } from './order.ts';
import { askAgain } from './retry-on-conflict.ts';

/** An order with what a move is decided on. */
export interface MovableOrder extends OrderRow {
  readonly version: bigint;
  readonly slippage_micros: bigint;
  readonly venue: string;
  readonly armed: boolean;
  readonly exited_fills: number;
}

/** The part of a move that names its order and the state it was decided on. */
export interface MoveHead {
  readonly operator_id: string;
  readonly external_user_id: string;
  readonly order_id: string;
  readonly expected_version: string;
}

/** Named as the SQL type `order_move`. Integers travel as text; what is left out stays as it is. */
export type OrderMove = Readonly<Record<string, unknown>> & MoveHead & { readonly facts: readonly Fact[] };

export interface MoveVerdict {
  /** Null where the move was written. */
  readonly code: string | null;
  readonly moved_at: Date;
}

export type MoveOrder = (move: OrderMove) => Promise<MoveVerdict>;

const MAX_BATCH = 64;
const CONCURRENCY = 2;

export function openMoves(sql: Sql): MoveOrder {
  const enqueue = createBatcher<OrderMove, MoveVerdict>(
    async (moves) => {
      const { rows, facts } = packBatch(moves);
      return askAgain(
        () => sql<MoveVerdict[]>`select code, moved_at 
          from move_orders(${rows}::text::json, ${facts}::text::json) order by number`,
      );
    },
    // those of one operator end in its counter, and so in one call
    { maxBatch: MAX_BATCH, concurrency: CONCURRENCY, retryAlone: true, lane: ({ operator_id }) => operator_id },
  );
  return oneAtATime(enqueue, (move) => `${move.operator_id} ${move.external_user_id}`);
}

export function moveOf(order: MovableOrder): MoveHead {
  return {
    operator_id: order.operator_id,
    external_user_id: order.external_user_id,
    order_id: order.order_id,
    expected_version: `${order.version}`,
  };
}

export async function readMovable(sql: Sql, operatorId: string, orderId: string): Promise<MovableOrder | undefined> {
  const [row] = await sql<MovableOrder[]>`
    select * from orders where operator_id = ${operatorId} and order_id = ${orderId}`;
  return row;
}
