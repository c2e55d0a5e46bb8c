/**
 * Texts of the paper venue that are made from data: titles with dates and names, labels of contracts in four languages,
 * slugs, and the rules by which a contract is decided.
 */
import { LOCALES, type Locale, type PaperContract, type PaperEvent, type Words } from './event.ts';

type Tongue = Locale | 'en';

const THRESHOLD_LABELS: Record<Tongue, { above: string; below: string }> = {
  en: { above: 'Above {k}', below: 'Below {k}' },
  es: { above: 'Más de {k}', below: 'Menos de {k}' },
  pt: { above: 'Acima de {k}', below: 'Abaixo de {k}' },
  hr: { above: 'Iznad {k}', below: 'Ispod {k}' },
};

export const YES: Record<Tongue, string> = { en: 'Yes', es: 'Sí', pt: 'Sim', hr: 'Da' };
export const DRAW: Record<Tongue, string> = { en: 'Draw', es: 'Empate', pt: 'Empate', hr: 'Neriješeno' };
export const UP: Record<Tongue, string> = { en: 'Up', es: 'Sube', pt: 'Sobe', hr: 'Gore' };
export const DOWN: Record<Tongue, string> = { en: 'Down', es: 'Baja', pt: 'Desce', hr: 'Dolje' };
export const TOTALS: Record<Tongue, string> = {
  en: '{home} v {away}: total points',
  es: '{home} - {away}: puntos totales',
  pt: '{home} x {away}: total de pontos',
  hr: '{home} - {away}: ukupno poena',
};
export const GOALS: Record<Tongue, string> = {
  en: '{home} v {away}: total goals',
  es: '{home} - {away}: goles totales',
  pt: '{home} x {away}: total de gols',
  hr: '{home} - {away}: ukupno golova',
};
const MARGIN: Record<Tongue, string> = {
  en: '{team} by more than {k}',
  es: '{team} por más de {k}',
  pt: '{team} por mais de {k}',
  hr: '{team} s više od {k} razlike',
};
export const SPREADS: Record<Tongue, string> = {
  en: '{home} v {away}: winning margin',
  es: '{home} - {away}: margen de victoria',
  pt: '{home} x {away}: margem de vitória',
  hr: '{home} - {away}: razlika pobjede',
};
export const WINNER: Record<Tongue, string> = {
  en: '{home} v {away}',
  es: '{home} - {away}',
  pt: '{home} x {away}',
  hr: '{home} - {away}',
};
export const FIVE: Record<Tongue, string> = {
  en: '{asset} up or down, {from} to {to} UTC?',
  es: '¿{asset} sube o baja, de {from} a {to} UTC?',
  pt: '{asset} sobe ou desce, das {from} às {to} UTC?',
  hr: '{asset} gore ili dolje, od {from} do {to} UTC?',
};

const numbers = new Map<string, Intl.NumberFormat>();

/**
 * `Above $105,000`, in the given language.
 *
 * @param format contains `{k}` in place of the number
 */
export function thresholdLabel(
  tongue: Tongue,
  direction: 'above' | 'below',
  format: string,
  threshold: number,
): string {
  // A year is not a quantity and has no thousands separator.
  const useGrouping = format !== '{k}' || threshold < 1_900 || threshold > 2_100;
  const key = `${tongue}:${useGrouping}`;
  let formatter = numbers.get(key);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(tongue, { maximumFractionDigits: 4, useGrouping });
    numbers.set(key, formatter);
  }
  return THRESHOLD_LABELS[tongue][direction].replace('{k}', () =>
    format.replace('{k}', () => formatter.format(threshold)),
  );
}

/** `Chicago Bears by more than 6.5`, in the given language. */
export function marginLabel(tongue: Tongue, team: string, threshold: number): string {
  const figure = new Intl.NumberFormat(tongue, { maximumFractionDigits: 1 }).format(threshold);
  return MARGIN[tongue].replace('{team}', () => team).replace('{k}', () => figure);
}

