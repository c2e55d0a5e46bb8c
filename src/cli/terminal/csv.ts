/** Lists as CSV, for spreadsheets. */
import { asText, type Column } from './output.ts';
import { withoutControls } from './printable.ts';

export async function renderCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const kept = columns.filter(({ tableOnly }) => tableOnly !== true);
  return stringify(
    rows.map((row) => kept.map((column) => escapeFormula(withoutControls(asText((column.raw ?? column.value)(row)))))),
    // a spreadsheet that uses another separator does not split quoted cells
    { header: true, columns: kept.map(({ name }) => name), quoted_match: /[^\w.:-]/ },
  ).trimEnd();
}

const STRICT_DECIMAL = /^-?\d+(\.\d+)?$/;
const FORMULA_START = /(^|[,;|\t\r\n])([=+\-@\t\r\n＝＋－＠])/g;

/**
 * A spreadsheet would run a cell that starts like a formula, also after a separator inside the cell if it uses that separator. A
 * signed amount only looks like a formula and is not changed.
 */
export function escapeFormula(text: string): string {
  return STRICT_DECIMAL.test(text) ? text : text.replace(FORMULA_START, "$1'$2");
}
