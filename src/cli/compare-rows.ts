/** Compares their rows with ours, by a key, on the columns that both have. Decimals are equal by value, not by spelling. */

export type Row = Readonly<Record<string, string>>;

export interface Difference {
  readonly problem: 'differs' | 'missing_in_theirs' | 'missing_in_ours';
  readonly key: string;
  readonly column: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

export interface Comparison {
  readonly columns: readonly string[];
  readonly ours: number;
  readonly theirs: number;
  readonly matched: number;
  /** How many there are; the list of them may be cut. */
  readonly differing: number;
  readonly differences: readonly Difference[];
}

const LISTED = 10_000;
const DECIMAL = /^[+-]?\d+([.,]\d+)?$/;

/**
 * @param theirs by key, read whole. @param ours one after the other, however many.
 * @param key columns of ours that name a row. @param columns what is compared.
 */
export async function compareRows(
  theirs: ReadonlyMap<string, Row>,
  ours: AsyncIterable<Row>,
  key: readonly string[],
  columns: readonly string[],
): Promise<Comparison> {
  const seen = new Set<string>();
  const differences: Difference[] = [];
  let differing = 0;
  let shared: readonly string[] = [];
  let count = 0;
  let matched = 0;
  const tell = (difference: Difference) => {
    differing += 1;
    if (differences.length < LISTED) {
      differences.push(difference);
    }
  };
  for await (const row of ours) {
    count += 1;
    const name = keyOf(row, key);
    const other = theirs.get(name);
    if (other === undefined) {
      tell({ problem: 'missing_in_theirs', key: name, column: null, ours: null, theirs: null });
      continue;
    }
    seen.add(name);
    const wrong = columns.filter((column) => column in row && !isSame(row[column] ?? '', other[column] ?? ''));
    shared = columns.filter((column) => column in row);
    if (wrong.length === 0) {
      matched += 1;
    }
    for (const column of wrong) {
      tell({ problem: 'differs', key: name, column, ours: row[column] ?? '', theirs: other[column] ?? '' });
    }
  }
  for (const name of theirs.keys()) {
    if (!seen.has(name)) {
      tell({ problem: 'missing_in_ours', key: name, column: null, ours: null, theirs: null });
    }
  }
  return { columns: shared, ours: count, theirs: theirs.size, matched, differing, differences };
}

export const keyOf = (row: Row, key: readonly string[]): string =>
  key.map((column) => normal(row[column] ?? '')).join(' ');

function isSame(left: string, right: string): boolean {
  return left === right || normal(left) === normal(right);
}

/** Without the apostrophe that keeps a cell from being a formula, and without what spelling adds to a decimal. */
function normal(cell: string): string {
  const text = cell.trim().replace(/^'(?=[=+\-@])/, '');
  if (!DECIMAL.test(text)) {
    return text;
  }
  const [whole = '', fraction = ''] = text.replace('+', '').replace(',', '.').split('.');
  const places = fraction.replace(/0+$/, '');
  const digits = whole.replace(/^(-?)0+(?=\d)/, '$1');
  return `${digits === '-0' && places === '' ? '0' : digits}${places === '' ? '' : `.${places}`}`;
}
