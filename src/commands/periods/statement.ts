/** `periods statement`: the signed statement of a closed period, after it was checked against the books. Exit 5 if it does not fit. */
import { writeFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { letterheadFlag, operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { fromText } from '../../cli/print/print-books.ts';
import {
  accountTitle,
  type PrintableStatement,
  SIDE_TITLES,
  type StatementSide,
} from '../../cli/statement/printable-statement.ts';
import { statementPage } from '../../cli/statement/statement-page.ts';
import { type Column, columnsOf, numeric } from '../../cli/terminal/table.ts';
import { timeZoneFlag } from '../../cli/times.ts';
import { EXIT } from '../../core/errors.ts';
import { currentLogKey, loadLogSigner, logKeyAt } from '../../ledger/log/sign-log.ts';
import { getPeriod, keepStatement, noteHash, type PeriodStatement, verifyStatement } from '../../ledger/periods.ts';
import { formatMinor, parseMinor, sumMinor } from '../../money/usd.ts';
import { getOperator } from '../../operators/operators.ts';
import { ACCOUNTING_EPOCH, runReport } from '../../reconciliation/report.ts';

const ACCOUNTS_OF: Readonly<Record<StatementSide['side'], RegExp>> = {
  hosted: /^(wallet|hold):/,
  operator_collateral: /^collateral:/,
};

interface CheckedStatement {
  ok: boolean;
  /** What does not fit, or null. */
  fault: string | null;
  sha256: string;
  verifierKey: string;
  statement: PeriodStatement;
  /** The bytes: a signed note. */
  note: string;
}

export default class PeriodsStatement extends OperatorCommand<typeof PeriodsStatement> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Print the signed statement of a closed accounting period.';
  static override description =
    'A terminal shows it as tables; a pipe or a file gets the signed bytes, which are the same each time. Before they are printed, the signature is checked, the figures are computed from the entries again, and the checkpoint is compared with the log; exit 5 if anything does not match. A FILE that ends with .html is the same statement for people, made for print; the signed bytes are in --json and in a FILE of any other name.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --out october.txt',
    '<%= config.bin %> <%= command.id %> --operator demo --period 3 --json',
    '<%= config.bin %> <%= command.id %> --operator demo --time-zone Europe/Zagreb --out october.html',
  ];
  static override flags = {
    ...operatorFlag,
    period: Flags.integer({ helpValue: 'N', min: 1, summary: 'Number of the period; by default the last closed one.' }),
    out: Flags.string({ helpValue: 'FILE', summary: 'File to write; by default stdout.' }),
    'time-zone': timeZoneFlag({ default: 'UTC', summary: 'Whose clock a page is printed on.' }),
    letterhead: letterheadFlag(),
  };

  async run(): Promise<CheckedStatement> {
    const { out } = this.flags;
    const { sql, audit, environment, secrets } = await this.openContext();
    const operator = await getOperator(sql, this.flags.operator);
    const { operatorId } = operator;
    const period = await getPeriod(sql, operatorId, this.flags.period);
    const signer = loadLogSigner(environment, secrets);
    const kept = await keepStatement(sql, signer, period);
    const current = await currentLogKey(sql, operatorId, signer);
    const { fault } = await verifyStatement(sql, signer, current, period, kept);
    const verifierKey = await logKeyAt(sql, operatorId, current, period.throughSequence);
    if (out !== undefined && /\.html?$/i.test(out)) {
      const page = printedPeriod(
        operator,
        kept.statement,
        { sha256: noteHash(kept.note), fault },
        await runReport(sql, operatorId, undefined, audit),
        this.flags['time-zone'],
      );
      await writeFile(out, statementPage(page, this.flags.letterhead));
    } else if (out !== undefined) {
      await writeFile(out, kept.note);
    } else if (!this.jsonEnabled()) {
      if (process.stdout.isTTY === true) {
        await this.#printTables(kept.statement);
      } else {
        process.stdout.write(kept.note);
      }
    }
    const sha256 = noteHash(kept.note);
    this.note(`Period ${period.number} of ${period.slug}${out === undefined ? '' : `, in ${out}`}`);
    this.note(`sha256 ${sha256}`);
    if (fault !== null) {
      this.note(`The statement does not match: ${fault}.`);
      this.endWith(EXIT.expectationFailed);
    }
    return { ok: fault === null, fault, sha256, verifierKey, statement: kept.statement, note: kept.note };
  }

  async #printTables({ period, from, to, entries, accounts, movements }: PeriodStatement): Promise<void> {
    this.printFacts({ period, from: fromText(from), to, entries });
    for (const side of ['hosted', 'operator_collateral'] as const) {
      const moved = movements.filter((movement) => movement.side === side);
      if (moved.length > 0) {
        this.say(`\n${this.paint('bold', SIDE_TITLES[side])}`);
        await this.printList(
          moved,
          numeric(['entries', 'amount'], columnsOf<(typeof moved)[number]>('movementType', 'entries', 'amount')),
        );
      }
    }
    this.say(`\n${this.paint('bold', 'Accounts')}`);
    const amounts = (['opening', 'debits', 'credits', 'closing'] as const).map(
      (name): Column<PeriodStatement['accounts'][number]> => ({ name, align: 'right', value: (one) => one[name] }),
    );
    await this.printList(accounts, [
      { name: 'accountId', title: 'account', elastic: true, value: ({ accountId }) => accountTitle(accountId) },
      ...amounts,
    ]);
    this.note('A debit is positive. The signed bytes are printed off a terminal, and in the file of --out.');
  }
}

/**
 * The signed statement of a closed period as the statement that is printed.
 * @param checked hash of the signed bytes, and a fault that was found in them, or null
 * @param report on the books of today
 * @param timeZone IANA name of the zone on whose clock times are printed
 */
function printedPeriod(
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
