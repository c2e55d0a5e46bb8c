/**
 * A scenario: what will happen to one sandbox order (rulings 1 and 5). Pure; the money statement of an order selects
 * it.
 */
import { refuse } from '../core/errors.ts';
import { readDecimal } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Scenario, ScenarioInput } from '../wire/sandbox.ts';

export interface ScenarioRow {
  readonly scenario_id: string;
  readonly fill_fraction: string | null;
  readonly fill_amount_minor: bigint | null;
  readonly client_order_id: string | null;
  readonly expires_at: Date;
}

/** More places would not change a fill: contracts have six decimal places. */
const MAX_PLACES = 30;

/**
 * @returns the fraction as decimal text, or null if an amount is given
 * @throws scenario_invalid
 */
export function readFraction({ fillFraction }: ScenarioInput): string | null {
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
    scenarioId: row.scenario_id,
    kind: 'partial_fill',
    fillFraction: row.fill_fraction === null ? null : Number(row.fill_fraction),
    fillAmount: row.fill_amount_minor === null ? null : formatMinor(row.fill_amount_minor),
    clientOrderId: row.client_order_id,
    expiresAt: row.expires_at.toISOString(),
  };
}
