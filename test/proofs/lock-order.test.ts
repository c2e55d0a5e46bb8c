/** Statements that lock several rows of one table take them in one order, by key, so that no two of them wait for each other. */
import { expect, test } from 'vitest';
import { sqlFunctions } from '../support/sql-functions.ts';

/** A lock of rows of a table: its name, its short name, what stands before the lock, and the table that it names, if it does. */
const LOCK =
  /\b(?:from|join) (customers|exposures|operator_ledgers|scenarios) (\w+)\b((?:(?!\b(?:from|join) (?:customers|exposures|operator_ledgers|scenarios)\b)[^;])*?)\bfor (?:no key )?update(?: of (\w+))?/g;
/** One row by its whole key needs no order. */
const ONE_ROW = /^\s*where \w+\.operator_id = p_operator_id(?:\s+and \w+\.external_user_id = '')?\s*$/;
/** Two lock a single row, one skips rows that are locked, so none of them waits while it holds another. */
const ALONE: readonly string[] = ['change_log_key', 'request_resolution', 'arm_scenario'];
const KEYS: Readonly<Record<string, string>> = {
  customers: 'external_user_id',
  exposures: 'operator_id',
  operator_ledgers: 'operator_id',
  scenarios: 'scenario_id',
};

test('every statement that locks customers, exposures, scenarios or counters takes them in the order of their keys', () => {
  const seen: string[] = [];
  const wrong: string[] = [];
  for (const [name, text] of sqlFunctions()) {
    if (ALONE.includes(name)) {
      continue;
    }
    for (const [, table = '', short = '', middle = '', locked = short] of text.matchAll(LOCK)) {
      if (locked !== short) {
        continue;
      }
      seen.push(`${name} ${table}`);
      const order = /order by ([^()]*?)\s*$/.exec(middle)?.[1]?.trim();
      const last = `${short}.${KEYS[table]}`;
      const ordered = order === last || order === `${short}.operator_id, ${last}`;
      if (!ordered && !ONE_ROW.test(middle)) {
        wrong.push(`${name}: ${table} in the order of ${order ?? 'nothing'}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.length).toBeGreaterThan(7);
});
