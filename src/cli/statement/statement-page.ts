/** A statement as one HTML page made for print. It names no other file and runs no script. Pure. */
import { html, type Markup, trusted } from '../../core/markup.ts';
import { revenueSubjects } from '../../core/terms.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import type { RevenueAmount } from '../revenue/fetch-revenue.ts';
import { withThousands } from '../terminal/thousands.ts';
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
import { revenueChart } from './revenue-chart.ts';
import { statementStyle } from './statement-style.ts';

const SUBJECT_TITLES = { day: 'Day', customer: 'Customer', market: 'Market' } as const;
const REVENUE_TITLES: readonly (readonly [RevenueAmount, string])[] = [
  ['stakes', 'Stakes'],
  ['payouts', 'Payouts'],
  ['ggr', 'Gross revenue'],
  ['platformFees', 'Platform fees'],
  ['ngr', 'Net revenue'],
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
<h1>Statement of ${operator.name}</h1>
<dl><dt>Number</dt><dd>${number}</dd><dt>Operator</dt><dd>${operator.slug} (${operator.mode})</dd><dt>Period</dt><dd>${range}; the end is not included</dd><dt>Amounts</dt><dd>US dollars</dd><dt>Books</dt><dd${report.ok ? null : trusted(' class="fault"')}>${reportSentence(report, timeZone)}</dd></dl>
${sides.map(sideTable)}
${revenue === undefined ? null : revenueTable(revenue)}
${accounts === undefined ? null : accountTable(accounts)}
<h2>Checkpoint</h2>
${checkpoint === null ? html`<p>No checkpoint was signed yet.</p>` : html`<p>${checkpoint.meaning}</p><pre>${checkpoint.text}</pre>`}
<section>${['Prepared by', 'Approved by'].map((role) => html`<div><h3>${role}</h3><p>Name</p><p>Date</p><p>Signature</p></div>`)}</section>
</body>
</html>`.text
  }\n`;
}

function sideTable({ side, opening, movements, closing }: StatementSide): Markup {
  const count = movements.reduce((sum, { entries }) => sum + entries, 0);
  return html`<h2>${SIDE_TITLES[side]}</h2>
<table><thead><tr><th>Movement</th><th class="amount">Entries</th><th class="amount">Amount</th></tr></thead>
<tbody><tr class="balance"><td>Opening balance</td><td></td>${amount(opening)}</tr>
${movements.map(({ movementType, entries, amount: moved }) => html`<tr><td>${nameOf(movementType)}</td><td class="amount">${withThousands(entries)}</td>${amount(moved)}</tr>\n`)}</tbody>
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
<p class="lead">Gross revenue is what customers staked less what they were paid; it includes the stakes of open positions. Net revenue is platform fees less returned fees and overruns.</p>
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
<tbody>${accounts.map((one) => html`<tr><td>${accountTitle(one.accountId)} <small>${one.accountId}</small></td>${columns.map((name) => cell(name, one[name]))}</tr>\n`)}</tbody>
<tfoot><tr><td>Total</td>${columns.map((name) => cell(name, total(name)))}</tr></tfoot></table>`;
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
