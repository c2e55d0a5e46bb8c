/** The frame's texts: each language has every plural form that it needs, and inserts the same values as the others. */
import { expect, test } from 'vitest';
import { en } from '../../src/frame/texts/en.ts';
import { es } from '../../src/frame/texts/es.ts';
import { hr } from '../../src/frame/texts/hr.ts';
import { pluralForm } from '../../src/frame/texts/plural-form.ts';
import { pt } from '../../src/frame/texts/pt.ts';

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
