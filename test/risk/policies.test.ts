import { describe, expect, test } from 'vitest';
import { isAssigned, readCountry, readSubdivision } from '../../src/core/countries.ts';
import { checkOrderStake } from '../../src/risk/customer-limits.ts';
import { jurisdictionMismatch, mayTrade } from '../../src/risk/jurisdiction.ts';
import { checkOffering } from '../../src/risk/offering.ts';

describe('places', () => {
  test('two letters in either case, nothing else', () => {
    expect(readCountry('hr')).toBe('HR');
    expect(readCountry('UK')).toBe('UK');
    for (const text of ['', 'H', 'HRV', 'H1', 'ÅX', 'hr ']) {
      expect(readCountry(text)).toBeNull();
    }
    expect(['HR', 'XK', 'UK', 'ZZ', 'EU'].map(isAssigned)).toEqual([true, true, false, false, false]);
  });

  test('a letter that becomes two in upper case is no code', () => {
    expect('ß'.toUpperCase()).toBe('SS');
    expect([readCountry('ss'), readCountry('ß')]).toEqual(['SS', null]);
    expect([readSubdivision('ss'), readSubdivision('ß')]).toEqual(['SS', null]);
  });

  test('a subdivision is one to three letters or digits', () => {
    expect(readSubdivision('ca')).toBe('CA');
    expect(readSubdivision('21')).toBe('21');
    expect(readSubdivision('')).toBeNull();
    expect(readSubdivision('US-CA')).toBeNull();
  });
});

describe('jurisdiction', () => {
  const enforced = { mode: 'enforced', permittedCountries: ['HR', 'BR'], allowExits: false } as const;

  // contract 29.5
  test('off and observe refuse no customer', () => {
    for (const mode of ['off', 'observe'] as const) {
      expect(mayTrade({ ...enforced, mode }, null)).toBe(true);
      expect(mayTrade({ ...enforced, mode }, 'US')).toBe(true);
    }
  });

  test('enforced refuses the unasserted and the non-permitted', () => {
    expect(mayTrade(enforced, 'HR')).toBe(true);
    for (const country of [null, 'US']) {
      expect(mayTrade(enforced, country)).toBe(false);
    }
  });

  test('exits are refused too, unless the operator allows them', () => {
    expect(mayTrade(enforced, 'US', 'sell')).toBe(false);
    expect(mayTrade({ ...enforced, allowExits: true }, 'US', 'sell')).toBe(true);
    expect(mayTrade({ ...enforced, allowExits: true }, 'US', 'buy')).toBe(false);
  });

  test('a mismatch needs both halves', () => {
    expect(jurisdictionMismatch(null, 'HR')).toBeNull();
    expect(jurisdictionMismatch('HR', null)).toBeNull();
    expect(jurisdictionMismatch('HR', 'HR')).toBe(false);
    expect(jurisdictionMismatch('HR', 'BR')).toBe(true);
  });
});

describe('caps', () => {
  test('one order', () => {
    expect(checkOrderStake(null, 10n ** 9n)).toBeNull();
    expect(checkOrderStake(500n, 500n)).toBeNull();
    expect(checkOrderStake(500n, 501n)).toMatchObject({ code: 'over_order_limit', extra: { maxStake: 5 } });
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
