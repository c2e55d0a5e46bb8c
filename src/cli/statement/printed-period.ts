/** Turns the signed statement of a closed period into the statement that is printed. Pure. */
import type { PeriodStatement } from '../../ledger/periods.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { ACCOUNTING_EPOCH } from '../../reconciliation/report.ts';
import type { PrintableStatement, StatementSide } from './printable-statement.ts';

const ACCOUNTS_OF: Readonly<Record<StatementSide['side'], RegExp>> = {
  hosted: /^(wallet|hold):/,
  operator_collateral: /^collateral:/,
};

/**
 * @param checked hash of the signed bytes, and a fault that was found in them, or null
 * @param report on the books of today
 * @param timeZone IANA name of the zone on whose clock times are printed
 */
export function printedPeriod(
  { name, slug, mode }: PrintableStatement['operator'],
  statement: PeriodStatement,
  checked: { readonly sha256: string; readonly fault: string | null },
  report: PrintableStatement['report'],
  timeZone: string,
): PrintableStatement {
  const sides = (['hosted', 'operator_collateral'] as const).map((side) => sideOf(side, statement));
  const verdict =
    checked.fault === null
      ? 'Its signature, its figures and the checkpoint were verified when this was printed.'
      : `IT DOES NOT MATCH THE BOOKS: ${checked.fault}.`;
  return {
    number: `${slug}-${statement.period}`,
    operator: { name, slug, mode },
    from: Date.parse(statement.from) === ACCOUNTING_EPOCH.getTime() ? null : statement.from,
    to: statement.to,
    timeZone,
    printedAt: new Date().toISOString(),
    report,
    sides: sides.filter(({ opening, movements }) => opening !== '0.00' || movements.length > 0),
    accounts: statement.accounts,
    checkpoint: {
      text: statement.checkpoint,
      meaning: `Accounting period ${statement.period}, ${statement.entries} entries, dated by their effective date. The signed statement has the SHA-256 ${checked.sha256}. ${verdict} The checkpoint covers every item of the feed up to the close:`,
    },
  };
}

/** Money that is owed is a credit in the books and positive in print. */
function sideOf(side: StatementSide['side'], { accounts, movements }: PeriodStatement): StatementSide {
  const own = accounts.filter(({ accountId }) => ACCOUNTS_OF[side].test(accountId));
  const owed = (name: 'opening' | 'closing') => formatMinor(-sumMinor(own.map((account) => parseMinor(account[name]))));
  return {
    side,
    opening: owed('opening'),
    movements: movements.filter((movement) => movement.side === side),
    closing: owed('closing'),
  };
}
