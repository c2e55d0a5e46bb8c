/**
 * The plural category of a number in compact notation ("1.2M"). Apart from `texts.ts`, and pure, because its test loads no browser.
 */
const THOUSAND = 1_000;
const MILLION = 1_000_000;

/** @param value is categorised as `count` in `format.ts` displays it */
export function pluralForm(locale: string, value: number): Intl.LDMLPluralRule {
  const displayed = roundAsDisplayed(value);
  const rules = new Intl.PluralRules(locale);
  // In Spanish and Portuguese a noun follows "millones" with "de", whatever digits stand before it.
  return displayed >= MILLION && rules.resolvedOptions().pluralCategories.includes('many')
    ? 'many'
    : rules.select(displayed);
}

/** Compact notation keeps one digit after the point of the thousands, millions and so on. */
function roundAsDisplayed(value: number): number {
  let unit = 1;
  while (value >= unit * THOUSAND) {
    unit *= THOUSAND;
  }
  return Math.round((value / unit) * 10) * (unit / 10);
}
