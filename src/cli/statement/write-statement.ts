/** Writes a printed statement to a file: HTML or PDF, by the ending of its name. */
import { writeFile } from 'node:fs/promises';
import { printToPdf } from './print-to-pdf.ts';
import { checkSide, type PrintableStatement } from './printable-statement.ts';
import { statementPage } from './statement-page.ts';

const PDF = /\.pdf$/i;

/** Whether the ending of the name means a page for people. */
export function isPageFile(file: string): boolean {
  return PDF.test(file) || /\.html?$/i.test(file);
}

/** @param browser path; undefined looks for one. @throws Failure browser_missing, browser_failed */
export async function writeStatement(statement: PrintableStatement, file: string, browser?: string): Promise<void> {
  statement.sides.forEach(checkSide);
  const page = statementPage(statement);
  await writeFile(file, PDF.test(file) ? await printToPdf(page, browser) : page);
}
