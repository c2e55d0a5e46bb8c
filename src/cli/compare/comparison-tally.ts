/**
 * The result of a comparison: counts, a list and totals, so that the difference of the totals is explained to the cent by
 * missing rows, extra rows and rows that differ.
 */
import { formatMinor } from '../../money/usd.ts';
import { readAmount } from './amounts.ts';
import type { Row } from './their-rows.ts';

export interface Difference {
  readonly problem: 'differs' | 'missing_in_theirs' | 'missing_in_ours' | 'duplicate_in_theirs';
  readonly key: string;
  readonly column: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** Decimal text; `difference` is theirs minus ours, and equals missing + extra + different to the cent. */
export interface Total {
  readonly column: string;
  readonly ours: string;
  readonly theirs: string;
  readonly difference: string;
  readonly missing: string;
  readonly extra: string;
  readonly different: string;
}

export interface Comparison {
  readonly columns: readonly string[];
  readonly ours: number;
  readonly theirs: number;
  readonly matched: number;
  /** Our rows that they do not have. */
  readonly missing: number;
  /** Their rows that we do not have, or that they have once too often. */
  readonly extra: number;
  /** Rows that both have and that differ. */
  readonly different: number;
  /** The number of differences; the list of them may be shortened. */
  readonly differing: number;
  readonly totals: readonly Total[];
  readonly differences: readonly Difference[];
}

const LISTED = 10_000;
const DECIMAL = /^[+-]?\d+([.,]\d+)?$/;
/** Columns whose sum has a meaning. */
const ADDED = new Set([
  ...['authorizationAmount', 'actualDebit', 'releaseAmount', 'tradeAmount', 'platformFee', 'venueFee', 'sellProceeds'],
  ...['settlementCredit', 'voidCredit', 'realisedPnl', 'costBasis', 'amount', 'debit', 'credit'],
]);

export const isAdded = (column: string): boolean => ADDED.has(column.split('.').at(-1) ?? '');

interface Sums {
  ours: bigint;
  theirs: bigint;
  missing: bigint;
  extra: bigint;
  different: bigint;
}

/** Collects the counts, the list and the totals. */
export class Tally {
  readonly #columns: readonly string[];
  readonly #sums: ReadonlyMap<string, Sums>;
  readonly #differences: Difference[] = [];
  readonly #rows = { matched: 0, missing: 0, extra: 0, different: 0 };
  #differing = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
    const nothing = () => ({ ours: 0n, theirs: 0n, missing: 0n, extra: 0n, different: 0n });
    this.#sums = new Map(columns.filter(isAdded).map((column) => [column, nothing()]));
  }

  matched(row: Row): void {
    this.#rows.matched += 1;
    this.#add(row, row, undefined);
  }

  missing(key: string, row: Row): void {
    this.#rows.missing += 1;
    this.#add(row, {}, 'missing');
    this.#tellWhole('missing_in_theirs', key, (column) => ({ ours: row[column] ?? '', theirs: null }));
  }

  extra(key: string, row: Row, problem: Difference['problem']): void {
    this.#rows.extra += 1;
    this.#add({}, row, 'extra');
    this.#tellWhole(problem, key, (column) => ({ ours: null, theirs: row[column] ?? '' }));
  }

  different(key: string, row: Row, other: Row): void {
    this.#rows.different += 1;
    this.#add(row, other, 'different');
    for (const column of this.#columns.filter((name) => !isSame(name, row, other))) {
      this.#tell({ problem: 'differs', key, column, ours: row[column] ?? '', theirs: other[column] ?? '' });
    }
  }

  result(theirs: number): Comparison {
    const { matched, missing, different } = this.#rows;
    const totals = [...this.#sums].map(([column, sums]) => ({
      column,
      ours: formatMinor(sums.ours),
      theirs: formatMinor(sums.theirs),
      difference: formatMinor(sums.theirs - sums.ours),
      missing: formatMinor(sums.missing),
      extra: formatMinor(sums.extra),
      different: formatMinor(sums.different),
    }));
    return {
      columns: this.#columns,
      ours: matched + missing + different,
      theirs,
      ...this.#rows,
      differing: this.#differing,
      totals,
      differences: this.#differences,
    };
  }

  #add(ours: Row, theirs: Row, cause: 'missing' | 'extra' | 'different' | undefined): void {
    for (const [column, sums] of this.#sums) {
      const [mine, other] = [readAmount(ours[column] ?? '') ?? 0n, readAmount(theirs[column] ?? '') ?? 0n];
      sums.ours += mine;
      sums.theirs += other;
      if (cause !== undefined) {
        sums[cause] += other - mine;
      }
    }
  }

  /** Called once per row, with its amounts if it has any. */
  #tellWhole(
    problem: Difference['problem'],
    key: string,
    amounts: (column: string) => Pick<Difference, 'ours' | 'theirs'>,
  ): void {
    const [first] = this.#sums.keys();
    const shown = first === undefined ? { ours: null, theirs: null } : amounts(first);
    this.#tell({ problem, key, column: first ?? null, ...shown });
  }

  #tell(difference: Difference): void {
    this.#differing += 1;
    if (this.#differences.length < LISTED) {
      this.#differences.push(difference);
    }
  }
}

/** A blank amount equals 0.00. */
export function isSame(column: string, ours: Row, theirs: Row): boolean {
  const [left, right] = [ours[column] ?? '', theirs[column] ?? ''];
  return (
    left === right ||
    (isAdded(column) ? readAmount(left) === readAmount(right) : normalCell(left) === normalCell(right))
  );
}

/** Without the apostrophe that keeps a cell from being a formula, and without the extra digits of a decimal. */
export function normalCell(cell: string): string {
  const text = cell.trim().replace(/^'(?=[=+\-@])/, '');
  if (!DECIMAL.test(text)) {
    return text;
  }
  const [whole = '', fraction = ''] = text.replace('+', '').replace(',', '.').split('.');
  const places = fraction.replace(/0+$/, '');
  const digits = whole.replace(/^(-?)0+(?=\d)/, '$1');
  return `${digits === '-0' && places === '' ? '0' : digits}${places === '' ? '' : `.${places}`}`;
}
