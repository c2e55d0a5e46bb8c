/** What is published of a venue's rules: its text and source, but no name and no address of a venue. */
import { expect, test } from 'vitest';
import { publicRules } from '../../src/markets/ingestion/ingest-rows.ts';

const resolvesAt = new Date('2026-12-01T12:00:00Z');

// contract 5.10
test('text, source, address and time are published as the venue words them', () => {
  const sources = [
    { name: 'National Weather Service', url: 'https://forecast.weather.gov/product.php?site=OKX' },
    { name: 'Central Park station', url: null },
  ];
  expect(publicRules({ rules: 'Resolves to Yes if it rains.', sources, resolvesAt })).toEqual({
    text: 'Resolves to Yes if it rains.',
    source: 'National Weather Service, Central Park station',
    sourceUrl: 'https://forecast.weather.gov/product.php?site=OKX',
    resolvesAt,
  });
});

test.each([
  ['Kalshi may close it early.', 'the exchange may close it early.'],
  ['the Kalshi rulebook, and POLYMARKET’s', 'the exchange rulebook, and the exchange’s'],
  ['See https://docs.polymarket.com/rules?x=1 for more.', 'See the site of the exchange for more.'],
  ['(kalshi.com/markets/kx)', '(the site of the exchange)'],
  [
    'Gemini Titan may close it, see https://www.gemini.com/rules.',
    'the exchange may close it, see the site of the exchange',
  ],
  ['Whether Google Gemini (gemini.google.com) leads.', 'Whether Google Gemini (gemini.google.com) leads.'],
])('no venue is named: %s', (rules, text) => {
  expect(publicRules({ rules })?.text).toBe(text);
});

test.each([
  ['an address of a venue', 'https://help.kalshi.com/sources'],
  ['an address that a browser would run', 'javascript:alert(1)'],
  ['a text that is no address', 'the league'],
])('%s is not published as the address of the source', (_, url) => {
  expect(publicRules({ rules: 'A text.', sources: [{ name: null, url }] })?.sourceUrl).toBeNull();
});

test('nothing is published where the venue says nothing', () => {
  expect(publicRules({ rules: null })).toBeNull();
  expect(publicRules({ rules: null, sources: [{ name: 'The league', url: null }] })).toMatchObject({
    text: null,
    source: 'The league',
  });
});
