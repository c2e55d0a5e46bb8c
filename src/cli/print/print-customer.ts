/** The limits and the jurisdiction of a customer as text for a terminal. */
import type { CustomerLimits, JurisdictionAssertion } from '../../client/shapes.ts';

/** @returns named lines; amounts are dollars. */
export function limitFacts({ externalUserId, account, operator, effective }: CustomerLimits): Record<string, string> {
  return {
    externalUserId,
    account: describeLevel(account),
    operator: describeLevel(operator),
    'one wager':
      effective.maxWagerRung === null ? 'no limit' : `${dollars(effective.maxWagerMinor)} (${effective.maxWagerRung})`,
    'in a period':
      effective.periods
        .map(({ stakeMinor, hours, rung: level }) => `${dollars(stakeMinor)} in ${hours} h (${level})`)
        .join(', ') || 'no limit',
    ...(account.note === null ? {} : { note: account.note }),
  };
}

function describeLevel({ maxWagerMinor, periodStakeMinor, periodHours }: CustomerLimits['operator']): string {
  const parts = [
    ...(maxWagerMinor === null ? [] : [`${dollars(maxWagerMinor)} a wager`]),
    ...(periodStakeMinor === null ? [] : [`${dollars(periodStakeMinor)} in ${periodHours} h`]),
  ];
  return parts.join(', ') || 'nothing set';
}

function dollars(minor: number | null): string {
  return minor === null ? '-' : `${(minor / 100).toFixed(2)} USD`;
}

export function placeFacts(assertion: JurisdictionAssertion): Record<string, string | null> {
  const { jurisdiction, mismatch } = assertion;
  const place = jurisdiction && [jurisdiction.country, jurisdiction.subdivision].filter(Boolean).join('-');
  return {
    userId: assertion.userId,
    asserted: place === null ? null : `${place} (${assertion.assertedSource}, ${assertion.assertedAt})`,
    observed: assertion.observedCountry === null ? null : `${assertion.observedCountry} (${assertion.observedAt})`,
    mismatch: mismatch === null ? null : mismatch ? 'yes' : 'no',
  };
}
