/** A statement as one HTML page for print, with its style and the chart of its revenue. It names no other file and runs no script. Pure. */

import { html, type Markup, trusted } from '../../core/markup.ts';
import { withThousands } from '../../core/plain-words.ts';
import { revenueSubjects } from '../../core/terms.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { cutMiddle } from '../terminal/table.ts';
import {
  accountTitle,
  checkSide,
  clockTime,
  type PrintableStatement,
  reportSentence,
  SIDE_TITLES,
  type StatementAccount,
  type StatementSide,
} from './printable-statement.ts';
import type { RevenueAmount, RevenueRow } from './revenue.ts';

const SUBJECT_TITLES = { day: 'Day', customer: 'Customer', market: 'Market' } as const;
const REVENUE_TITLES: readonly (readonly [RevenueAmount, string])[] = [
  ['stakes', 'Stakes'],
  ['payouts', 'Payouts'],
  ['marketResult', 'Market result'],
  ['platformFees', 'Platform fees'],
  ['feeRevenue', 'Fee revenue'],
];

/**
 * @param letterhead `data:` URL of an image for the head of the page
 * @throws Error if opening balance and movements do not lead to the closing balance
 */
export function statementPage(statement: PrintableStatement, letterhead?: string): string {
  statement.sides.forEach(checkSide);
  const { number, operator, timeZone, report, checkpoint, accounts, revenue, sides } = statement;
  const time = (iso: string) => clockTime(iso, timeZone);
  const until = `${time(statement.to)} (${timeZone})`;
  const range = statement.from === null ? `since the beginning, until ${until}` : `${time(statement.from)} to ${until}`;
  const style = statementStyle(
    [`${operator.name} · Statement ${number}`, range],
    `Printed ${time(statement.printedAt)}`,
  );
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<title>Statement ${number} of ${operator.name}</title>
<style>${trusted(style)}</style>
</head>
<body>
<header>${letterhead === undefined ? 'Inlay' : html`<img alt="" src="${letterhead}">`}</header>
<main>
<h1>Statement of ${operator.name}</h1>
<dl><dt>Number</dt><dd>${number}</dd><dt>Operator</dt><dd>${operator.slug} (${operator.mode})</dd><dt>Period</dt><dd>${range}; the end is not included</dd><dt>Amounts</dt><dd>US dollars</dd><dt>Books</dt><dd${report.ok ? null : trusted(' class="fault"')}>${reportSentence(report, timeZone)}</dd></dl>
${sides.map(sideTable)}
${revenue === undefined ? null : revenueTable(revenue)}
${accounts === undefined ? null : accountTable(accounts)}
<div class="closing"><h2>Checkpoint</h2>
${checkpoint === null ? html`<p>No checkpoint was signed yet.</p>` : html`<p>${checkpoint.meaning}</p><pre>${checkpoint.text}</pre>`}
<section>${['Prepared by', 'Approved by'].map((role) => html`<div><h3>${role}</h3><p>Name</p><p>Date</p><p>Signature</p></div>`)}</section></div>
</main>
</body>
</html>`.text
  }\n`;
}

function sideTable({ side, opening, movements, closing }: StatementSide): Markup {
  const count = movements.reduce((sum, { entries }) => sum + entries, 0);
  return html`<h2>${SIDE_TITLES[side]}</h2>
<table><thead><tr><th>Movement</th><th class="amount">Entries</th><th class="amount">Amount</th></tr></thead>
<tbody><tr class="balance"><td>Opening balance</td><td></td>${amount(opening)}</tr>
${movements.map(({ movementType, entries, amount: moved }) => html`<tr><td>${nameOf(movementType)}${moved === '0.00' ? html` <small>between these accounts</small>` : null}</td><td class="amount">${withThousands(entries)}</td>${amount(moved)}</tr>\n`)}</tbody>
<tfoot><tr><td>Closing balance</td><td class="amount">${withThousands(count)}</td>${amount(closing)}</tr></tfoot></table>`;
}

