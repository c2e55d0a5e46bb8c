/** The texts of the frame in the customer's language, for every view. Values are inserted as text, never as markup. */
import { boot } from '../boot.ts';
import { usd } from '../format.ts';
import { presentation } from '../theme.ts';
import { en, type PluralKey, type TextKey, type Texts } from './en.ts';
import { es } from './es.ts';
import { hr } from './hr.ts';
import { pluralForm } from './plural-form.ts';
import { pt } from './pt.ts';

const LANGUAGES: Readonly<Record<string, Texts>> = { en, es, pt, hr };

type Values = Readonly<Record<string, string | number>>;

export function t(key: TextKey, values: Values = {}): string {
  return insert((LANGUAGES[presentation.value.locale] ?? en)[key], values);
}

/**
 * The form of a text that agrees with a number.
 * @param shown the number as it is displayed, for `{n}`
 */
export function plural(key: PluralKey, value: number, shown: string, values: Values = {}): string {
  const { locale } = presentation.value;
  const forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }> = (LANGUAGES[locale] ?? en)[
    key
  ];
  return insert(forms[pluralForm(locale, value)] ?? forms.other, { ...values, n: shown });
}

function insert(text: string, values: Values): string {
  const all: Values = { operator: boot.operator?.name ?? '', dollar: usd('1.00'), ...values };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(all[name] ?? ''));
}

/** The text for a name that the service sent, such as a category, or `fallback` if there is none. */
export function named(prefix: 'cat_' | 'reason_' | 'e_' | 'why_', name: string, fallback: string): string {
  const key = `${prefix}${name}`;
  return Object.hasOwn(en, key) ? t(key as TextKey) : fallback;
}
