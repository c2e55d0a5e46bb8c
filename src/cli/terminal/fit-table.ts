/** Fits a table into the width of a terminal: long texts are cut first, then columns are left out, those of the highest rank first. */

export interface FitColumn {
  readonly title: string;
  /** Text that may be shortened, such as a title, down to a readable length. */
  readonly elastic: boolean;
  /** The column with the highest rank is left out first. */
  readonly rank: number;
}

export interface Fit {
  /** Indexes of the columns that are shown. */
  readonly shown: readonly number[];
  /** Letters of each column shown, at most. */
  readonly widths: readonly number[];
}

const GAP = 2;
const LEAST_TEXT = 16;
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
  const least = columns.map(({ elastic, title }, place) => {
    const whole = natural[place] ?? 0;
    return elastic ? Math.min(whole, Math.max(LEAST_TEXT, title.length)) : whole;
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
  return { shown: kept, widths: spread(kept, natural, least, width) };
}

/** The remaining width goes to the texts that were cut; if even the minimum does not fit, the widest column shrinks. */
function spread(
  kept: readonly number[],
  natural: readonly number[],
  least: readonly number[],
  width: number,
): number[] {
  const widths = kept.map((place) => least[place] ?? 0);
  let room = width - sum(least, kept);
  for (const [index, place] of kept.entries()) {
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

export function cutText(text: string, width: number): string {
  const letters = [...text];
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
