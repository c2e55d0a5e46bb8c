/**
 * Operators in the database: finds, creates and changes them. Rows are read as JSON text, so that one function parses them for both
 * drivers.
 */
import { createBatcher } from '../core/batcher.ts';
import { refuse } from '../core/errors.ts';
import { newOperatorId } from '../core/ids.ts';
import type { Mode } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import { untilForgotten } from './callers.ts';
import { type Operator, type OperatorSettings, parseOperator, readSettings, readSlug } from './operator.ts';

interface Row {
  operator: string;
}

const MOST_SLUGS = 1_000;
const UNIQUE_VIOLATION = '23505';

/**
 * @param reference a slug or an operator id
 * @throws `unknown_operator`
 */
export async function getOperator(sql: Sql, reference: string): Promise<Operator> {
  const operator = await findOperator(sql, reference);
  if (operator === undefined) {
    throw refuse('unknown_operator', `No operator has the slug or id ${reference}.`);
  }
  return operator;
}

/** @param reference a slug or an operator id */
export async function findOperator(sql: Sql, reference: string): Promise<Operator | undefined> {
  const [row] = await sql<Row[]>`
    select to_jsonb(o)::text as operator from operators o
     where o.slug = ${reference} or o.operator_id = ${reference}
     order by o.slug = ${reference} desc limit 1`;
  return row === undefined ? undefined : parseOperator(row.operator);
}

/**
 * For public pages: slugs that are requested while a statement runs are looked up by the next one, so that a flood of pages
 * takes one connection.
 * @returns a function that takes a slug
 */
export function createSlugLookup(sql: Sql): (slug: string) => Promise<Operator | undefined> {
  return createBatcher(
    async (slugs: readonly string[]) => {
      const rows = await sql<Row[]>`select to_jsonb(o)::text as operator from operators o
        where o.slug = any (${[...new Set(slugs)]}::text[])`;
      const found = new Map(rows.map(({ operator }) => parseOperator(operator)).map((one) => [one.slug, one]));
      return slugs.map((slug) => found.get(slug));
    },
    { name: 'find operators', maxBatch: MOST_SLUGS, concurrency: 1 },
  );
}

/** All operators, by slug. */
export async function listOperators(sql: Sql): Promise<Operator[]> {
  const rows = await sql<Row[]>`select to_jsonb(o)::text as operator from operators o order by o.slug`;
  return rows.map((row) => parseOperator(row.operator));
}

/**
 * Creates an operator without keys or collateral.
 * @param parent slug or id of the aggregator that may act for it; an aggregator itself has no parent
 * @throws `invalid_request`, `unknown_operator` (the parent), `operator_exists`
 */
export async function createOperator(
  sql: Sql,
  { slug, mode, parent, ...settings }: { slug: string; mode: Mode; parent?: string } & OperatorSettings,
): Promise<Operator> {
  const parentId = parent === undefined ? settings.parentId : (await getOperator(sql, parent)).operatorId;
  const checked = readSettings({ name: slug, ...settings, mode, parentId });
  const operator = await insertOperator(sql, newOperatorId(), readSlug(slug), checked);
  if (operator === undefined) {
    throw refuse('operator_exists');
  }
  return operator;
}

/**
 * Changes the settings of an operator: fees, limits, origins, suspension, the trading pause. Processes remember the settings for half a
 * second; a suspension and a resumption return when all processes have them.
 * @param reference slug or id
 * @param parent slug or id of a new parent
 * @throws `unknown_operator`, `invalid_request`, or `mode_in_use` if keys or customers belong to the present mode
 */
export async function changeOperator(
  sql: Sql,
  reference: string,
  { parent, ...settings }: { parent?: string } & OperatorSettings,
): Promise<Operator> {
  const operator = await getOperator(sql, reference);
  const parentId = parent === undefined ? settings.parentId : (await getOperator(sql, parent)).operatorId;
  const checked = readSettings({ ...settings, parentId });
  if (Object.keys(checked).length === 0) {
    return operator;
  }
  const changed = await updateOperator(sql, operator.operatorId, checked);
  if (changed === undefined) {
    throw refuse('mode_in_use');
  }
  if (settings.status !== undefined) {
    await untilForgotten();
  }
  return changed;
}

/**
 * @returns undefined if the slug is taken
 * @throws `invalid_request` for a parent that has a parent or another mode
 */
async function insertOperator(
  sql: Sql,
  operatorId: string,
  slug: string,
  settings: OperatorSettings,
): Promise<Operator | undefined> {
  try {
    const [row] = await sql<[Row]>`
      select to_jsonb(made)::text as operator
      from insert_operator(${columnsOf({ operatorId, slug, ...settings })}::text::json) made`;
    return parseOperator(row.operator);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) {
      return undefined;
    }
    throw parentRefusal(error);
  }
}

/**
 * @param settings at least one; omitted ones do not change
 * @returns undefined if the operator does not exist, or if its mode would change although it has keys or customers
 * @throws `invalid_request` for a parent that has a parent or another mode
 */
async function updateOperator(sql: Sql, operatorId: string, settings: OperatorSettings): Promise<Operator | undefined> {
  if (settings.mode !== undefined && !(await mayHaveMode(sql, operatorId, settings.mode))) {
    return undefined;
  }
  const [row] = await sql<Row[]>`
    select to_jsonb(made)::text as operator
    from update_operator(${operatorId}, ${columnsOf(settings)}::text::json) made
    where made.operator_id is not null`.catch((error: unknown) => {
    throw parentRefusal(error);
  });
  return row === undefined ? undefined : parseOperator(row.operator);
}

/** Whether the operator has this mode, or has neither keys nor customers yet. */
async function mayHaveMode(sql: Sql, operatorId: string, mode: string): Promise<boolean> {
  const found = await Promise.all([
    sql`select 1 from api_keys where operator_id = ${operatorId} limit 1`,
    sql`select 1 from customers where operator_id = ${operatorId} limit 1`,
    sql`select 1 from operators where operator_id = ${operatorId} and mode <> ${mode}`,
  ]);
  const [keys, customers, others] = found.map((rows) => rows.length > 0);
  return !others || !(keys || customers);
}

/** A refusal if the trigger that forbids chains, cycles and mixed modes raised the error (sql/schema.sql). */
function parentRefusal(error: unknown): unknown {
  const isParent = error instanceof Error && 'code' in error && error.code === 'IN007';
  return isParent ? refuse('invalid_request', error.message) : error;
}

/** The columns of `operators` that are given, as JSON. */
function columnsOf(settings: OperatorSettings & { readonly operatorId?: string; readonly slug?: string }): string {
  const columns = Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]);
  return JSON.stringify(Object.fromEntries(columns), (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
