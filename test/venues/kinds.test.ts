/** The kind of an event, which one rule decides for all venues. */
import { describe, expect, test } from 'vitest';
import { kindOfStrikes, type VenueStrike } from '../../src/venues/listing.ts';
import { readPolymarketEvents } from '../../src/venues/polymarket/catalogue.ts';
import { polymarketPayloads } from './recordings.ts';

const above = (threshold: number): VenueStrike => ({ threshold, direction: 'above' });
const below = (threshold: number): VenueStrike => ({ threshold, direction: 'below' });
const NONE: VenueStrike = { threshold: null, direction: null };

test.each([
  ['one contract', 'binary', [NONE]],
  ['one contract with a strike', 'binary', [above(1)]],
  ['nested thresholds', 'cumulative_ladder', [above(1), above(2), above(3)]],
  ['nested thresholds in any order', 'cumulative_ladder', [below(3), below(1)]],
  ['thresholds that point both ways', 'ambiguous', [above(2), below(1)]],
  ['a threshold that is there twice', 'ambiguous', [above(1), above(2), above(1)]],
  ['a contract without a strike', 'ambiguous', [above(1), NONE]],
  ['no strikes', 'ambiguous', [NONE, NONE]],
] as const)('%s: %s', (_, kind, strikes) => {
  expect(kindOfStrikes(strikes, { exclusive: false, oneSubject: true })).toBe(kind);
});

test('contracts that exclude each other are a field, whatever their strikes', () => {
  expect(kindOfStrikes([above(1), above(2)], { exclusive: true, oneSubject: true })).toBe('mutually_exclusive');
  expect(kindOfStrikes([NONE], { exclusive: true, oneSubject: true })).toBe('binary');
});

test('strikes of several subjects are no ladder', () => {
  expect(kindOfStrikes([above(1), above(2)], { exclusive: false, oneSubject: false })).toBe('ambiguous');
});

describe('Polymarket', () => {
  const { fiveMinutes: base } = polymarketPayloads();
  const market = (groupItemTitle: string, changes: object = {}) => {
    const [tokens, conditionId] = [[`${groupItemTitle}1`, `${groupItemTitle}2`], `0x${groupItemTitle}`];
    return { ...base.markets[0], groupItemTitle, clobTokenIds: JSON.stringify(tokens), conditionId, ...changes };
  };
  const kind = (markets: readonly object[], changes: object = {}) =>
    readPolymarketEvents([{ ...base, ...changes, markets }]).events[0]?.kind;

  test('a ladder has no level twice, and no levels of two kinds of bet', () => {
    expect(kind([market('↑ 100k'), market('↑ 110k')])).toBe('cumulative_ladder');
    expect(kind([market('↑ 100k'), market('↑ 100,000')])).toBe('ambiguous');
    expect(kind([market('↑ 100k'), market('↓ 90k')])).toBe('ambiguous');
    const line = (points: number) => market('', { sportsMarketType: 'totals', line: points });
    expect(kind([line(1.5), line(2.5)])).toBe('cumulative_ladder');
    expect(kind([line(1.5), market('Over 2.5', { sportsMarketType: 'team_totals' })])).toBe('ambiguous');
  });

  test('a field is one that the exchange says excludes', () => {
    expect(kind([market('↑ 100k'), market('↑ 110k')], { negRisk: true })).toBe('mutually_exclusive');
  });
});
