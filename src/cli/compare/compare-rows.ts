/** Matches their rows with ours by a key, one to one, and records each result in a tally. */

import { usage } from '../failure.ts';
import { readAmount } from './amounts.ts';
import { type Comparison, isAdded, isSame, normalCell, Tally } from './comparison-tally.ts';
import type { Row, TheirRow, Theirs } from './their-rows.ts';

/**
 * @param ours a stream of any length; theirs are in memory.
 * @param key our columns that identify a row. @param columns the columns to compare.
 * @throws usage, exit 2, if one of their cells should be an amount and is not.
 */
export async function compareRows(
  theirs: Theirs,
  ours: AsyncIterable<Row>,
  key: readonly string[],
  columns: readonly string[],
): Promise<Comparison> {
  const waiting = rowsByKey(theirs, key, columns);
  const tally = new Tally(columns);
  const seen = new Set<string>();
  const unlike: { readonly name: string; readonly row: Row }[] = [];
  for await (const row of ours) {
    const name = keyOf(row, key);
    const candidates = waiting.get(name) ?? [];
    const same = candidates.findIndex(({ cells }) => columns.every((column) => isSame(column, row, cells)));
    if (same !== -1) {
      candidates.splice(same, 1);
      seen.add(name);
      tally.matched(row);
    } else if (candidates.length > 0) {
      // an equal row may belong to a later row of this key
      unlike.push({ name, row });
    } else {
      tally.missing(name, row);
    }
  }
  for (const { name, row } of unlike) {
    const other = waiting.get(name)?.shift();
    if (other === undefined) {
      tally.missing(name, row);
    } else {
      seen.add(name);
      tally.different(name, row, other.cells);
    }
  }
  for (const [name, rest] of waiting) {
    for (const { cells } of rest) {
      tally.extra(name, cells, seen.has(name) ? 'duplicate_in_theirs' : 'missing_in_ours');
    }
  }
  return tally.result(theirs.rows.length);
}

const keyOf = (row: Row, key: readonly string[]): string =>
  key.map((column) => normalCell(row[column] ?? '')).join(' ');

/** @throws usage, exit 2, at the first cell that should be an amount and is not. */
function rowsByKey(theirs: Theirs, key: readonly string[], columns: readonly string[]): Map<string, TheirRow[]> {
  const byKey = new Map<string, TheirRow[]>();
  for (const row of theirs.rows) {
    for (const column of columns.filter(isAdded)) {
      if (readAmount(row.cells[column] ?? '') === undefined) {
        const place = `row ${row.line}, column "${theirs.nameOf(column)}"`;
        throw usage(`${theirs.file}: ${place}: "${row.cells[column]}" is not an amount of dollars and cents.`);
      }
    }
    const name = keyOf(row.cells, key);
    const others = byKey.get(name);
    if (others === undefined) {
      byKey.set(name, [row]);
    } else {
      others.push(row);
    }
  }
  return byKey;
}