/**
 * Replaces `{date}`, `{month}`, `{year}` and the given names. Other words in braces stay.
 *
 * @param at the moment of the date, month and year, in milliseconds since 1970
 */
export function fillIn(tongue: Tongue, text: string, at: number, names: Readonly<Record<string, string>> = {}): string {
  if (!text.includes('{')) {
    return text;
  }
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => {
    if (name === 'date') {
      return dateText(tongue, at, { day: 'numeric', month: 'long', year: 'numeric' });
    }
    if (name === 'month') {
      return dateText(tongue, at, { month: 'long', year: 'numeric' });
    }
    if (name === 'year') {
      return String(new Date(at).getUTCFullYear());
    }
    return names[name] ?? whole;
  });
}

function dateText(tongue: Tongue, at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(tongue, { ...options, timeZone: 'UTC' }).format(at);
}

/** One value for each language for which `make` returns one. */
export function inEach<T>(make: (locale: Locale) => T | undefined): Words<T> {
  const words: Words<T> = {};
  for (const locale of LOCALES) {
    const made = make(locale);
    if (made !== undefined) {
      words[locale] = made;
    }
  }
  return words;
}

/** `New York City` to `new-york-city`. */
export function slugOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

interface Rules {
  readonly text: string;
  readonly source: string;
  readonly sourceUrl: string;
}

const SOURCES: Readonly<Record<string, string>> = {
  politics: 'Official results of the electoral authority',
  sports: 'Official results of the competition',
  crypto: 'Reference prices of a public index',
  economics: 'First release of the statistical office',
  finance: 'Closing prices of the primary exchange',
  technology: 'Official announcements of the company',
  science: 'Publication of the institution that is named',
  culture: 'Official announcements of the organiser',
  climate: 'First report of the meteorological service',
};
const OTHER_SOURCE = 'Official announcements';

/** Whether the time after the regular end counts, in sports in which it is not simply included. */
const PLAYING_TIME: Readonly<Record<string, string>> = {
  soccer: ', stoppage time included and extra time not,',
  tennis: '',
};

const CANCELLED = 'If it is cancelled, and no result can be determined, the market is void and costs are returned.';

/** The rules by which a contract is decided: invented, but worded as an exchange would. The addresses do not exist. */
export function rulesOf(event: PaperEvent, contract: PaperContract): Rules {
  return {
    text: textOf(event, contract),
    source: SOURCES[event.category] ?? OTHER_SOURCE,
    sourceUrl: `https://results.example/${event.category}`,
  };
}

function textOf(event: PaperEvent, { label, yesLabel, noLabel }: PaperContract): string {
  const yes = yesLabel ?? 'Yes';
  const no = noLabel ?? 'No';
  if (event.fiveMinute) {
    return `This market resolves to ${yes} if the reference price at the end of the five minutes in the title is at or above the price at their beginning, and to ${no} otherwise. Prices of other sources are not considered.`;
  }
  switch (event.model.type) {
    case 'match':
      return `Each outcome resolves to Yes if the final score of the game “${event.title}”${PLAYING_TIME[event.sport ?? ''] ?? ', overtime included,'} makes it true, and to No otherwise. A game that is postponed keeps its markets until it has been played. ${CANCELLED}`;
    case 'ladder':
      return `“${label}” resolves to Yes if the value that “${event.title}” asks for, as first published by the source, satisfies it when the market closes, and to No otherwise. A value equal to the threshold does not satisfy it, and later revisions change nothing.`;
    case 'field':
      return `Exactly one outcome of “${event.title}” resolves to Yes: the one that the source confirms. All others resolve to No. ${CANCELLED}`;
    default:
      return event.contracts.length > 1
        ? `Each outcome of “${event.title}” is decided by itself: it resolves to Yes if the source confirms it before the market closes, and to No otherwise.`
        : `This market resolves to ${yes} if the source confirms before it closes that the answer to “${event.title}” is yes, and to ${no} otherwise.`;
  }
}
