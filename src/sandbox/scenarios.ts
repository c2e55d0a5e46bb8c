/** Store of scenarios: armed, listed and disarmed here; the money statement of an order consumes them. */
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import type { ScenarioInput } from '../wire/sandbox.ts';
import { readFraction, type ScenarioRow } from './scenario.ts';

/** Fires once, within the hour. @throws scenario_invalid. */
export async function armScenario(sql: Sql, operatorId: string, input: ScenarioInput): Promise<ScenarioRow> {
  const amountMinor = input.fillAmountMinor ?? null;
  const [row] = await sql<ScenarioRow[]>`
    select * from arm_scenario(${operatorId}, ${newId('scn')}, ${readFraction(input)},
      ${amountMinor === null ? null : BigInt(amountMinor)}, ${input.clientOrderId ?? null})`;
  if (row === undefined) {
    throw new Error('arming a scenario returned no row');
  }
  return row;
}

/** Armed, not consumed, not expired; in the order in which they were armed. */
export function listScenarios(sql: Sql, operatorId: string): Promise<ScenarioRow[]> {
  return sql<ScenarioRow[]>`
    select * from scenarios
    where operator_id = ${operatorId} and consumed_by is null and disarmed_at is null and expires_at > now()
    order by scenario_id`;
}

/** @returns false if no armed scenario of the operator has this id */
export async function disarmScenario(sql: Sql, operatorId: string, scenarioId: string): Promise<boolean> {
  const { count } = await sql`
    update scenarios set disarmed_at = now()
    where operator_id = ${operatorId} and scenario_id = ${scenarioId}
      and consumed_by is null and disarmed_at is null and expires_at > now()`;
  return count > 0;
}
