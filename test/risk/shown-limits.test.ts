/** Limits and places as partners read them, and the refusal that a measured stake is worded with. */
import { describe, expect, test } from 'vitest';
import { refuse } from '../../src/core/errors.ts';
import { renderLimits } from '../../src/risk/customer-limits.ts';
import { renderJurisdiction } from '../../src/risk/jurisdiction.ts';
import {
  type BrokenLimits,
  capToRefusal,
  codeToRefusal,
  toLimitRefusal,
  withPassableStake,
} from '../../src/trading/refusals.ts';

const NONE = { maxWagerMinor: null, periodStakeMinor: null, periodHours: null };

describe('limits', () => {
  test('shows both levels as they were set, and what applies', () => {
    const operator = { maxWagerMinor: 1_000n, periodStakeMinor: 9_000n, periodHours: 24 };
    const account = { maxWagerMinor: 400n, periodStakeMinor: 5_000n, periodHours: 168, note: 'asked for it' };
    expect(renderLimits('ana', operator, account)).toEqual({
      externalUserId: 'ana',
      account: { maxWagerMinor: 400, periodStakeMinor: 5_000, periodHours: 168, note: 'asked for it' },
      operator: { maxWagerMinor: 1_000, periodStakeMinor: 9_000, periodHours: 24 },
      effective: {
        maxWagerMinor: 400,
        maxWagerRung: 'account',
        periods: [
          { stakeMinor: 9_000, hours: 24, rung: 'operator' },
          { stakeMinor: 5_000, hours: 168, rung: 'account' },
        ],
      },
    });
  });

  test('are null if they were never set', () => {
    expect(renderLimits('ana', NONE, { ...NONE, note: null })).toEqual({
      externalUserId: 'ana',
      account: { ...NONE, note: null },
      operator: NONE,
      effective: { maxWagerMinor: null, maxWagerRung: null, periods: [] },
    });
  });
});

describe('a place', () => {
  const at = new Date('2026-11-01T12:00:00.000Z');
  const nowhere = {
    country: null,
    subdivision: null,
    assertedAt: null,
    assertedSource: null,
    observedCountry: null,
    observedAt: null,
  };

  test('shows the asserted place and the observed country', () => {
    const place = {
      country: 'US',
      subdivision: 'CA',
      assertedAt: at,
      assertedSource: 'api',
      observedCountry: 'HR',
      observedAt: at,
    } as const;
    expect(renderJurisdiction('ana', place)).toEqual({
      userId: 'ana',
      jurisdiction: { country: 'US', subdivision: 'CA' },
      assertedAt: '2026-11-01T12:00:00.000Z',
      assertedSource: 'api',
      observedCountry: 'HR',
      observedAt: '2026-11-01T12:00:00.000Z',
      mismatch: true,
    });
    expect(renderJurisdiction('ana', { ...place, observedCountry: 'US' }).mismatch).toBe(false);
  });

  test('is null if it was never asserted', () => {
    expect(renderJurisdiction('ana', nowhere)).toEqual({
      userId: 'ana',
      jurisdiction: null,
      assertedAt: null,
      assertedSource: null,
      observedCountry: null,
      observedAt: null,
      mismatch: null,
    });
  });
});

describe('a stake that the statement refused', () => {
  const free = { ...NONE, usedMinor: '0' };
  const word = (broken: Partial<BrokenLimits>, stakeMinor: bigint) => {
    const { code, extra } = toLimitRefusal(
      { account: free, operator: free, maxOrderMinor: null, ...broken },
      stakeMinor,
    );
    return [code, extra];
  };

  test('is worded by the limit that it breaks', () => {
    const wager = { ...free, maxWagerMinor: '500' };
    expect(word({ account: wager }, 501n)).toEqual(['over_wager_limit', { maxStake: 5 }]);
    expect(word({ operator: wager }, 501n)).toEqual(['over_wager_limit', { maxStake: 5 }]);
    expect(word({ maxOrderMinor: '700' }, 701n)).toEqual(['over_order_limit', { maxStake: 7 }]);
    expect(word({ account: wager, maxOrderMinor: '700' }, 701n)).toEqual(['over_wager_limit', { maxStake: 5 }]);
  });

  test('is measured by what counts in the window of each level', () => {
    const period = (usedMinor: string, periodHours = 24) => ({
      maxWagerMinor: null,
      periodStakeMinor: '1000',
      periodHours,
      usedMinor,
    });
    expect(word({ account: period('600') }, 401n)).toEqual(['over_period_limit', { maxStake: 4 }]);
    expect(word({ operator: period('700') }, 401n)).toEqual(['over_period_limit', { maxStake: 3 }]);
    expect(word({ account: period('600'), operator: period('700', 48) }, 401n)).toEqual([
      'over_period_limit',
      { maxStake: 3 },
    ]);
    expect(word({ account: period('0') }, 1_001n)).toEqual(['over_period_limit', { maxStake: 10 }]);
  });

  test('that breaks none of them by now was over a period', () => {
    expect(word({}, 1n)).toEqual(['over_period_limit', {}]);
  });
});