function revenueTable({ by, rows, totals }: NonNullable<PrintableStatement['revenue']>): Markup {
  const subjects = revenueSubjects(by);
  const cell = (row: (typeof rows)[number], subject: (typeof subjects)[number]) =>
    ({
      day: row.day,
      customer: row.externalUserId,
      market: [row.eventTitle, row.label].filter((part) => typeof part === 'string').join(', '),
    })[subject] ?? '';
  const [first = 'day'] = subjects;
  const head = [...subjects.map((subject) => html`<th>${SUBJECT_TITLES[subject]}</th>`)];
  return html`<h2>Revenue</h2>
<p class="lead">The market result is what markets kept of stakes, less what they paid beyond them: it is the exchange’s side of each trade and no revenue. Fee revenue is platform fees less returned fees and overruns.</p>
${revenueChart(rows, first === 'day', (row) => cell(row, first))}
<table><thead><tr>${head}${REVENUE_TITLES.map(([, title]) => html`<th class="amount">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${subjects.map((subject) => html`<td>${cell(row, subject)}</td>`)}${REVENUE_TITLES.map(([name]) => amount(row[name]))}</tr>\n`)}</tbody>
<tfoot><tr>${subjects.map((_, place) => html`<td>${place === 0 ? 'Total' : ''}</td>`)}${REVENUE_TITLES.map(([name]) => amount(totals[name]))}</tr></tfoot></table>`;
}

function accountTable(accounts: readonly StatementAccount[]): Markup {
  const columns = ['opening', 'debits', 'credits', 'closing'] as const;
  const total = (name: (typeof columns)[number]) => formatMinor(sumMinor(accounts.map((one) => parseMinor(one[name]))));
  const cell = (name: (typeof columns)[number], decimal: string) =>
    name === 'opening' || name === 'closing' ? balance(decimal) : amount(decimal);
  return html`<h2>Accounts</h2>
<p class="lead">Dr is a debit balance, Cr a credit balance; together they are zero. Money that is owed to customers is a credit balance.</p>
<table><thead><tr><th>Account</th>${columns.map((name) => html`<th class="amount">${name[0]?.toUpperCase()}${name.slice(1)}</th>`)}</tr></thead>
<tbody>${gathered(accounts).map((one) => html`<tr><td>${one.title} <small>${one.accountId}</small></td>${columns.map((name) => cell(name, one[name]))}</tr>\n`)}</tbody>
<tfoot><tr><td>Total</td>${columns.map((name) => cell(name, total(name)))}</tr></tfoot></table>`;
}

/** Accounts of customers of one kind that are printed one by one. */
const MOST_OF_A_KIND = 40;

/** Many wallets are printed as one row with their sums; the signed statement has each of them. */
function gathered(accounts: readonly StatementAccount[]): (StatementAccount & { readonly title: string })[] {
  const kindOf = ({ accountId }: StatementAccount) => /^(wallet|hold):/.exec(accountId)?.[1] ?? accountId;
  return [...Map.groupBy(accounts, kindOf)].flatMap(([kind, some]) => {
    if (some.length <= MOST_OF_A_KIND) {
      return some.map((one) => ({ ...one, title: accountTitle(one.accountId) }));
    }
    const sum = (name: 'opening' | 'debits' | 'credits' | 'closing') =>
      formatMinor(sumMinor(some.map((one) => parseMinor(one[name]))));
    const sums = { opening: sum('opening'), debits: sum('debits'), credits: sum('credits'), closing: sum('closing') };
    const what = kind === 'wallet' ? 'Wallets' : 'Held for open orders';
    return [{ accountId: `${kind}:*`, title: `${what} of ${withThousands(some.length)} customers`, ...sums }];
  });
}

