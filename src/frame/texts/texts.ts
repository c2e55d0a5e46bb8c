/** Finds the words of the customer's language. Values put into them stay text. */
import { boot } from '../boot.ts';
import { presentation } from '../theme.ts';
import { en, type TextKey, type Texts } from './en.ts';
import { es } from './es.ts';
import { hr } from './hr.ts';
import { pt } from './pt.ts';

const LANGUAGES: Readonly<Record<string, Texts>> = { en, es, pt, hr };

export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  const text = (LANGUAGES[presentation.value.locale] ?? en)[key];
  const all: Readonly<Record<string, string | number>> = { operator: boot.operator?.name ?? '', ...values };
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(all[name] ?? ''));
}

/** Words for a name that the service sent, such as a category; its own text where there are none. */
export function named(prefix: 'cat_' | 'reason_' | 'e_', name: string, fallback: string): string {
  const key = `${prefix}${name}`;
  return Object.hasOwn(en, key) ? t(key as TextKey) : fallback;
}
