/** Leaves out rows that an operator left behind when it moved to another cell, which lists them. */
import type { Sql } from '../../db/client.ts';

/** @param rows those with an `operatorId` are looked at; the others belong to the cell */
export async function withoutMoved<Row extends object>(sql: Sql, rows: readonly Row[]): Promise<readonly Row[]> {
  if (!rows.some((row) => 'operatorId' in row)) {
    return rows;
  }
  const [found] = await sql<{ elsewhere: string[] }[]>`select operators_elsewhere() as elsewhere`;
  const elsewhere = new Set<unknown>(found?.elsewhere);
  return rows.filter((row) => !('operatorId' in row && elsewhere.has(row.operatorId)));
}
