/**
 * Fits a table into the width of a terminal: ids are shortened and long texts cut first, then columns are left out, those of the
 * highest rank first. Room that remains goes to texts before ids. A long name for which other columns would be left out does not
 * stay in the table: it stands under its row.
 */

export interface FitColumn {
  readonly title: string;
  /** Text that may be shortened, such as a title, down to a readable length, or to so many letters. */
  readonly elastic: boolean | number;
  /** The column with the highest rank is left out first. */
  readonly rank: number;
  /** A name that may stand under its row. */
  readonly mayStandBelow: boolean;
}

export interface Fit {
  /** Indexes of the columns that are shown. */
  readonly shown: readonly number[];
  /** Letters of each column shown, at most. */
  readonly widths: readonly number[];
  /** Index of the column that stands under the rows instead. */
  readonly below?: number;
}

const GAP = 2;
const LEAST_TEXT = 16;
/** The kind of an id, and enough of its random end to tell two apart. */
const LEAST_ID = 12;
const ID_HEAD = 5;
const LONG_ID = /^(?:[a-z]+_)?(?:[a-z]+_)?[0-9a-z-]{20,}(?:_\d+)?$/i;
const LEAST_COLUMNS = 2;

/** @param cells rows of texts. @param width characters per line; undefined if there is no limit. */
export function fitTable(
  columns: readonly FitColumn[],
  cells: readonly (readonly string[])[],
  width: number | undefined,
): Fit {
  const natural = columns.map(({ title }, place) =>
    Math.max(title.length, ...cells.map((row) => lettersOf(row[place] ?? ''))),
  );
  const ids = columns.map((_, place) => isIdColumn(cells, place));
  const least = columns.map(({ elastic, title }, place) => {
    const whole = natural[place] ?? 0;
    const shortest = ids[place] ? LEAST_ID : elastic === false ? whole : elastic === true ? LEAST_TEXT : elastic;
    return Math.min(whole, Math.max(shortest, title.length));
  });
  const places = columns.map((_, place) => place);
  if (width === undefined || sum(natural, places) <= width) {
    return { shown: places, widths: natural };
  }
  const byRank = [...places].sort(
    (one, other) => (columns[other]?.rank ?? 0) - (columns[one]?.rank ?? 0) || other - one,
  );
  const leftOut = new Set<number>();
  const shown = () => places.filter((place) => !leftOut.has(place));
  for (const place of byRank.slice(0, Math.max(0, places.length - LEAST_COLUMNS))) {
    if (sum(least, shown()) <= width) {
      break;
    }
    leftOut.add(place);
  }
  const kept = shown();
  const below = columns.findIndex(({ mayStandBelow }) => mayStandBelow);
  if (below !== -1 && places.some((place) => leftOut.has(place) && (!ids[place] || place === below))) {
    return fitWithout(below, columns, cells, width);
  }
  return { shown: kept, widths: spread(kept, natural, least, ids, width) };
}

function fitWithout(
  below: number,
  columns: readonly FitColumn[],
  cells: readonly (readonly string[])[],
  width: number,
): Fit {
  const { shown, widths } = fitTable(
    columns.toSpliced(below, 1),
    cells.map((row) => row.toSpliced(below, 1)),
    width,
  );
  return { shown: shown.map((place) => (place < below ? place : place + 1)), widths, below };
}

/** The remaining width goes to what was cut, texts first; if even the minimum does not fit, the widest column shrinks. */
function spread(
  kept: readonly number[],
  natural: readonly number[],
  least: readonly number[],
  ids: readonly boolean[],
  width: number,
): number[] {
  const widths = kept.map((place) => least[place] ?? 0);
  let room = width - sum(least, kept);
  const isId = (index: number) => Number(ids[kept[index] ?? 0]);
  for (const index of [...kept.keys()].sort((one, other) => isId(one) - isId(other))) {
    const place = kept[index] ?? 0;
    const more = Math.min(Math.max(0, room), (natural[place] ?? 0) - (least[place] ?? 0));
    widths[index] = (widths[index] ?? 0) + more;
    room -= more;
  }
  const widest = widths.indexOf(Math.max(...widths));
  if (room < 0) {
    widths[widest] = Math.max(1, (widths[widest] ?? 0) + room);
  }
  return widths;
}

function sum(widths: readonly number[], places: readonly number[]): number {
  return places.reduce((total, place) => total + (widths[place] ?? 0), GAP * Math.max(0, places.length - 1));
}

function lettersOf(text: string): number {
  return [...text].length;
}

function isIdColumn(cells: readonly (readonly string[])[], place: number): boolean {
  const texts = cells.map((row) => row[place] ?? '').filter((text) => text !== '');
  return texts.length > 0 && texts.every((text) => LONG_ID.test(text));
}

/** A text loses its end, an id its middle. */
export function cutText(text: string, width: number): string {
  const letters = [...text];
  if (letters.length > width && width >= LEAST_ID && LONG_ID.test(text)) {
    return `${text.slice(0, ID_HEAD)}…${text.slice(text.length - (width - ID_HEAD - 1))}`;
  }
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** A text of which both ends matter, such as a title and the outcome after it, loses its middle. */
export function cutMiddle(text: string, width: number): string {
  const letters = [...text];
  const end = Math.floor((width - 1) / 2);
  return letters.length <= width || end < 1
    ? cutText(text, width)
    : `${letters.slice(0, width - 1 - end).join('')}…${letters.slice(letters.length - end).join('')}`;
}
