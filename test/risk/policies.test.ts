import { describe, expect, test } from 'vitest';
import { checkExposure, checkOrderStake } from '../../src/risk/caps.ts';
import { checkJurisdiction, jurisdictionMismatch, mayTrade } from '../../src/risk/jurisdiction.ts';
import { checkOffering } from '../../src/risk/offering.ts';
import { readCountry, readSubdivision } from '../../src/risk/places.ts';

describe('places', () => {
  test('alpha-2 codes in either case, nothing else', () => {
    expect(readCountry('hr')).toBe('HR');
    expect(readCountry('XK')).toBe('XK');
    for (const text of ['', 'H', 'HRV', 'ZZ', 'H1', 'EU', 'ÅX', 'hr ']) expect(readCountry(text)).toBeNull();
  });

  test('a subdivision belongs to its country', () => {
    expect(readSubdivision('US', 'ca')).toBe('CA');
    expect(readSubdivision('HR', '21')).toBe('21');
    expect(readSubdivision('HR', 'CA')).toBeNull();
    expect(readSubdivision('US', 'US-CA')).toBeNull();
  });
});

describe('jurisdiction', () => {
  const enforced = { mode: 'enforced', permittedCountries: ['HR', 'BR'], allowExits: false } as const;

  test('off and observe refuse nobody', () => {
    for (const mode of ['off', 'observe'] as const) {
      expect(mayTrade({ ...enforced, mode }, null)).toBe(true);
      expect(checkJurisdiction({ ...enforced, mode }, 'US', 'buy')).toBeNull();
    }
  });

  test('enforced refuses the unasserted and the non-permitted', () => {
    expect(checkJurisdiction(enforced, 'HR', 'buy')).toBeNull();
    for (const country of [null, 'US']) {
      expect(checkJurisdiction(enforced, country, 'buy')).toMatchObject({
        code: 'market_not_offered',
        status: 403,
        extra: { reason: 'jurisdiction' },
      });
    }
  });

  test('exits are refused too, unless the operator allows them', () => {
    expect(checkJurisdiction(enforced, 'US', 'sell')?.code).toBe('market_not_offered');
    expect(checkJurisdiction({ ...enforced, allowExits: true }, 'US', 'sell')).toBeNull();
    expect(checkJurisdiction({ ...enforced, allowExits: true }, 'US', 'buy')).not.toBeNull();
  });

  test('a mismatch needs both halves', () => {
    expect(jurisdictionMismatch(null, 'HR')).toBeNull();
    expect(jurisdictionMismatch('HR', null)).toBeNull();
    expect(jurisdictionMismatch('HR', 'HR')).toBe(false);
    expect(jurisdictionMismatch('HR', 'BR')).toBe(true);
  });
});

describe('caps', () => {
  const open = { playerExposureMinor: null, playerOrders: null, totalExposureMinor: null, totalOrders: null };
  const measured = { playerExposureMinor: 900n, playerOrders: 2, totalExposureMinor: 5000n, totalOrders: 7 };

  test('one order', () => {
    expect(checkOrderStake(null, 10n ** 9n)).toBeNull();
    expect(checkOrderStake(500n, 500n)).toBeNull();
    expect(checkOrderStake(500n, 501n)).toMatchObject({ code: 'over_order_limit', extra: { maxStake: 5 } });
  });

  test('exposure and order counts, each on its own edge', () => {
    expect(checkExposure(open, measured, 100n)).toBeNull();
    expect(checkExposure({ ...open, playerExposureMinor: 1000n }, measured, 100n)).toBeNull();
    expect(checkExposure({ ...open, playerExposureMinor: 1000n }, measured, 101n)?.code).toBe('over_tenant_exposure');
    expect(checkExposure({ ...open, totalExposureMinor: 5099n }, measured, 100n)?.code).toBe('over_tenant_exposure');
    expect(checkExposure({ ...open, playerOrders: 3 }, measured, 100n)).toBeNull();
    expect(checkExposure({ ...open, playerOrders: 2 }, measured, 100n)?.code).toBe('over_tenant_exposure');
    expect(checkExposure({ ...open, totalOrders: 7 }, measured, 100n)?.code).toBe('over_tenant_exposure');
  });
});

test('offering: categories and the bound book both narrow', () => {
  const event = { eventId: 'evt_1', category: 'sports' };
  expect(checkOffering({ categories: null, eventIds: null }, event)).toBeNull();
  expect(checkOffering({ categories: ['crypto'], eventIds: null }, event)?.code).toBe('market_not_offered');
  expect(checkOffering({ categories: ['sports'], eventIds: new Set(['evt_2']) }, event)?.code).toBe(
    'market_not_offered',
  );
  expect(checkOffering({ categories: ['sports'], eventIds: new Set(['evt_1']) }, event)).toBeNull();
});
