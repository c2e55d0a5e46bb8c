/** Asks every cell what it holds. A cell that does not answer is reported and does not hide the others. */
import { connect } from '../../db/client.ts';
import type { Cell } from './cells-file.ts';
import { type HeldOperator, listHeldOperators } from './held-operators.ts';

const DEADLINE_MS = 10_000;

export interface SurveyedCell {
  readonly name: string;
  readonly servers: readonly string[];
  /** Null if its database did not answer. */
  readonly operators: readonly HeldOperator[] | null;
}

export function surveyCells(cells: readonly Cell[]): Promise<SurveyedCell[]> {
  return Promise.all(
    cells.map(async ({ name, servers, databaseUrl }) => {
      const sql = connect(databaseUrl, { max: 1, applicationName: 'inlay-cells', deadlineMs: DEADLINE_MS });
      try {
        return { name, servers, operators: await listHeldOperators(sql) };
      } catch {
        return { name, servers, operators: null };
      } finally {
        await sql.end({ timeout: 1 });
      }
    }),
  );
}
