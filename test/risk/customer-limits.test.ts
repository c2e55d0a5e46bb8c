import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCustomerLimits, effectiveLimits, type LevelLimits } from '../../src/risk/customer-limits.ts';

const none: LevelLimits = { maxWagerMinor: null, periodStakeMinor: null, periodHours: null };
const rung = (
  maxWagerMinor: bigint | null,
  periodStakeMinor: bigint | null = null,
  periodHours: number | null = null,
) => ({
  maxWagerMinor,
  periodStakeMinor,
  periodHours,
});

describe('effective limits', () => {
  test('nothing set is no limit and no level', () => {
    expect(effectiveLimits(none, none)).toEqual({ maxWagerMinor: null, maxWagerRung: null, periods: [] });
  });

  // contract 28.8
  test('the account level tightens the operator level', () => {
    expect(effectiveLimits(rung(1000n), rung(400n))).toMatchObject({ maxWagerMinor: 400n, maxWagerRung: 'account' });
  });

  // contract 28.8
  test('the account level never loosens it, and a tie names the operator', () => {
    expect(effectiveLimits(rung(1000n), rung(4000n))).toMatchObject({ maxWagerMinor: 1000n, maxWagerRung: 'operator' });
    expect(effectiveLimits(rung(1000n), rung(1000n))).toMatchObject({ maxWagerRung: 'operator' });
  });

  test('windows of one length merge into the tighter, of two lengths both bind', () => {
    expect(effectiveLimits(rung(null, 900n, 24), rung(null, 500n, 24)).periods).toEqual([
      { stakeMinor: 500n, hours: 24, rung: 'account' },
    ]);
    expect(effectiveLimits(rung(null, 400n, 24), rung(null, 500n, 24)).periods).toEqual([
      { stakeMinor: 400n, hours: 24, rung: 'operator' },
    ]);
    expect(effectiveLimits(rung(null, 400n, 24), rung(null, 400n, 24)).periods).toMatchObject([{ rung: 'operator' }]);
    expect(effectiveLimits(rung(null, 400n, null), rung(null, null, 24)).periods).toEqual([]);
    const both = effectiveLimits(rung(null, 900n, 24), rung(null, 500n, 168));
    expect(both.periods).toEqual([
      { stakeMinor: 900n, hours: 24, rung: 'operator' },
      { stakeMinor: 500n, hours: 168, rung: 'account' },
    ]);
    expect(both.periods.map(({ hours }) => hours)).toEqual([24, 168]);
  });
});

describe('the check', () => {
  const limits = effectiveLimits(rung(1000n, 5000n, 24), none);
  const fresh = [{ hours: 24, stakedMinor: 0n }];

  test('a window that was not measured is an error, not an empty one', () => {
    expect(() => checkCustomerLimits(limits, 1n, [])).toThrow(/24 h/);
  });

  test('a stake at the ceiling passes, a cent above it does not', () => {
    expect(checkCustomerLimits(limits, 1000n, fresh)).toBeNull();
    expect(checkCustomerLimits(limits, 1001n, fresh)).toMatchObject({
      code: 'over_wager_limit',
      status: 422,
      extra: { maxStake: 10 },
    });
  });

  test('the window counts what was staked, and names the stake that is left', () => {
    const windows = [{ hours: 24, stakedMinor: 4500n }];
    expect(checkCustomerLimits(limits, 500n, windows)).toBeNull();
    expect(checkCustomerLimits(limits, 501n, windows)).toMatchObject({
      code: 'over_period_limit',
      extra: { maxStake: 5 },
    });
  });

  test('an exhausted window gives no maxStake, since no stake would pass', () => {
    expect(checkCustomerLimits(limits, 1n, [{ hours: 24, stakedMinor: 5000n }])?.extra).toEqual({});
    expect(checkCustomerLimits(limits, 1n, [{ hours: 24, stakedMinor: 9000n }])?.code).toBe('over_period_limit');
  });

  test('over both, the maxStake is one that passes both', () => {
    expect(checkCustomerLimits(limits, 2000n, [{ hours: 24, stakedMinor: 4800n }])).toMatchObject({
      code: 'over_wager_limit',
      extra: { maxStake: 2 },
    });
  });

  test('of two windows the one with less room binds, whichever it is', () => {
    const two = effectiveLimits(rung(null, 5000n, 24), rung(null, 9000n, 168));
    const measured = (day: bigint, week: bigint) => [
      { hours: 24, stakedMinor: day },
      { hours: 168, stakedMinor: week },
    ];
    expect(checkCustomerLimits(two, 2000n, measured(4000n, 4000n))?.extra).toEqual({ maxStake: 10 });
    expect(checkCustomerLimits(two, 2000n, measured(1000n, 8500n))?.extra).toEqual({ maxStake: 5 });
  });

  test('a refused stake would pass at its maxStake, and a cent above that would not', () => {
    const amount = fc.bigInt({ min: 1n, max: 1_000_000_000n });
    const anyRung = fc
      .tuple(fc.option(amount), fc.option(fc.tuple(amount, fc.integer({ min: 1, max: 8760 }))))
      .map(([wager, period]) => rung(wager, period?.[0] ?? null, period?.[1] ?? null));
    fc.assert(
      fc.property(anyRung, anyRung, amount, amount, (operator, account, staked, stake) => {
        const effective = effectiveLimits(operator, account);
        const windows = effective.periods.map(({ hours }) => ({ hours, stakedMinor: staked }));
        const refusal = checkCustomerLimits(effective, stake, windows);
        if (refusal === null) {
          return;
        }
        const maxStake = refusal.extra['maxStake'];
        if (maxStake === undefined) {
          expect(checkCustomerLimits(effective, 1n, windows)).not.toBeNull();
          return;
        }
        const minor = BigInt(Math.round(Number(maxStake) * 100));
        expect(checkCustomerLimits(effective, minor, windows)).toBeNull();
        expect(checkCustomerLimits(effective, minor + 1n, windows)).not.toBeNull();
        // the account rung alone can never let through what the operator rung refuses
        expect(checkCustomerLimits(effectiveLimits(operator, none), minor, windows)).toBeNull();
      }),
    );
  });
});