describe('a code of a money statement', () => {
  const free = { ...NONE, usedMinor: '0' };
  const limits = { account: { ...free, maxWagerMinor: '500' }, operator: free, maxOrderMinor: null };
  const shown = (code: string, broken: BrokenLimits | null) => {
    const refusal = codeToRefusal(code, broken, 501n);
    return [refusal.code, refusal.extra];
  };

  test('of a limit is worded by what was measured, where it was', () => {
    expect(shown('limits', limits)).toEqual(['over_wager_limit', { maxStake: 5 }]);
    expect(shown('limits', null)).toEqual(['internal_error', {}]);
    expect(shown('market_paused', limits)).toEqual(shown('market_paused', null));
  });

  test('of a place names no place', () => {
    expect(shown('jurisdiction', null)).toEqual(['market_not_offered', { reason: 'jurisdiction' }]);
    expect(codeToRefusal('jurisdiction', null, 1n).message).toBe('Trading is not offered where this customer is.');
  });

  test('is itself, or an error of ours where it is none', () => {
    expect(shown('quote_expired', null)).toEqual(['quote_expired', {}]);
    expect(shown('no such code', null)).toEqual(['internal_error', {}]);
  });

  test.each([
    ['player_exposure', 'The order would exceed the open exposure that one customer may have on this account.'],
    [
      'total_exposure',
      'The order would exceed the open exposure that all customers together may have on this account.',
    ],
    ['player_orders', 'The customer has as many live orders in 24 hours as one customer may have on this account.'],
    ['total_orders', 'The account has as many live orders in 24 hours as it may have.'],
  ])('of the cap %s names it', (cap, message) => {
    expect(capToRefusal(cap)).toMatchObject({ code: 'over_tenant_exposure', message, extra: { cap } });
  });

  test('of a cap that is gone by now names none', () => {
    const { code, message, extra } = capToRefusal(null);
    expect([code, message, extra]).toEqual(['over_tenant_exposure', refuse('over_tenant_exposure').message, {}]);
  });
});

describe('the stake that would pass', () => {
  const venue = (minimumMinor: bigint) => ({ minimumMinor });
  const shown = (maxStake: number | undefined, minimums: readonly bigint[] | undefined, feeBps = 0) => {
    const extra = { reason: 'kept', ...(maxStake === undefined ? {} : { maxStake }) };
    const contract = minimums === undefined ? undefined : { books: minimums.map(venue) };
    const refusal = withPassableStake(refuse('over_order_limit', 'why', extra), contract, feeBps);
    expect([refusal.code, refusal.message, refusal.extra['reason']]).toEqual(['over_order_limit', 'why', 'kept']);
    return refusal.extra['maxStake'];
  };

  test('is shown down to the least that one of the venues takes', () => {
    expect(shown(1, [100n])).toBe(1);
    expect(shown(0.99, [100n])).toBeUndefined();
    expect(shown(0.99, [100n, 99n])).toBe(0.99);
    expect(shown(0.29, [29n])).toBe(0.29);
    // 1.00 less 2 % is below a dollar, 1.03 is not
    expect(shown(1, [100n], 200)).toBeUndefined();
    expect(shown(1.03, [100n], 200)).toBe(1.03);
  });

  test('is shown where no venue is known, and cannot be where there is none', () => {
    expect(shown(0.01, [])).toBe(0.01);
    expect(shown(0.01, undefined)).toBe(0.01);
    expect(shown(undefined, [100n])).toBeUndefined();
  });
});
