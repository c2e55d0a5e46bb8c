/** Asks several cells the same question at once. A cell that does not answer is named, and does not hide the others. */
import { Refusal } from '../../core/errors.ts';
import { connect, type Sql } from '../../db/client.ts';
import type { Cell } from './cells-file.ts';

const DEADLINE_MS = 60_000;

export interface CellAnswer<A> {
  readonly cell: Cell;
  readonly answer: A;
}

/** A cell whose database could not be asked, or refused the question. */
export interface SilentCell {
  readonly cell: string;
  readonly because: string;
}

export interface CellAnswers<A> {
  /** In the order of the cells. */
  readonly answers: readonly CellAnswer<A>[];
  readonly silent: readonly SilentCell[];
}

/**
 * @param question asked with a connection that ends with the answer
 * @param deadlineMs of one statement, in milliseconds
 * @throws a refusal, or a fault of the question itself: these do not depend on the cell
 */
export async function askCells<A>(
  cells: readonly Cell[],
  question: (sql: Sql, cell: Cell) => Promise<A>,
  deadlineMs = DEADLINE_MS,
): Promise<CellAnswers<A>> {
  const asked = await Promise.all(
    cells.map(async (cell): Promise<CellAnswer<A> | SilentCell> => {
      const sql = connect(cell.adminUrl, { max: 2, applicationName: 'inlay-cells', deadlineMs });
      try {
        return { cell, answer: await question(sql, cell) };
      } catch (error) {
        return { cell: cell.name, because: reasonOf(error) };
      } finally {
        await sql.end({ timeout: 1 });
      }
    }),
  );
  return {
    answers: asked.flatMap((one) => ('answer' in one ? [one] : [])),
    silent: asked.flatMap((one) => ('because' in one ? [one] : [])),
  };
}

/** Errors of a connection and of PostgreSQL have a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || error instanceof Refusal) {
    throw error;
  }
  return error.message === '' ? String(error.code) : error.message;
}
