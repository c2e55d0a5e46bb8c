/**
 * A small export as an Excel workbook: amounts as numbers with two places, times as dates in one time zone, a row of totals, and a
 * sheet that explains each column. It prints as wide as one page, and no cell is a formula.
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
import type { ExportColumnName, ExportHeader } from '../../wire/reconciliation.ts';
import { usage } from '../failure.ts';
import { wallClock } from '../times.ts';
import type { JsonRow, RowWriter } from './rows.ts';

/** A workbook is made in memory and opened by a person. */
const MAX_ROWS = 50_000;
const AMOUNT = /^-?\d{1,13}\.\d{2}$/;
const MONEY_FORMAT = '#,##0.00';
const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss';
const TIME_WIDTH = 19;
const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_FORMAT = 'yyyy-mm-dd';
const DAY_WIDTH = 10;
const [NARROWEST, WIDEST] = [8, 44];
/** Exports that have both balances and flows in their rows, so that a sum has no meaning. */
const NOT_SUMMED: ReadonlySet<string> = new Set(['statement', 'feed', 'positions']);
/** Columns of balances and running totals. */
const NEVER_SUMMED: ReadonlySet<string> = new Set(['balanceAfter', 'lifetimeRealisedPnl']);
/** Length of the record at the end of a ZIP archive without a comment. */
const END_BYTES = 22;
/** 1 January 1980, as MS-DOS writes a date and a time. */
const FIRST_DAY = 0x0021_0000;

interface Cell {
  readonly value: string | number | boolean | Date;
  readonly type: unknown;
  readonly format?: string;
  readonly fontWeight?: 'bold';
  readonly align?: 'right';
  readonly topBorderStyle?: 'thin';
  readonly wrap?: boolean;
}

interface WorkbookOf {
  readonly header: ExportHeader;
  readonly columns: readonly ExportColumnName[];
  /** IANA name of the zone on whose clock times are shown. */
  readonly timeZone: string;
}

/** @throws Failure if there are too many rows */
export function createWorkbook(of: WorkbookOf): RowWriter {
  const { rows: count } = of.header;
  if (count > MAX_ROWS) {
    throw usage(`${count} rows are too many for a workbook; the limit is ${MAX_ROWS}.`, 'Use --format csv.');
  }
  const rows: JsonRow[] = [];
  return {
    add(row) {
      rows.push(row);
      return undefined;
    },
    end: () => makeWorkbook(of, rows),
  };
}

async function makeWorkbook(of: WorkbookOf, rows: readonly object[]): Promise<Uint8Array> {
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const { columns, header, timeZone } = of;
  const body = rows.map((row) => columns.map(({ name, type }) => cellOf(valueAt(row, name), type, timeZone)));
  const totals = NOT_SUMMED.has(header.kind) || rows.length === 0 ? [] : [totalsOf(columns, rows)];
  const head = columns.map(({ name, type }) => ({ ...text(name, true), ...(isNumber(type) && { align: 'right' }) }));
  const explained = explain(of);
  const printed = printsWell({ name: header.kind, rows: 1 + body.length, columns: columns.length });
  const sheets = [
    {
      data: [head, ...body, ...totals] as never,
      sheet: header.kind,
      stickyRowsCount: 1,
      columns: columns.map((column, place) => ({
        width: widthOf(
          column,
          body.map((cells) => cells[place] ?? null),
        ),
      })),
    },
    { data: explained as never, sheet: 'Columns', columns: [{ width: 32 }, { width: 96 }, { width: 24 }] },
  ];
  return withoutTimes(await writeExcelFile(sheets, { features: [printed] }).toBuffer());
}

/** Dates the entries of the archive 1 January 1980 instead of now, so that the same rows make the same file. */
function withoutTimes(archive: Uint8Array): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = archive.byteLength - END_BYTES;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const local = view.getUint32(at + 42, true);
    view.setUint32(at + 12, FIRST_DAY, true);
    view.setUint32(local + 10, FIRST_DAY, true);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return archive;
}

/** The last row; cents are added as whole numbers. */
function totalsOf(columns: readonly ExportColumnName[], rows: readonly object[]): (Cell | null)[] {
  return columns.map(({ name, type }, place) => {
    if (type !== 'cents' || NEVER_SUMMED.has(name)) {
      return place === 0 ? { ...text('Total', true), topBorderStyle: 'thin' } : null;
    }
    const cents = rows.reduce((sum, row) => sum + centsOf(valueAt(row, name)), 0n);
    return {
      value: Number(cents) / 100,
      type: Number,
      format: MONEY_FORMAT,
      fontWeight: 'bold',
      topBorderStyle: 'thin',
    };
  });
}

function centsOf(value: unknown): bigint {
  return typeof value === 'string' && AMOUNT.test(value) ? BigInt(value.replace('.', '')) : 0n;
}

