/**
 * A statement as it can be printed, of any range (`fetch-statement.ts`) or of a closed period (`closed-period.ts`), and the names,
 * times and sentences in it. Balances that do not follow from the movements are refused.
 */
import type { RevenueBy } from '../../core/terms.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import type { Report } from '../../wire/reconciliation.ts';
import { wallClock } from '../times.ts';
import type { Revenue } from './revenue.ts';

/** Money that is held for customers or for the operator. Amounts are decimal dollars; money that is owed is positive. */
export interface StatementSide {
  readonly side: 'hosted' | 'operator_collateral';
  readonly opening: string;
  readonly movements: readonly StatementMovement[];
  readonly closing: string;
}

export interface StatementMovement {
  readonly movementType: string;
  /** Number of ledger entries. */
  readonly entries: number;
  readonly amount: string;
}

/** Decimal dollars; a debit is positive. */
export interface StatementAccount {
  readonly accountId: string;
  readonly opening: string;
  readonly debits: string;
  readonly credits: string;
  readonly closing: string;
}

export interface PrintableStatement {
  /** Made of the operator and the period or range, so that the same statement has the same number. */
  readonly number: string;
  readonly operator: { readonly name: string; readonly slug: string; readonly mode: string };
  /** ISO-8601; null for the beginning of the books. */
  readonly from: string | null;
  readonly to: string;
  /** IANA name of the zone on whose clock all times are printed. */
  readonly timeZone: string;
  readonly printedAt: string;
  /** The report on the books when this was printed. */
  readonly report: Report;
  readonly sides: readonly StatementSide[];
  readonly accounts?: readonly StatementAccount[];
  readonly revenue?: Revenue & { readonly by: RevenueBy };
  readonly checkpoint: { readonly text: string; readonly meaning: string } | null;
}

export const SIDE_TITLES = {
  hosted: 'Customers’ money held in wallets',
  operator_collateral: 'Collateral',
} as const;

/** @returns the time that a clock in the zone showed, such as `2026-11-01 13:00:00` */
export const clockTime = (iso: string, timeZone: string): string =>
  wallClock(new Date(iso), timeZone).toISOString().slice(0, 19).replace('T', ' ');

/** @param from null for the beginning of the books. @returns for example `demo-20261101-20261201`; midnight is the date alone */
export function rangeNumber(slug: string, from: string | null, to: string, timeZone: string): string {
  const digits = (iso: string) => clockTime(iso, timeZone).replaceAll(/\D/g, '').replace(/0{6}$/, '');
  return [slug, ...(from === null ? [] : [digits(from)]), digits(to)].join('-');
}

const ACCOUNT_TITLES: Readonly<Record<string, string>> = {
  wallet: 'Wallet of',
  hold: 'Held for open orders of',
  'sandbox:float': 'Test money issued',
  deposits: 'Collateral deposited',
  'collateral:available': 'Collateral, available',
  'collateral:committed': 'Collateral, committed to open orders',
  'operator:cash': 'Cash of the operator',
  stakes: 'Stakes of open positions',
  'fees:platform': 'Platform fees',
  'fees:venue': 'Venue fees',
  'fees:returned': 'Platform fees given back',
  result: 'Result of the markets',
  overrun: 'Taken by venues beyond what was sent',
};

/** @returns the name of an account for people; the id if the account has no name */
export function accountTitle(accountId: string): string {
  const [, kind = '', customer = ''] = /^(wallet|hold):(.*)$/s.exec(accountId) ?? [];
  return customer === '' ? (ACCOUNT_TITLES[accountId] ?? accountId) : `${ACCOUNT_TITLES[kind]} ${customer}`;
}

/** @returns one sentence: whether the books were in order, and the findings */
export function reportSentence({ ranAt, ok, findings }: PrintableStatement['report'], timeZone: string): string {
  const severity = ok ? 'warning' : 'critical';
  const found = findings.filter((finding) => finding.severity === severity);
  const checks = [...Map.groupBy(found, ({ check }) => check)].map(([check, { length }]) =>
    length === 1 ? check : `${check} (${length})`,
  );
  const kind = ok ? 'warning' : 'critical finding';
  const counted = `${found.length} ${kind}${found.length === 1 ? '' : 's'}: ${checks.join(', ')}`;
  const verdict = ok ? 'The books were in order' : 'THE BOOKS WERE NOT IN ORDER';
  return `${verdict} when they were checked at ${clockTime(ranAt, timeZone)}${found.length === 0 ? '' : `, with ${counted}`}.`;
}

/** @throws Error if the opening balance and the movements do not lead to the closing balance, to the cent */
export function checkSide({ side, opening, movements, closing }: StatementSide): void {
  const reached = parseMinor(opening) + sumMinor(movements.map(({ amount }) => parseMinor(amount)));
  if (reached !== parseMinor(closing)) {
    throw new Error(`the movements of ${side} lead to ${formatMinor(reached)}, and the closing balance is ${closing}`);
  }
}
