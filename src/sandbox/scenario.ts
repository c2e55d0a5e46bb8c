/**
 * A scenario: what will happen to one sandbox order (contract 32.9, contract 32.10). Pure; the money statement of an order selects
 * it.
 */
import { refuse } from '../core/errors.ts';
import { readDecimal } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import type { Scenario, ScenarioInput } from '../wire/sandbox.ts';

export interface ScenarioRow {
  readonly scenarioId: string;
  readonly fillFraction: string | null;
  readonly fillAmountMinor: bigint | null;
  readonly clientOrderId: string | null;
  readonly expiresAt: Date;
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
    scenarioId: row.scenarioId,
    kind: 'partial_fill',
    fillFraction: row.fillFraction === null ? null : Number(row.fillFraction),
    fillAmount: row.fillAmountMinor === null ? null : formatMinor(row.fillAmountMinor),
    clientOrderId: row.clientOrderId,
    expiresAt: row.expiresAt.toISOString(),
  };
}
