/**
 * Changes the settings of an operator: fees, limits, origins, suspension, the trading pause. Processes remember the settings for half a
 * second; a suspension and a resumption are answered when all of them know.
 */
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { untilForgotten } from './admission/callers.ts';
import { getOperator } from './create-operator.ts';
import type { Operator } from './operator.ts';
import { type OperatorSettings, readSettings } from './operator-settings.ts';
import { updateOperator } from './operators.ts';

/**
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
