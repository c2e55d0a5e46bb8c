/**
 * The query of `GET /events` (contract chapter 7): parses each parameter, refuses an unrecognised value with the code
 * of that parameter, ignores unknown parameters, and matches the words of a search. Whether a sport exists is decided
 * by the event index.
 */
import { LRUCache } from 'lru-cache';
import { type ErrorCode, refuse } from '../../core/errors.ts';
import { readMomentParameter } from '../../core/moment.ts';
import { CATEGORIES, type CategoryName, isCategory } from '../../core/terms.ts';
import { type BoardEvent, LOCALES, type Locale } from '../event.ts';

export const SORTS = ['trending', 'volume', 'closing-soon', 'new'] as const;
export type Sort = (typeof SORTS)[number];
export type SortDirection = 'asc' | 'desc';
export type RenderLocale = 'en' | Locale;

/** The codes with which a list may be refused. `invalid_sport` comes from the index. */
export const EVENT_LIST_REFUSALS: readonly ErrorCode[] = [
  'invalid_category',
  'invalid_sport',
  'invalid_sort',
  'invalid_dir',
  'invalid_limit',
  'invalid_date',
  'invalid_tradable',
];

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
const MAX_SEARCH_LENGTH = 200;
const MAX_SEARCH_WORDS = 8;
const MAX_LEAGUE_LENGTH = 200;
/** The texts in which searches look, of all events together. A larger catalogue is folded again for each search. */
const FOLDED_BYTES = 64 * 1024 * 1024;

const DEFAULT_DIRECTIONS: Readonly<Record<Sort, SortDirection>> = {
  trending: 'desc',
  volume: 'desc',
  'closing-soon': 'asc',
  new: 'desc',
};

/** The conditions of a list; two queries with the same filter show the same set of events. */
export interface EventFilter {
  readonly category: CategoryName | null;
  readonly sport: string | null;
  readonly league: string | null;
  readonly words: readonly string[];
  readonly tradable: boolean;
  /** Milliseconds since 1970, both inclusive. */
  readonly closesAfter: number | null;
  readonly closesBefore: number | null;
}

export interface EventQuery {
  readonly filter: EventFilter;
  readonly sort: Sort;
  readonly dir: SortDirection;
  readonly limit: number;
  readonly locale: RenderLocale;
  /** Not checked here, but by `readCursor` of the event index. */
  readonly cursor: string | null;
}

type RawValue = string | readonly string[] | undefined;
export type RawQuery = Readonly<Record<string, RawValue>>;

/** @throws invalid_category, invalid_sport, invalid_sort, invalid_dir, invalid_limit, invalid_date, invalid_tradable */
export function readEventQuery(raw: RawQuery): EventQuery {
  const category = single(raw['category'], 'invalid_category');
  if (category !== null && !isCategory(category)) {
    throw refuse('invalid_category', `category is one of ${CATEGORIES.join(', ')}.`);
  }
  const sport = single(raw['sport'], 'invalid_sport');
  const sort = single(raw['sort'], 'invalid_sort') ?? 'trending';
  if (!isSort(sort)) {
    throw refuse('invalid_sort', `sort is one of ${SORTS.join(', ')}.`);
  }
  const dir = single(raw['dir'], 'invalid_dir') ?? DEFAULT_DIRECTIONS[sort];
  if (dir !== 'asc' && dir !== 'desc') {
    throw refuse('invalid_dir');
  }
  return {
    filter: {
      category,
      sport,
      league: readLeague(all(raw['league'])[0]),
      words: searchWords(all(raw['search']).join(' ').slice(0, MAX_SEARCH_LENGTH)),
      tradable: readTradable(single(raw['tradable'], 'invalid_tradable')),
      closesAfter: readDate('closesAfter', raw),
      closesBefore: readDate('closesBefore', raw),
    },
    sort,
    dir,
    limit: readLimit(single(raw['limit'], 'invalid_limit')),
    locale: readLocale(raw['locale']),
    cursor: single(raw['cursor'], 'invalid_cursor'),
  };
}

/** Only exact tags are recognised: `pt-BR` is not `pt`. Any other tag means English (contract chapter 7). */
export function readLocale(raw: RawValue): RenderLocale {
  return LOCALES.find((locale) => locale === raw) ?? 'en';
}

function isSort(text: string): text is Sort {
  return (SORTS as readonly string[]).includes(text);
}

/** A parameter that is given twice is refused as well. */
function single(value: RawValue, code: ErrorCode): string | null {
  if (value === undefined) {
    return null;
  }
  if (typeof value !== 'string') {
    throw refuse(code);
  }
  return value;
}

function all(value: RawValue): readonly string[] {
  if (value === undefined) {
    return [];
  }
  return typeof value === 'string' ? [value] : value;
}

/** Longer text is the league of no event (contract 7.3), and is not kept: no event has the empty one either. */
function readLeague(text: string | undefined): string | null {
  return text !== undefined && text.length > MAX_LEAGUE_LENGTH ? '' : (text ?? null);
}

function readLimit(text: string | null): number {
  if (text === null) {
    return DEFAULT_LIMIT;
  }
  const limit = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw refuse('invalid_limit');
  }
  return limit;
}

function readTradable(text: string | null): boolean {
  if (text === null) {
    return false;
  }
  if (text !== 'true' && text !== 'false') {
    throw refuse('invalid_tradable');
  }
  return text === 'true';
}

function readDate(name: 'closesAfter' | 'closesBefore', raw: RawQuery): number | null {
  const text = single(raw[name], 'invalid_date');
  return readMomentParameter(name, text ?? undefined)?.getTime() ?? null;
}

const COMBINING_MARKS = /\p{M}+/gu;
/** Letters that Unicode does not decompose, but that people type without their stroke. */
const STROKES: Readonly<Record<string, string>> = { đ: 'd', ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** Lower case, without accents: `Čilić` and `cilic` fold to the same text. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(COMBINING_MARKS, '')
    .replace(/[đøłßæœı]/g, (letter) => STROKES[letter] ?? letter);
}

/** The first different words of a search, folded; empty for an empty search. Each is looked for in every event. */
export function searchWords(text: string): string[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, MAX_SEARCH_WORDS);
}

/**
 * Whether every word occurs in the title, the subtitle or the label of an outcome, in English or any translation,
 * regardless of case and accents (contract 7.4).
 *
 * @param words from `searchWords`
 */
export function matchesSearch(event: BoardEvent, words: readonly string[]): boolean {
  if (words.length === 0) {
    return true;
  }
  const text = searchText(event);
  return words.every((word) => text.includes(word));
}

const folded = new LRUCache<string, { readonly text: string; readonly of: WeakRef<BoardEvent> }>({
  maxSize: FOLDED_BYTES,
  sizeCalculation: ({ text }, key) => (text.length + key.length) * 2 + 256,
});

/** All searchable text of an event. It is folded once per version of the event. */
function searchText(event: BoardEvent): string {
  const known = folded.get(event.eventId);
  if (known?.of.deref() === event) {
    return known.text;
  }
  const text = fold(textsOf(event).join('\n'));
  folded.set(event.eventId, { text, of: new WeakRef(event) });
  return text;
}

function textsOf(event: BoardEvent): string[] {
  const texts: (string | null)[] = [event.title, event.subtitle];
  for (const translation of Object.values(event.translations)) {
    texts.push(translation.title, translation.subtitle);
  }
  for (const contract of event.contracts) {
    texts.push(contract.label);
    for (const translation of Object.values(contract.translations)) {
      texts.push(translation.label);
    }
  }
  return texts.filter((text) => text !== null);
}
