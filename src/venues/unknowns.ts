/**
 * What a venue says that this release does not know: values, fields, errors. It loses nothing; each is kept once, with how often it was
 * seen, until somebody takes it to log and count it.
 */

export interface UnknownWord {
  /** What it is about, such as `market status`. */
  readonly about: string;
  /** The value, the field or the code; shortened. */
  readonly word: string;
  readonly seen: number;
}

/** Called with what is not known. */
export type Note = (about: string, word: string) => void;

const LONGEST = 80;
/** A venue that sends something new with every message cannot fill the memory. */
const MOST = 500;

export class Unknowns {
  readonly #words = new Map<string, UnknownWord>();

  readonly note: Note = (about, text) => {
    const word = text.slice(0, LONGEST);
    const key = `${about}\n${word}`;
    const known = this.#words.get(key);
    if (known !== undefined || this.#words.size < MOST) {
      this.#words.set(key, { about, word, seen: (known?.seen ?? 0) + 1 });
    }
  };

  /** What was seen since the last call. */
  take(): readonly UnknownWord[] {
    const words = [...this.#words.values()];
    this.#words.clear();
    return words;
  }
}
