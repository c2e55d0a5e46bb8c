/**
 * Free text search over events (contract 7.4): every search word must occur in the title, the subtitle or an outcome
 * label, in English or any translation, regardless of case and accents. It does not rank.
 */
import type { BoardEvent } from '../event.ts';

const COMBINING_MARKS = /\p{M}+/gu;
/** Letters that Unicode does not decompose but that people type without their stroke. */
const STROKES: Readonly<Record<string, string>> = { đ: 'd', ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** Lower case, without accents: `Čilić` and `cilic` fold to the same text. */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(COMBINING_MARKS, '')
    .replace(/[đøłßæœı]/g, (letter) => STROKES[letter] ?? letter);
}

/** The folded words of a search; empty for an empty search. */
export function searchWords(text: string): string[] {
  return fold(text).split(/\s+/).filter(Boolean);
}

const folded = new WeakMap<BoardEvent, string>();

/** All searchable text of an event, folded once per version of the event. */
function searchText(event: BoardEvent): string {
  let text = folded.get(event);
  if (text === undefined) {
    text = fold(textsOf(event).join('\n'));
    folded.set(event, text);
  }
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

export function matchesSearch(event: BoardEvent, words: readonly string[]): boolean {
  if (words.length === 0) {
    return true;
  }
  const text = searchText(event);
  return words.every((word) => text.includes(word));
}
