/** An operator and its settings as text for a terminal: identity, trading state and limits. Amounts are in cents, as in the flags. */
import type { Operator } from '../../operators/operator.ts';
import type { Collateral } from '../../wire/reconciliation/collateral.ts';
import type { Facts } from './facts.ts';

const FIRST = [
  'operatorId',
  'slug',
  'name',
  'mode',
  'status',
  'tradingPaused',
  'executionConfirmed',
  'arming',
  'platformFeeBps',
  'rateCeiling',
  'maxWagerMinor',
  'periodStakeMinor',
  'periodHours',
  'maxOrderMinor',
  'playerExposureMinor',
  'playerOrders',
  'totalExposureMinor',
  'totalOrders',
  'offerCategories',
] as const satisfies readonly (keyof Operator)[];

/** @returns every field; those needed most often come first. */
export function operatorFacts(operator: Operator): Facts {
  const first = FIRST.map((name) => [name, operator[name]] as const);
  return { ...Object.fromEntries(first), ...operator, offerCategories: operator.offerCategories ?? 'all' };
}

/** Free and committed collateral, and the latest movements, newest first. */
export function collateralFacts({ available, committed, movements }: Collateral): Facts {
  const lines = movements.map(
    ({ occurredAt, kind, amount, reference, orderId, positionId }) =>
      `${occurredAt} ${kind} ${amount} ${reference ?? orderId ?? positionId ?? ''}`,
  );
  return {
    collateralAvailable: available,
    collateralCommitted: committed,
    collateralMovements: lines.length === 0 ? 'none' : lines.join('; '),
  };
}
