/** The two copies of a move: of everything while the operator trades, and of what changed since, while it is paused. */
import { listDifferences } from './compare-rows.ts';
import { dropVanished, type MovingRows, mergeRows, raiseSequence, readMark, stageRows } from './copy-rows.ts';
import type { OperatorTable } from './operator-tables.ts';
import { markSentElsewhere } from './sent-elsewhere.ts';

/** A round with fewer rows is the last one before the pause. */
const FEW_ROWS = 500;
const MOST_ROUNDS = 5;

/**
 * Copies everything as it is at one moment, while the operator trades. Append-only tables, which are the large ones, are one
 * transaction each: what an interrupted move copied stays.
 * @returns the mark from which on the rest is copied
 */
export async function copyWhileTrading(
  move: MovingRows,
  tables: readonly OperatorTable[],
  progress: (text: string) => void,
): Promise<string> {
  const { source, target } = move;
  const early = tables.filter(({ name, appendOnly }) => appendOnly || name === 'operators');
  await source.query('begin isolation level repeatable read read only');
  const mark = await readMark(source);
  for (const table of early) {
    await target.query('begin');
    const copied = await stageRows(move, table);
    await mergeRows(move, table);
    await target.query('commit');
    progress(`${table.name}: ${copied} rows while it trades`);
  }
  await target.query('begin');
  const copied = await copyWhole(
    move,
    tables.filter((table) => !early.includes(table)),
  );
  await markSentElsewhere(move);
  await target.query('commit');
  await source.query('commit');
  progress(`other tables: ${copied} rows while it trades`);
  return mark;
}

/**
 * Copies again what was written meanwhile, while the operator trades, until so little is left that the pause is short.
 * @param mark only rows written since
 * @returns the mark from which on the rest is copied
 */
export async function copyWrittenSince(
  move: MovingRows,
  tables: readonly OperatorTable[],
  mark: string,
  progress: (text: string) => void,
): Promise<string> {
  let since = mark;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const { source, target } = move;
    await source.query('begin isolation level repeatable read read only');
    const next = await readMark(source);
    await target.query('begin');
    const copied = await copyRecent(move, tables, since);
    await markSentElsewhere(move);
    await target.query('commit');
    await source.query('commit');
    progress(`all tables: ${copied} rows that were written meanwhile`);
    since = next;
    if (copied < FEW_ROWS) {
      break;
    }
  }
  return since;
}

/**
 * Makes the rows of both cells the same, in one transaction of the target. The operator must be fenced.
 * @param mark only rows written since are copied first; without it, tables that differ are copied whole
 * @returns how many rows were copied
 * @throws if a table differs afterwards
 */
export async function copyRest(
  move: MovingRows,
  tables: readonly OperatorTable[],
  mark: string | undefined,
): Promise<number> {
  const { target } = move;
  let copied = 0;
  await target.query('begin');
  if (mark !== undefined) {
    copied += await copyRecent(move, tables, mark);
  }
  // rows that were removed since, or all that an interrupted move did not copy
  const different = await listDifferences(move, tables);
  copied += await copyWhole(move, different);
  const [wrong] = different.length === 0 ? [] : await listDifferences(move, tables);
  if (wrong !== undefined) {
    throw new Error(`${wrong.name} is not the same in both cells after the copy`);
  }
  for (const table of tables) {
    await raiseSequence(move, table);
  }
  await markSentElsewhere(move);
  await target.query('commit');
  return copied;
}

async function copyRecent(move: MovingRows, tables: readonly OperatorTable[], mark: string): Promise<number> {
  let copied = 0;
  for (const table of tables) {
    copied += await stageRows(move, table, mark);
  }
  for (const table of tables) {
    await mergeRows(move, table);
  }
  return copied;
}

async function copyWhole(move: MovingRows, tables: readonly OperatorTable[]): Promise<number> {
  let copied = 0;
  for (const table of tables) {
    copied += await stageRows(move, table);
  }
  for (const table of tables.toReversed()) {
    await dropVanished(move, table);
  }
  for (const table of tables) {
    await mergeRows(move, table);
  }
  return copied;
}
