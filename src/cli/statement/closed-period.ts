/**
 * The signed statement of a closed accounting period: read from the database, checked against the books, and as the statement that is
 * printed. `periods statement` loads it only for a closed period, because it loads the driver of the database.
 */
import type { AuditingContext } from '../../context.ts';
import { currentLogKey, loadLogSigner, logKeyAt } from '../../ledger/log/sign-log.ts';
import { getPeriod, keepStatement, noteHash, type PeriodStatement, verifyStatement } from '../../ledger/periods.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { getOperator } from '../../operators/operators.ts';
import { ACCOUNTING_EPOCH, runReport } from '../../reconciliation/report.ts';
import type { PrintableStatement, StatementSide } from './printable-statement.ts';

export interface CheckedStatement {
  readonly ok: boolean;
  /** Sentence about the first thing that does not match; null if all match. */
  readonly fault: string | null;
  readonly sha256: string;
  readonly verifierKey: string;
  readonly statement: PeriodStatement;
  /** The bytes: a signed note. */
  readonly note: string;
}

interface ClosedPeriod {
  readonly slug: string;
  readonly number: number;
  readonly checked: CheckedStatement;
  /**
   * Reads the report of today and makes the statement that is printed.
   * @param timeZone IANA name of the zone on whose clock times are printed
   */
  print(timeZone: string): Promise<PrintableStatement>;
}

/**
 * Reads the statement of a period, signs it if it was not signed before, and verifies its signature, its figures and its checkpoint.
 * @param reference slug or id of the operator
 * @param number of the period; undefined for the last one that was closed
 * @throws unknown_operator, unknown_period
 */
export async function readClosedPeriod(
  { sql, audit, environment, secrets }: AuditingContext,
  reference: string,
  number: number | undefined,
): Promise<ClosedPeriod> {
  const operator = await getOperator(sql, reference);
  const { operatorId } = operator;
  const period = await getPeriod(sql, operatorId, number);
  const signer = loadLogSigner(environment, secrets);
  const { note, statement } = await keepStatement(sql, signer, period);
  const current = await currentLogKey(sql, operatorId, signer);
  const { fault } = await verifyStatement(sql, signer, current, period, { note, statement });
  const verifierKey = await logKeyAt(sql, operatorId, current, period.throughSequence);
  const checked = { ok: fault === null, fault, sha256: noteHash(note), verifierKey, statement, note };
  return {
    slug: period.slug,
    number: period.number,
    checked,
    print: async (timeZone) =>
      printedPeriod(operator, checked, await runReport(sql, operatorId, undefined, audit), timeZone),
  };
}

function printedPeriod(
  { name, slug, mode }: PrintableStatement['operator'],
  { statement, sha256, fault }: CheckedStatement,
  report: PrintableStatement['report'],
  timeZone: string,
): PrintableStatement {
  const sides = (['hosted', 'operator_collateral'] as const).map((side) => sideOf(side, statement));
  const verdict =
    fault === null
      ? 'Its signature, its figures and the checkpoint were verified when this was printed.'
      : `IT DOES NOT MATCH THE BOOKS: ${fault}.`;
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
      meaning: `Accounting period ${statement.period}, ${statement.entries} entries, dated by their effective date. The signed statement has the SHA-256 ${sha256}. ${verdict} The checkpoint covers every item of the feed up to the close:`,
    },
  };
}

const ACCOUNTS_OF: Readonly<Record<StatementSide['side'], RegExp>> = {
  hosted: /^(wallet|hold):/,
  operator_collateral: /^collateral:/,
};

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
