/**
 * Compares an operator's records with ours, to the cent: the rows of its file (`reconciliation compare`), or the balances of its
 * customers (`conformance operator`). Rows are matched one to one by a key, and missing rows, extra rows and rows that differ explain
 * the difference of the totals.
 */
import { formatMinor } from '../../money/usd.ts';

/** Cells under the names of our columns. */
export type Row = Readonly<Record<string, string>>;

export interface Difference {
  readonly problem: 'differs' | 'missing_in_theirs' | 'missing_in_ours' | 'duplicate_in_theirs';
  readonly key: string;
  readonly column: string;
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
  /** Rows of theirs that we do not have, or that they have more often. */
  readonly extra: number;
  /** Rows that both have and that differ. */
  readonly different: number;
  /** The number of differences; the list of them may be shorter. */
  readonly differing: number;
  readonly totals: readonly Total[];
  readonly differences: readonly Difference[];
}

const LISTED = 10_000;
const DECIMAL = /^[+-]?\d+([.,]\d+)?$/;
/** Columns of amounts whose sum has a meaning. */
const ADDED = new Set([
  ...['authorizationAmount', 'actualDebit', 'releaseAmount', 'tradeAmount', 'platformFee', 'venueFee', 'sellProceeds'],
  ...['settlementCredit', 'voidCredit', 'realisedPnl', 'costBasis', 'amount', 'debit', 'credit', 'available', 'held'],
]);

export const isAdded = (column: string): boolean => ADDED.has(column.split('.').at(-1) ?? '');

const PLAIN = /^(\d*)(?:[.,](\d*))?$/;
const GROUPED = /^(\d{1,3}(?:,\d{3})+)\.(\d*)$|^(\d{1,3}(?:\.\d{3})+),(\d*)$/;

/**
 * @param theirs in memory; `readAmount` must be able to read every amount
 * @param ours a stream of any length
 * @param key our columns that identify a row
 * @param columns the columns to compare, at least one of them an amount
 */
export async function compareRecords(
  theirs: readonly Row[],
  ours: AsyncIterable<Row> | Iterable<Row>,
  key: readonly string[],
  columns: readonly string[],
): Promise<Comparison> {
  const keyOf = (row: Row) => key.map((column) => normalCell(row[column] ?? '')).join(' ');
  const waiting = Map.groupBy(theirs, keyOf);
  const tally = new Tally(columns);
  const seen = new Set<string>();
  const unlike: { readonly name: string; readonly row: Row }[] = [];
  for await (const row of ours) {
    const name = keyOf(row);
    const candidates = waiting.get(name) ?? [];
    const same = candidates.findIndex((other) => columns.every((column) => isSame(column, row, other)));
    if (same !== -1) {
      candidates.splice(same, 1);
      seen.add(name);
      tally.matched(row);
    } else if (candidates.length > 0) {
      // an equal row may belong to a later row of this key
      unlike.push({ name, row });
    } else {
      tally.missing(name, row);
    }
  }
  for (const { name, row } of unlike) {
    const other = waiting.get(name)?.shift();
    if (other === undefined) {
      tally.missing(name, row);
    } else {
      seen.add(name);
      tally.different(name, row, other);
    }
  }
  for (const [name, rest] of waiting) {
    for (const row of rest) {
      tally.extra(name, row, seen.has(name) ? 'duplicate_in_theirs' : 'missing_in_ours');
    }
  }
  return tally.result(theirs.length);
}

interface Sums {
  ours: bigint;
  theirs: bigint;
  missing: bigint;
  extra: bigint;
  different: bigint;
}

/** Collects the counts, the list of differences and the totals. */
class Tally {
  readonly #columns: readonly string[];
  /** Amount that is listed for a row that only one side has. */
  readonly #first: string;
  readonly #sums: ReadonlyMap<string, Sums>;
  readonly #differences: Difference[] = [];
  readonly #rows = { matched: 0, missing: 0, extra: 0, different: 0 };
  #differing = 0;

  constructor(columns: readonly string[]) {
    this.#columns = columns;
    this.#first = columns.find(isAdded) ?? '';
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
    this.#list({ problem: 'missing_in_theirs', key, column: this.#first, ours: row[this.#first] ?? '', theirs: null });
  }

  extra(key: string, row: Row, problem: Difference['problem']): void {
    this.#rows.extra += 1;
    this.#add({}, row, 'extra');
    this.#list({ problem, key, column: this.#first, ours: null, theirs: row[this.#first] ?? '' });
  }

  different(key: string, row: Row, other: Row): void {
    this.#rows.different += 1;
    this.#add(row, other, 'different');
    for (const column of this.#columns.filter((name) => !isSame(name, row, other))) {
      this.#list({ problem: 'differs', key, column, ours: row[column] ?? '', theirs: other[column] ?? '' });
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

  #list(difference: Difference): void {
    this.#differing += 1;
    if (this.#differences.length < LISTED) {
      this.#differences.push(difference);
    }
  }
}

/** A blank amount equals 0.00. */
function isSame(column: string, ours: Row, theirs: Row): boolean {
  const [left, right] = [ours[column] ?? '', theirs[column] ?? ''];
  return (
    left === right ||
    (isAdded(column) ? readAmount(left) === readAmount(right) : normalCell(left) === normalCell(right))
  );
}

/** Removes the apostrophe that keeps a cell from being a formula, and the extra digits of a decimal. */
function normalCell(cell: string): string {
  const text = cell.trim().replace(/^'(?=[=+\-@])/, '');
  if (!DECIMAL.test(text)) {
    return text;
  }
  const [whole = '', fraction = ''] = text.replace('+', '').replace(',', '.').split('.');
  const places = fraction.replace(/0+$/, '');
  const digits = whole.replace(/^(-?)0+(?=\d)/, '$1');
  return `${digits === '-0' && places === '' ? '0' : digits}${places === '' ? '' : `.${places}`}`;
}

/**
 * Reads an amount of dollars and cents exactly, in the formats of spreadsheets: `12.30`, `12,3`, `-12`, `(12.30)`, `$1,234.50`,
 * `1.234,50`. A blank cell is 0.
 * @returns cents; undefined if it is not an amount or has fractions of a cent
 */
export function readAmount(cell: string): bigint | undefined {
  const text = cell.trim().replace(/^'(?=[=+\-@])/, '');
  if (text === '') {
    return 0n;
  }
  const inBrackets = /^\((.*)\)$/.exec(text)?.[1];
  const [, sign = '', digits = ''] = /^([+-]?)\s*\$?\s*(.*)$/.exec(inBrackets ?? text) ?? [];
  const grouped = GROUPED.exec(digits);
  const plain = grouped === null ? PLAIN.exec(digits) : null;
  const whole = (grouped?.[1] ?? grouped?.[3] ?? plain?.[1] ?? '').replaceAll(/[.,]/g, '');
  const fraction = (grouped?.[2] ?? grouped?.[4] ?? plain?.[2] ?? '').replace(/0+$/, '');
  if ((grouped === null && plain === null) || fraction.length > 2 || !/\d/.test(digits)) {
    return undefined;
  }
  const cents = BigInt(`${whole === '' ? '0' : whole}${fraction.padEnd(2, '0')}`);
  return (sign === '-') !== (inBrackets !== undefined) ? -cents : cents;
}
