/** Customer limits as the API shows them: the limits of both levels as they were set, and the limits that apply. */
import type { CustomerLimits } from '../wire/customer-limits.ts';
import type { AccountLimits } from './account-limits.ts';
import { effectiveLimits, type LevelLimits } from './customer-limits.ts';

export function renderLimits(externalUserId: string, operator: LevelLimits, account: AccountLimits): CustomerLimits {
  const { maxWagerMinor, maxWagerRung, periods } = effectiveLimits(operator, account);
  return {
    externalUserId,
    account: { ...renderLevel(account), note: account.note },
    operator: renderLevel(operator),
    effective: {
      maxWagerMinor: toNumber(maxWagerMinor),
      maxWagerRung,
      periods: periods.map(({ stakeMinor, hours, rung }) => ({ stakeMinor: Number(stakeMinor), hours, rung })),
    },
  };
}

function renderLevel({ maxWagerMinor, periodStakeMinor, periodHours }: LevelLimits) {
  return { maxWagerMinor: toNumber(maxWagerMinor), periodStakeMinor: toNumber(periodStakeMinor), periodHours };
}

function toNumber(minor: bigint | null): number | null {
  return minor === null ? null : Number(minor);
}
