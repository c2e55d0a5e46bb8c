/** Prices in each format: exact, and never rounded so that more is promised than is paid. */
import { describe, expect, test } from 'vitest';
import { ODDS_FORMATS, priceText } from '../../src/frame/odds.ts';

test.each([
  [57, '57¢', '1.75', '-133', '57%'],
  [57.45, '57.45¢', '1.74', '-136', '57.45%'],
  [50, '50¢', '2.00', '+100', '50%'],
  [50.0001, '50.0001¢', '1.99', '-101', '50.0001%'],
  [43, '43¢', '2.32', '+132', '43%'],
  [25, '25¢', '4.00', '+300', '25%'],
  [1, '1¢', '100.00', '+9,900', '1%'],
  [0.1, '0.1¢', '1,000.00', '+99,900', '0.1%'],
  [0.0001, '0.0001¢', '1,000,000.00', '+99,999,900', '0.0001%'],
  [75, '75¢', '1.33', '-300', '75%'],
  [99, '99¢', '1.01', '-9,900', '99%'],
  [99.5, '99.5¢', '1.0050', '-19,900', '99.5%'],
  [99.9999, '99.9999¢', '1.0000', '-99,999,900', '99.9999%'],
])('%d cents', (cents, ...texts) => {
  expect(ODDS_FORMATS.map((format) => priceText(cents, format, 'en'))).toEqual(texts);
});

test('is written as the language writes numbers', () => {
  expect(priceText(57.45, 'decimal', 'es')).toBe('1,74');
  expect(priceText(57.45, 'cents', 'hr')).toBe('57,45¢');
});

test('a price at which nothing can be won, or nothing has to be paid, has no odds', () => {
  expect(priceText(100, 'decimal', 'en')).toBe('–');
  expect(priceText(0, 'american', 'en')).toBe('–');
});

describe('of every price on the grid of a tenth of a cent', () => {
  const prices = Array.from({ length: 999 }, (_, index) => (index + 1) / 10);
  const figure = (text: string) => Number(text.replaceAll(',', ''));

  test('decimal odds pay no more than the price, and less than one step less', () => {
    for (const cents of prices) {
      const odds = figure(priceText(cents, 'decimal', 'en'));
      expect(odds * cents).toBeLessThanOrEqual(100 + 1e-9);
      expect((odds + 0.01) * cents).toBeGreaterThan(100);
    }
  });

  test('American odds pay no more than the price, and the next whole number would', () => {
    const won = (odds: number) => (odds > 0 ? odds / 100 : 100 / -odds);
    for (const cents of prices) {
      const odds = figure(priceText(cents, 'american', 'en'));
      const exact = (100 - cents) / cents;
      expect(won(odds)).toBeLessThanOrEqual(exact + 1e-9);
      expect(won(odds === -100 ? 101 : odds + 1)).toBeGreaterThan(exact - 1e-9);
    }
  });
});
