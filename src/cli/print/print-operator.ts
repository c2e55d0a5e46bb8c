/** An operator and its settings as text for a terminal: identity, trading state and limits, in words and dollars. */
import { minuteOf, withThousands } from '../../core/plain-words.ts';
import { formatMinor } from '../../money/usd.ts';
import { type Operator, simulateCeilingMinor } from '../../operators/operator.ts';
import type { Collateral } from '../../wire/reconciliation.ts';
import type { Facts } from '../terminal/facts.ts';

/** @returns every field, those that are needed most often first */
export function operatorFacts(operator: Operator): Facts {
  const { periodStakeMinor, periodHours, jurisdictionAllowExits: exits } = operator;
  return {
    operator: operator.operatorId,
    slug: operator.slug,
    name: operator.name,
    mode: operator.mode,
    status: operator.status,
    trading: operator.tradingPaused ? 'PAUSED' : 'open',
    'live execution': operator.executionConfirmed ? 'confirmed' : 'not confirmed',
    arming: operator.arming,
    'platform fee': `${feeText(operator)} of the stake`,
    'requests a minute': withThousands(operator.rateCeiling),
    'largest wager': dollars(operator.maxWagerMinor),
    'stakes in a period': periodHours === null ? dollars(null) : `${dollars(periodStakeMinor)} in ${periodHours} h`,
    'largest order': dollars(operator.maxOrderMinor),
    'exposure of a customer': dollars(operator.playerExposureMinor),
    'orders of a customer': perDay(operator.playerOrders),
    'exposure of all': dollars(operator.totalExposureMinor),
    'orders of all': perDay(operator.totalOrders),
    'largest simulated': `${dollars(simulateCeilingMinor(operator))}${operator.simulateCeilingMinor === null ? ' (by its mode)' : ''}`,
    categories: operator.offerCategories ?? 'all',
    aggregator: operator.parentId,
    'frame origins': operator.frameOrigins,
    'look of the frame': operator.presentation as Facts,
    'country check': operator.jurisdictionMode,
    'permitted countries': operator.permittedCountries,
    'sell from anywhere': exits ? 'yes' : 'no',
    'operator books': operator.operatorBookEnabled ? 'yes' : 'no',
    created: operator.createdAt,
    changed: operator.updatedAt,
  };
}

/** @returns the platform fee in percent */
export function feeText({ platformFeeBps }: Pick<Operator, 'platformFeeBps'>): string {
  return `${platformFeeBps / 100} %`;
}

function dollars(minor: bigint | null): string {
  return minor === null ? 'no limit' : `${withThousands(formatMinor(minor))} USD`;
}

function perDay(count: number | null): string {
  return count === null ? 'no limit' : `${withThousands(count)} in 24 h`;
}

/** @returns free and committed collateral, and the latest movements, newest first */
export function collateralFacts({ available, committed, movements }: Collateral): Facts {
  const lines = movements.map(
    ({ occurredAt, kind, amount, reference, orderId, positionId }) =>
      `${minuteOf(occurredAt)} ${kind} ${withThousands(amount)} ${reference ?? orderId ?? positionId ?? ''}`,
  );
  return {
    collateral: `${withThousands(available)} USD free, ${withThousands(committed)} USD committed`,
    'its movements': lines.length === 0 ? 'none' : lines.join('; '),
  };
}
