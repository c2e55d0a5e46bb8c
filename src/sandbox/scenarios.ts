/**
 * Scenarios, which determine what happens to one sandbox order (contract 32.9, contract 32.10): they are armed, listed and disarmed here,
 * and the money statement of an order selects and consumes them.
 */
import { refuse } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Sql } from '../db/client.ts';
import { readDecimal } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Scenario, ScenarioInput } from '../wire/sandbox.ts';

interface ScenarioRow {
  readonly scenarioId: string;
  readonly fillFraction: string | null;
  readonly fillAmountMinor: bigint | null;
  readonly clientOrderId: string | null;
  readonly expiresAt: Date;
}

/** Arms a scenario, which acts once and expires after an hour. @throws scenario_invalid */
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

/** Scenarios that are armed, not consumed and not expired, in the order in which they were armed. */
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

/** More places would not change a fill: contracts have six decimal places. */
const MAX_PLACES = 30;

/**
 * @returns the fraction as decimal text, or null if an amount is given
 * @throws scenario_invalid
 */
function readFraction({ fillFraction }: ScenarioInput): string | null {
  if (fillFraction === null || fillFraction === undefined) {
    return null;
  }
  const decimal = readDecimal(fillFraction);
  if (decimal === null || decimal.places > MAX_PLACES) {
    throw refuse('scenario_invalid', `fillFraction: at most ${MAX_PLACES} decimal places`, {
      detail: [{ path: 'fillFraction', message: `at most ${MAX_PLACES} decimal places` }],
    });
  }
  return String(fillFraction);
}

export function renderScenario(row: ScenarioRow): Scenario {
  return {
    scenarioId: row.scenarioId,
    kind: 'partial_fill',
    fillFraction: row.fillFraction === null ? null : Number(row.fillFraction),
    fillAmount: row.fillAmountMinor === null ? null : formatMinor(row.fillAmountMinor),
    clientOrderId: row.clientOrderId,
    expiresAt: row.expiresAt.toISOString(),
  };
}
