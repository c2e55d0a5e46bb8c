/**
 * Copies the rows of operators from the cell that they leave into the other one. Every trigger and constraint of the target
 * stays on, so that a row that may not be there is refused.
 */
import { copyBetween } from '../../../db/copy-between.ts';
import type { HostedClient } from '../../../db/pg-client.ts';
import type { OperatorTable } from './operator-tables.ts';

export interface MovingRows {
  readonly source: HostedClient;
  readonly target: HostedClient;
  /** The cells of both. */
  readonly from: { readonly name: string };
  readonly to: { readonly name: string };
  readonly operatorIds: readonly string[];
}

const stageOf = ({ name }: OperatorTable): string => `moving_${name}`;
const sameKey = ({ key }: OperatorTable): string =>
  key.map((column) => `kept.${column} = staged.${column}`).join(' and ');

const sameRow = (columns: readonly string[]): string => {
  const row = (of: string) => `row(${columns.map((column) => `${of}.${column}`).join(', ')})::text`;
  return `${row('staged')} = ${row('kept')}`;
};

/** A transaction identifier of the source: rows that no later transaction wrote were visible before it. */
export async function readMark(source: HostedClient): Promise<string> {
  const { rows } = await source.query<{ mark: string }>('select pg_snapshot_xmin(pg_current_snapshot())::text as mark');
  return rows[0]?.mark ?? '0';
}

/**
 * Copies rows into a temporary table of the target's transaction.
 * @param since only rows that were written at or after this mark
 * @returns how many rows were copied
 */
export async function stageRows(
  { source, target, operatorIds }: MovingRows,
  table: OperatorTable,
  since?: string,
): Promise<number> {
  const columns = table.columns.join(', ');
  const stage = stageOf(table);
  await target.query(`drop table if exists pg_temp.${stage}`);
  await target.query(`create temporary table ${stage} (like ${table.name} including generated) on commit drop`);
  const recent = since === undefined ? '' : ` and age(xmin) <= age('${BigInt(since)}'::xid8::xid)`;
  const copied = await copyBetween(
    source,
    `select ${columns} from ${table.name} where ${inQuery(source, table, operatorIds)}${recent}`,
    target,
    `${stage} (${columns})`,
  );
  if (table.name === 'operators') {
    // it must not trade here before the move is complete
    await target.query(`update ${stage} set status = 'moving'`);
  }
  await target.query(`analyze ${stage}`);
  return copied;
}

/** Removes rows of the target that the source no longer has. The whole table must have been staged. */
export async function dropVanished({ target, operatorIds }: MovingRows, table: OperatorTable): Promise<void> {
  if (!table.keepsRows) {
    await target.query(
      `delete from ${table.name} kept where ${table.scope}
         and not exists (select from ${stageOf(table)} staged where ${sameKey(table)})`,
      [operatorIds],
    );
  }
}

/**
 * Writes the staged rows. One that is there already and differs is changed, which an append-only table refuses; where the key is
 * that of each partition, it is inserted beside the other one, and the comparison that follows finds both.
 */
export async function mergeRows({ target }: MovingRows, table: OperatorTable): Promise<void> {
  const { name, columns, key, keyOfWhole } = table;
  const list = columns.join(', ');
  await target.query(
    `delete from ${stageOf(table)} staged using ${name} kept where ${sameKey(table)} and ${sameRow(columns)}`,
  );
  const changes = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
  const onConflict = keyOfWhole
    ? `on conflict (${key.join(', ')}) do ${changes.length === 0 ? 'nothing' : `update set ${changes.join(', ')}`}`
    : '';
  // children of an aggregator follow it: a trigger looks for the parent of each row
  const order = columns.includes('parent_id') ? 'order by parent_id nulls first' : '';
  await target.query(
    `insert into ${name} (${list}) overriding system value select ${list} from ${stageOf(table)} ${order} ${onConflict}`,
  );
}

/** Raises the sequence of a numbered table above the rows that came, while no other process takes a number. */
export async function raiseSequence({ target, operatorIds }: MovingRows, table: OperatorTable): Promise<void> {
  if (table.numbered === null) {
    return;
  }
  const { rows } = await target.query<{ most: string | null }>(
    `select max(${table.numbered})::text as most from ${table.name} where ${table.scope}`,
    [operatorIds],
  );
  const most = rows[0]?.most ?? null;
  if (most !== null) {
    await target.query(`lock table ${table.name} in share row exclusive mode`);
    await target.query(
      `select setval(s.name, $1::bigint) from (select pg_get_serial_sequence($2, $3) as name) s
       where $1::bigint >= nextval(s.name)`,
      [most, table.name, table.numbered],
    );
  }
}

/** COPY takes no parameters. */
function inQuery(client: HostedClient, { scope }: OperatorTable, operatorIds: readonly string[]): string {
  return scope.replace('$1', `array[${operatorIds.map((id) => client.escapeLiteral(id)).join(', ')}]`);
}
