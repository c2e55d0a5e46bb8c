/** Customer limits as text for a terminal. */
import type { CustomerLimits } from '../../client/shapes.ts';

/** @returns named lines; amounts are dollars. */
export function limitFacts({ externalUserId, account, operator, effective }: CustomerLimits): Record<string, string> {
  return {
    externalUserId,
    account: rung(account),
    operator: rung(operator),
    'one wager':
      effective.maxWagerRung === null ? 'no limit' : `${dollars(effective.maxWagerMinor)} (${effective.maxWagerRung})`,
    'in a period':
      effective.periods
        .map((period) => `${dollars(period.stakeMinor)} in ${period.hours} h (${period.rung})`)
        .join(', ') || 'no limit',
    ...(account.note === null ? {} : { note: account.note }),
  };
}

function rung({ maxWagerMinor, periodStakeMinor, periodHours }: CustomerLimits['operator']): string {
  const parts = [
    ...(maxWagerMinor === null ? [] : [`${dollars(maxWagerMinor)} a wager`]),
    ...(periodStakeMinor === null ? [] : [`${dollars(periodStakeMinor)} in ${periodHours} h`]),
  ];
  return parts.join(', ') || 'nothing set';
}

function dollars(minor: number | null): string {
  return minor === null ? '-' : `${(minor / 100).toFixed(2)} USD`;
}
