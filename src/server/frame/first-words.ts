/**
 * What the frame shows before its scripts have arrived: the same words in the same place as its own first view, so that a slow phone
 * shows something within a second and nothing moves afterwards.
 */
const CONNECTING: Readonly<Record<string, string>> = {
  en: 'Connecting to {operator}…',
  es: 'Conectando con {operator}…',
  pt: 'Conectando a {operator}…',
  hr: 'Povezivanje: {operator}…',
};

/** @returns plain text */
export function firstWords(locale: string, operator: string): string {
  return (CONNECTING[locale] ?? CONNECTING['en'] ?? '').replace('{operator}', () => operator);
}
