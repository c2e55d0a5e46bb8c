/** Makes an operator. It issues no key and moves no collateral. */

import { refuse } from '../core/errors.ts';
import { newOperatorId } from '../core/ids.ts';
import type { Mode } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import type { Operator } from './operator.ts';
import { type OperatorSettings, readSettings, readSlug } from './operator-settings.ts';
import { findOperator, insertOperator } from './operators.ts';

/**
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

/** @param reference slug or id. @throws `unknown_operator` */
export async function getOperator(sql: Sql, reference: string): Promise<Operator> {
  const operator = await findOperator(sql, reference);
  if (operator === undefined) {
    throw refuse('unknown_operator', `No operator has the slug or id ${reference}.`);
  }
  return operator;
}
