/**
 * How a sheet prints and is filtered: across, as wide as one page, its first row on each page, a filter for each column. The
 * library that writes workbooks has no option for it, but lets its files be changed.
 */
import type { Blob } from 'node:buffer';
import type { Stream } from 'node:stream';
import type { Feature } from 'write-excel-file/node';
import {
  findElement,
  getCellAddress,
  getClosingTagMarkup,
  getOpeningTagMarkup,
  getOrderOfSiblings,
  getSelfClosingTagMarkup,
  insertElementMarkupAccordingToOrderOfSiblings,
  replaceElement,
  sanitizeTextContent,
} from 'write-excel-file/utility';

const SHEET = 'xl/worksheets/sheet{id}.xml';
const WORKBOOK = 'xl/workbook.xml';

export interface PrintedSheet {
  readonly name: string;
  /** Of the table, its first row included. Rows of totals are no part of it. */
  readonly rows: number;
  readonly columns: number;
}

/** @param table the first sheet; the others have no filter and no repeated row. */
export function printsWell({ name, rows, columns }: PrintedSheet): Feature<Stream | Buffer | Blob> {
  return {
    files: {
      transform: {
        [SHEET]: {
          transform: (xml, _sheet, { sheetIndex }) => {
            const wide = addElements(xml, ON_ONE_WIDTH);
            return sheetIndex === 0 ? addElements(wide, [filterOf(rows, columns)]) : wide;
          },
        },
        [WORKBOOK]: { transform: (xml) => repeatFirstRow(xml, name) },
      },
    },
  };
}

const ON_ONE_WIDTH = [
  `${getOpeningTagMarkup('sheetPr')}${getSelfClosingTagMarkup('pageSetUpPr', { fitToPage: 1 })}${getClosingTagMarkup('sheetPr')}`,
  // no bound on the height: as many pages as there are
  getSelfClosingTagMarkup('pageSetup', { orientation: 'landscape', fitToWidth: 1, fitToHeight: 0 }),
];

function filterOf(rows: number, columns: number): string {
  return getSelfClosingTagMarkup('autoFilter', { ref: `A1:${getCellAddress(rows - 1, columns - 1)}` });
}

/** A spreadsheet program reads the elements in their order only. */
function addElements(xml: string, elements: readonly string[]): string {
  const order = getOrderOfSiblings(SHEET, 'worksheet') ?? [];
  return elements.reduce(
    (made, element) => insertElementMarkupAccordingToOrderOfSiblings(made, element, order, 'worksheet'),
    xml,
  );
}

function repeatFirstRow(xml: string, sheet: string): string {
  const title = getOpeningTagMarkup('definedName', { name: '_xlnm.Print_Titles', localSheetId: 0 });
  const names = `${getOpeningTagMarkup('definedNames')}${title}${sanitizeTextContent(`${sheet}!$1:$1`)}${getClosingTagMarkup('definedName')}${getClosingTagMarkup('definedNames')}`;
  const empty = findElement(xml, 'definedNames');
  return empty === undefined ? xml : replaceElement(xml, empty, names);
}
