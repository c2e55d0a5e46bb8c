/** The frame's texts: each language has every plural form that it needs, and inserts the same values as the others. */
import { expect, test } from 'vitest';
import { en } from '../../src/frame/texts/en.ts';
import { es } from '../../src/frame/texts/es.ts';
import { hr } from '../../src/frame/texts/hr.ts';
import { pluralForm } from '../../src/frame/texts/plural-form.ts';
import { pt } from '../../src/frame/texts/pt.ts';
import { endReason } from '../../src/frame/trading/end-reason.ts';
import type { WithdrawReason } from '../../src/trading/orders/change-order.ts';

const LANGUAGES = { en, es, pt, hr };

type Forms = Readonly<Record<string, string>>;

test.each(Object.entries(LANGUAGES))('%s has the plural forms of its language', (locale, texts) => {
  const needed = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
  const plurals = Object.entries<string | Forms>(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [] : [{ key, forms: text }],
  );
  expect(plurals.length).toBeGreaterThan(0);
  for (const { key, forms } of plurals) {
    expect([key, Object.keys(forms).toSorted()]).toEqual([key, needed]);
  }
});

test.each(Object.entries(LANGUAGES))('%s inserts the same values as English, and leaves no text empty', (_, texts) => {
  const valuesOf = (text: string | Forms): string[] => {
    const whole = typeof text === 'string' ? text : (text['other'] ?? '');
    return [...whole.matchAll(/\{\w+\}/g)].map(([value]) => value).toSorted();
  };
  for (const [key, text] of Object.entries(texts) as [keyof typeof en, string | Forms][]) {
    expect([key, valuesOf(text)]).toEqual([key, valuesOf(en[key])]);
    expect([
      key,
      Object.values(typeof text === 'string' ? { text } : text).every((form) => form.trim() !== ''),
    ]).toEqual([key, true]);
  }
});

test.each([
  ['en', 1, 'one'],
  ['en', 1_000, 'other'],
  ['hr', 0, 'other'],
  ['hr', 1, 'one'],
  ['hr', 3, 'few'],
  ['hr', 11, 'other'],
  ['hr', 21, 'one'],
  // displayed as "1 tis.": the noun follows the thousand, not the last digit
  ['hr', 1_021, 'other'],
  ['es', 1, 'one'],
  ['es', 85_230, 'other'],
  ['es', 1_234_567, 'many'],
  ['pt', 999_960, 'many'],
] as const)('in %s, %d takes the form "%s"', (locale, value, form) => {
  expect(pluralForm(locale, value)).toBe(form);
});

/** Every reason with which the service withdraws an order, and what the venues' own words mean. Typed, so that none is forgotten. */
const REASONS: Readonly<Record<WithdrawReason | 'closed_unfilled', true>> = {
  below_venue_minimum: true,
  closed_unfilled: true,
  line_not_available: true,
  market_not_open: true,
  market_unavailable: true,
  operator_request: true,
  operator_suspended: true,
  over_order_limit: true,
  over_tenant_exposure: true,
  price_moved: true,
  trading_paused: true,
  user_suspended: true,
  venue_unavailable: true,
};

test.each([
  ...Object.keys(REASONS).map((reason) => ({ cancelReason: reason, rejectReason: null })),
  ...['price_moved: the book moved off the quoted price (in_Best_0)', 'venue_unavailable'].map(rejected),
  ...['insufficient_balance (in_Best_0)', 'InsufficientFunds (in_Best_0)', 'trading_is_paused (in_Best_0)'].map(
    rejected,
  ),
  ...['below_minimum (in_Best_0)', 'nothing_to_match (in_Best_0)', 'market_already_closed (in_Best_0)'].map(rejected),
])('an order that ended for $cancelReason$rejectReason has a sentence of its own', (order) => {
  const reason = endReason({ executionRef: 'in_Best_0', action: 'buy', status: 'cancelled', ...order });
  for (const texts of Object.values<object>(LANGUAGES)) {
    expect(
      [`why_${reason}`, `e_${reason}`].some((key) => Object.hasOwn(texts, key)),
      reason,
    ).toBe(true);
  }
});

function rejected(rejectReason: string) {
  return { cancelReason: null, rejectReason };
}