function explain({ header, columns, timeZone }: WorkbookOf): (Cell | null)[][] {
  return [
    [text('Export', true), text(header.kind)],
    [text('From', true), text(header.from ?? 'the beginning')],
    [text('To', true), text(`${header.to} (not included)`)],
    [text('Rows', true), { value: header.rows, type: Number }],
    [text('Times', true), text(timeZone)],
    [text('Amounts', true), text('US dollars')],
    [],
    [text('Column', true), text('Meaning', true), text('Unit', true)],
    ...columns.map(({ name, type }) => [
      text(name),
      { ...text(meaningOf(name) ?? ''), wrap: true },
      text(unitOf(type, timeZone)),
    ]),
  ];
}

function unitOf(type: ExportColumnName['type'], timeZone: string): string {
  switch (type) {
    case 'cents':
      return 'US dollars';
    case 'micros':
      return 'six decimals';
    case 'time':
    case 'date':
      return timeZone;
    default:
      return type;
  }
}

const text = (value: string, bold = false): Cell => ({ value, type: String, ...(bold && { fontWeight: 'bold' }) });
const isNumber = (type: ExportColumnName['type']) => type === 'cents' || type === 'micros' || type === 'integer';

function cellOf(value: unknown, type: ExportColumnName['type'], timeZone: string): Cell | null {
  if (value === null || value === undefined) {
    return null;
  }
  if (type === 'time' && typeof value === 'string' && !Number.isNaN(Date.parse(value))) {
    return { value: wallClock(new Date(value), timeZone), type: Date, format: TIME_FORMAT };
  }
  if (type === 'date' && typeof value === 'string' && DAY.test(value)) {
    return { value: new Date(value), type: Date, format: DAY_FORMAT };
  }
  if (typeof value === 'string' && AMOUNT.test(value)) {
    return { value: Number(value), type: Number, format: MONEY_FORMAT };
  }
  if (typeof value === 'number') {
    return { value, type: Number };
  }
  if (typeof value === 'boolean') {
    return { value, type: Boolean };
  }
  return text(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Wide enough for the longest cell, within reason. */
function widthOf({ name, type }: ExportColumnName, cells: readonly (Cell | null)[]): number {
  if (type === 'time' || type === 'date') {
    return Math.max(type === 'time' ? TIME_WIDTH : DAY_WIDTH, name.length) + 2;
  }
  const longest = cells.reduce((most, cell) => Math.max(most, cell === null ? 0 : shownLength(cell)), name.length);
  return Math.min(WIDEST, Math.max(NARROWEST, longest)) + 2;
}

function shownLength({ value, format }: Cell): number {
  return format === MONEY_FORMAT ? Number(value).toLocaleString('en').length + 3 : String(value).length;
}

/** @param name dotted */
function valueAt(row: object, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      row,
    );
}

const SHEET = 'xl/worksheets/sheet{id}.xml';
const WORKBOOK = 'xl/workbook.xml';

interface PrintedSheet {
  readonly name: string;
  /** Rows of the table with its head, without the totals. */
  readonly rows: number;
  readonly columns: number;
}

/**
 * Makes the sheets print in landscape and as wide as one page, and gives the first sheet a filter and its head on each page. The
 * library that writes workbooks has no option for this, but lets its files be changed.
 * @param sheet the first one; the others have no filter and no repeated row
 */
function printsWell({ name, rows, columns }: PrintedSheet): Feature<Stream | Buffer | Blob> {
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
  // 0 as the height allows any number of pages
  getSelfClosingTagMarkup('pageSetup', { orientation: 'landscape', fitToWidth: 1, fitToHeight: 0 }),
];

function filterOf(rows: number, columns: number): string {
  return getSelfClosingTagMarkup('autoFilter', { ref: `A1:${getCellAddress(rows - 1, columns - 1)}` });
}

/** Adds the elements in the order of the format, because spreadsheet programs require it. */
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

const DEBIT = 'what you took from the customer, once the fill is known';

const COLUMN_MEANINGS: Readonly<Record<string, string>> = {
  accountId: 'Account of the ledger, such as stakes or fees:platform.',
  action: 'buy or sell.',
  amount: 'Amount of the movement; positive adds to what is owed to customers or held for you.',
  averagePrice: 'Average price of a contract in dollars, weighted by quantity.',
  balanceAfter: 'Balance of the account after this line; debit is positive.',
  bps: 'Rate of the fee in hundredths of a percent.',
  clientOrderId: 'Your own id of the order.',
  contractId: 'The contract.',
  contracts: 'Contracts that were settled.',
  createdAt: 'When the order was recorded.',
  credit: 'Credited to the account.',
  cursor: 'Position in the register, to continue after this row.',
  day: 'Day by the time recorded, in UTC or the time zone that was asked for.',
  debit: 'Debited to the account.',
  detail: 'Further facts as JSON.',
  effectiveAt: 'The date at which the entry takes effect; when it was recorded unless a person dated it.',
  entries: 'Number of ledger entries.',
  entryId: 'The entry of the ledger.',
  eventTitle: 'Title of the event.',
  executionRef: 'Support reference of the order.',
  externalUserId: 'Your own id of the customer.',
  feeRevenue: 'Your revenue: platform fees less returned fees and overrun.',
  feesReturned: 'Platform fees given back when a market was annulled.',
  filledQuantity: 'Contracts that were bought or sold.',
  id: 'Id of the fact; stable, so that you can key on it.',
  kind: 'platform: your fee; venue: the fee of the venue.',
  label: 'The outcome of the event.',
  lifetimeRealisedPnl: 'Profit of the position over its whole life.',
  lineNo: 'Number of the line in its entry.',
  marketResult:
    "What markets kept of stakes, less what they paid beyond them: the venue's side of each trade, not revenue.",
  memo: 'Description of the entry.',
  money: 'Amounts of the fact.',
  lines: 'Lines of the ledger entry as JSON.',
  movementType: 'Kind of the movement, such as ORDER_FILL.',
  netStakes: 'Stakes less payouts: what customers lost in all, with the stakes of open positions.',
  occurredAt: 'When it happened.',
  openStakes: 'Change of the stakes that are still at risk.',
  openedAt: 'When the position was opened.',
  'operatorExitMoney.platformFee': 'Your fee on the sale; already subtracted from the proceeds.',
  sellProceeds: 'What you credit to the customer for a sale.',
  'operatorExitMoney.venueFee': 'Fee of the venue on the sale; already subtracted from the proceeds.',
  actualDebit: `Debit: ${DEBIT}.`,
  authorizationAmount: 'What you reserved before the order.',
  costBasis: 'Cash spent on what is still held.',
  currency: 'Always USD.',
  platformFee: 'Your fee, part of the debit.',
  releaseAmount: 'What you give back of the reserve. Do not release it while settlementState is pending.',
  settlementCredit: 'What you credit to a winner.',
  tradeAmount: 'Part of the debit that was spent on contracts.',
  venueFee: 'Fee of the venue, part of the debit.',
  venueFeeKnown: 'false while the fee of the venue is not known: its 0.00 is a placeholder.',
  voidCredit: 'What you credit for an annulled or split market.',
  orderId: 'The order.',
  outcome: 'won, lost or void, for the customer.',
  overrun: 'What a venue took beyond the amount sent to it; the service bears it.',
  payouts: 'What was paid to customers: settlements and sales.',
  platformFeeBps: 'Rate of your fee in hundredths of a percent of the stake.',
  platformFees: 'Your fees on the orders of the row.',
  positionId: 'The position.',
  quantity: 'Contracts held now.',
  realisedPnl: 'Profit of the customer by this row.',
  recordedAt: 'When it was recorded in the books.',
  referenceId: 'Id of what caused the entry.',
  correctsEntryId: 'Always empty: no entry corrects another.',
  referenceType: 'Kind of what caused the entry.',
  rejectReason: 'Why the order was rejected.',
  cancelReason: 'Why the order was cancelled.',
  resolution: 'Result of the market: YES, NO, VOID or a split.',
  sequence: 'Number in your register: 1, 2, 3, ... without a gap.',
  settledAt: 'When the position was settled.',
  settlementState: 'pending while the money of the order can still change.',
  side: 'YES or NO; in a statement, whose money it is.',
  simulated: 'true if the fill was produced by the sandbox.',
  stakes: 'What customers paid for contracts, fees included.',
  status: 'State of the order or position.',
  transmissionState: 'Whether the order was sent to a venue, and whether its outcome is known.',
  type: 'Kind of the fact.',
  updatedAt: 'When it last changed.',
  venueFees: 'Fees that venues charged, overruns included.',
  committedAfter: 'Collateral that is committed to open orders after this fact.',
  fromState: 'State of the order before; empty for a new one.',
  toState: 'State of the order after.',
  reason: 'Why the state changed.',
  orderStatus: 'State of the order as a read shows it.',
  price: 'Price of the fill in dollars per contract.',
  ledgerEntryId: 'The entry of the ledger.',
  quantityRemaining: 'Contracts still held after the sale.',
  exitPrice: 'Price of the sale in dollars per contract.',
  entryPrice: 'Average price at which the contracts were bought.',
  venueAgrees: 'Whether the venue reports the same; empty if it was not asked.',
  entryFeeShare: 'Part of the fees of the purchase that belongs to what was sold.',
  eventType: 'Type of the webhook event.',
  dedupeKey: 'Key of the webhook event; the same for every delivery of it.',
};

/**
 * @param name dotted; a part of an object has one meaning, unless it is listed with its whole name
 * @returns the meaning of the column in one sentence. A test checks that every column of an export has one.
 */
export function meaningOf(name: string): string | undefined {
  return COLUMN_MEANINGS[name] ?? COLUMN_MEANINGS[name.slice(name.lastIndexOf('.') + 1)];
}
