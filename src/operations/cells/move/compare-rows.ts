/** Whether both cells have the same rows of an operator, table by table. */
import type { HostedClient } from '../../../db/pg-client.ts';
import type { MovingRows } from './copy-rows.ts';
import type { OperatorTable } from './operator-tables.ts';

/** @returns the tables whose rows are not the same in both cells. */
export async function listDifferences(
  { source, target, operatorIds }: MovingRows,
  tables: readonly OperatorTable[],
): Promise<OperatorTable[]> {
  const different: OperatorTable[] = [];
  for (const table of tables) {
    const [here, there] = await Promise.all([
      digestRows(source, table, operatorIds),
      digestRows(target, table, operatorIds),
    ]);
    if (here !== there) {
      different.push(table);
    }
  }
  return different;
}

/** What the rows of a table come to: their number and the sums of their hashes. Equal for equal rows, in whatever order. */
async function digestRows(client: HostedClient, table: OperatorTable, operatorIds: readonly string[]): Promise<string> {
  const hash = (from: number) => `coalesce(sum(('x' || substr(hash, ${from}, 15))::bit(60)::bigint), 0)`;
  const { rows } = await client.query<{ digest: string }>(
    `select concat_ws(' ', count(*), ${hash(1)}, ${hash(17)}) as digest
     from (select md5(row(${table.columns.join(', ')})::text) as hash from ${table.name} where ${table.scope}) hashed`,
    [operatorIds],
  );
  return rows[0]?.digest ?? '';
}