/** ORDER_FILL reads "Order fill". */
function nameOf(movementType: string): string {
  const words = movementType.toLowerCase().replaceAll('_', ' ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

/** 1234567.50 reads 1,234,567.50. */
function amount(decimal: string): Markup {
  return html`<td class="amount">${withThousands(decimal)}</td>`;
}

/** -1234567.50 reads 1,234,567.50 Cr. */
function balance(decimal: string): Markup {
  const cents = parseMinor(decimal);
  const side = cents === 0n ? '' : cents < 0n ? ' Cr' : ' Dr';
  return html`<td class="amount">${withThousands(decimal.replace('-', ''))}${side}</td>`;
}

/**
 * Lays out A4 or letter pages with headers and page numbers, and tables that repeat their head and keep rows whole.
 * @param header of every page, on the left and on the right
 * @param footer on the left; the page number is on the right
 */
export function statementStyle(header: readonly [string, string], footer: string): string {
  const [left, right] = header;
  return `
@page { margin: 24mm 16mm 20mm; font: 8pt/1.4 "Helvetica Neue", Arial, sans-serif; color: #555;
  @top-left { content: ${cssText(left)}; } @top-right { content: ${cssText(right)}; }
  @bottom-left { content: ${cssText(footer)}; } @bottom-right { content: "Page " counter(page) " of " counter(pages); } }
body { font: 9.5pt/1.45 "Helvetica Neue", Arial, sans-serif; color: #111; margin: 0 auto; max-width: 178mm; font-variant-numeric: tabular-nums; }
@media screen { body { padding: 12mm 0; } }
header { min-height: 10mm; margin: 0 0 4mm; font: 700 14pt/1 "Helvetica Neue", Arial, sans-serif; } header img { max-height: 24mm; max-width: 100%; }
h1 { font-size: 18pt; margin: 0 0 2mm; } h2 { font-size: 12pt; margin: 9mm 0 2mm; break-after: avoid; }
p { margin: 0 0 3mm; } .lead { color: #444; } p, dl, pre, .closing { break-inside: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 1mm 6mm; margin: 4mm 0; } dt { color: #555; } dd { margin: 0; }
.fault { color: #b42318; font-weight: 700; } small { color: #555; }
section { display: grid; grid-template-columns: 1fr 1fr; gap: 10mm; margin: 9mm 0 0; break-inside: avoid; }
h3 { font-size: 9.5pt; margin: 0; } section p { margin: 0; padding: 5mm 0 1mm; color: #555; border-bottom: .2mm solid #111; }
table { width: 100%; border-collapse: collapse; margin: 0 0 4mm; }
thead { display: table-header-group; } tfoot { display: table-row-group; }
tr { break-inside: avoid; } tbody tr:nth-last-child(-n+2) { break-after: avoid; }
th, td { padding: 1.2mm 1.5mm; text-align: left; vertical-align: top; border-bottom: .2mm solid #ddd; overflow-wrap: anywhere; }
th { font-weight: 600; border-bottom: .4mm solid #111; overflow-wrap: normal; }
.amount { text-align: right; white-space: nowrap; } tfoot td { font-weight: 700; border-top: .4mm solid #111; border-bottom: 0; }
figure { margin: 0 0 4mm; break-inside: avoid; } figure svg { width: 100%; overflow: visible; } figure text { font-size: 9px; fill: #444; }
figure .end { text-anchor: end; } figure line { stroke: #ddd; } .market { fill: #1d5fd1; background: #1d5fd1; } .fee { fill: #9dbcf0; background: #9dbcf0; }
.market.loss, .fee.loss { fill: #b42318; } .key { display: inline-block; width: 2.5mm; height: 2.5mm; margin-right: 1mm; print-color-adjust: exact; }
figcaption { font-size: 8pt; color: #555; } figure rect { print-color-adjust: exact; }
.balance td { font-weight: 600; } pre { font: 7.5pt/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere; background: #f5f5f5; padding: 3mm; }
`;
}

/** @returns a string of CSS, escaped so that a name can end neither the string nor the style element */
function cssText(text: string): string {
  return `"${text.replace(/[\\"<>&\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;
}

/** One column or bar, in cents. */
interface Point {
  readonly name: string;
  readonly marketResult: bigint;
  readonly feeRevenue: bigint;
}

const WIDTH = 640;
const HEIGHT = 150;
const LEFT = 74;
const BASE = 14;
const MOST_BARS = 12;
const BAR_ROW = 22;
const NAME_WIDTH = 190;
const AMOUNT_WIDTH = 86;
const LONGEST_NAME = 34;

/**
 * Draws market result and fee revenue by day as columns, or of the largest customers or markets as bars.
 * @param nameOf returns the day, customer or market of a row; rows with the same name are added up
 * @returns null for fewer than two names, because the chart would show no more than the table
 */
export function revenueChart(
  rows: readonly RevenueRow[],
  isByDay: boolean,
  nameOf: (row: RevenueRow) => string,
): Markup | null {
  const points = sumByName(rows, nameOf);
  return points.length < 2 ? null : isByDay ? dayColumns(points) : largestBars(points);
}

function sumByName(rows: readonly RevenueRow[], nameOf: (row: RevenueRow) => string): Point[] {
  const byName = Map.groupBy(rows, nameOf);
  return [...byName].map(([name, own]) => ({
    name,
    marketResult: sumMinor(own.map((row) => parseMinor(row.marketResult))),
    feeRevenue: sumMinor(own.map((row) => parseMinor(row.feeRevenue))),
  }));
}

function dayColumns(points: readonly Point[]): Markup {
  const days = points.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const amounts = days.flatMap(({ marketResult, feeRevenue }) => [marketResult, feeRevenue]);
  const [lowest, highest] = [least([0n, ...amounts]), most([0n, ...amounts])];
  const span = highest === lowest ? 1n : highest - lowest;
  const y = (cents: bigint) => (Number(highest - cents) / Number(span)) * HEIGHT;
  const step = (WIDTH - LEFT) / days.length;
  const column = (cents: bigint, place: number, series: 'market' | 'fee') => {
    const x = LEFT + step * (place + (series === 'market' ? 0.1 : 0.5));
    const [top, bottom] = cents < 0n ? [y(0n), y(cents)] : [y(cents), y(0n)];
    return html`<rect class="${series}" x="${x.toFixed(1)}" y="${top.toFixed(1)}" width="${(step * 0.4).toFixed(1)}" height="${(bottom - top).toFixed(1)}"/>`;
  };
  const marks = [...new Set([highest, 0n, lowest])];
  const ends = [days[0]?.name ?? '', days.at(-1)?.name ?? ''];
  return figure(
    `Market result and fee revenue from ${ends[0]} to ${ends[1]}`,
    HEIGHT + BASE + 4,
    html`${marks.map((cents) => html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y(cents).toFixed(1)}" y2="${y(cents).toFixed(1)}"/><text class="end" x="${LEFT - 6}" y="${(y(cents) + 3).toFixed(1)}">${dollars(cents)}</text>`)}
${days.map(({ marketResult, feeRevenue }, place) => html`${column(marketResult, place, 'market')}${column(feeRevenue, place, 'fee')}`)}
<text x="${LEFT}" y="${HEIGHT + BASE}">${ends[0]}</text><text class="end" x="${WIDTH}" y="${HEIGHT + BASE}">${ends[1]}</text>`,
  );
}

function largestBars(points: readonly Point[]): Markup {
  const largest = points
    .toSorted((one, other) => Number(sizeOf(other.marketResult) - sizeOf(one.marketResult)))
    .slice(0, MOST_BARS);
  const highest = most([
    1n,
    ...largest.flatMap(({ marketResult, feeRevenue }) => [sizeOf(marketResult), sizeOf(feeRevenue)]),
  ]);
  const room = WIDTH - NAME_WIDTH - AMOUNT_WIDTH;
  const bar = (cents: bigint, y: number, series: 'market' | 'fee') => {
    const length = (Number(sizeOf(cents)) / Number(highest)) * room;
    return html`<rect class="${series}${cents < 0n ? ' loss' : ''}" x="${NAME_WIDTH}" y="${y}" width="${length.toFixed(1)}" height="8"/>`;
  };
  const rows = largest.map(({ name, marketResult, feeRevenue }, place) => {
    const y = place * BAR_ROW;
    return html`<text class="end" x="${NAME_WIDTH - 6}" y="${y + 12}">${cutMiddle(name, LONGEST_NAME)}</text>${bar(marketResult, y + 1, 'market')}${bar(feeRevenue, y + 9, 'fee')}<text class="end" x="${WIDTH}" y="${y + 12}">${dollars(marketResult)}</text>`;
  });
  const left = points.length - largest.length;
  const rest = left === 0 ? '' : `, ${withThousands(left)} smaller ones are only in the table`;
  return figure(
    `Market result and fee revenue, the largest first, losses in red${rest}`,
    largest.length * BAR_ROW,
    html`${rows}`,
  );
}

function figure(caption: string, height: number, drawing: Markup): Markup {
  return html`<figure><svg viewBox="0 -8 ${WIDTH} ${height + 12}" role="img" aria-label="${caption}">${drawing}</svg>
<figcaption><span class="key market"></span>Market result <span class="key fee"></span>Fee revenue. ${caption}.</figcaption></figure>`;
}

const sizeOf = (cents: bigint) => (cents < 0n ? -cents : cents);
const least = (values: readonly bigint[]) => values.reduce((low, value) => (value < low ? value : low));
const most = (values: readonly bigint[]) => values.reduce((high, value) => (value > high ? value : high));
const dollars = (cents: bigint) => withThousands(formatMinor(cents));
