/**
 * `periods statement`: the signed statement of a closed period, after it was checked against the books (exit 5 if it does not match), or a
 * statement of any range over the API, as a page made for print.
 */

import { writeFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { EitherCommand } from '../../cli/either-command.ts';
import { usage } from '../../cli/failure.ts';
import { letterheadFlag, SERVICE_OPERATOR } from '../../cli/flags.ts';
import { fromText } from '../../cli/print/print-books.ts';
import type { CheckedStatement } from '../../cli/statement/closed-period.ts';
import { fetchStatement } from '../../cli/statement/fetch-statement.ts';
import {
  accountTitle,
  type PrintableStatement,
  reportSentence,
  SIDE_TITLES,
} from '../../cli/statement/printable-statement.ts';
import { statementPage } from '../../cli/statement/statement-page.ts';
import { type Column, columnsOf, numeric } from '../../cli/terminal/table.ts';
import { startOf, timeZoneFlag, windowFlags } from '../../cli/times.ts';
import { EXIT } from '../../core/errors.ts';
import { withThousands } from '../../core/plain-words.ts';
import { REVENUE_BY } from '../../core/terms.ts';

const PAGE = /\.html?$/i;

export default class PeriodsStatement extends EitherCommand<typeof PeriodsStatement> {
  static override summary = 'Print a statement of any range, or of a closed accounting period.';
  static override ofService =
    'With --operator it is the signed statement of a closed period, from the database. A terminal shows it as tables; a pipe or a file gets the signed bytes, which are the same each time. Before they are printed, the signature is checked, the figures are computed from the entries again, and the checkpoint is compared with the log. The command ends with exit code 5 if anything does not match. A FILE that ends with .html is the same statement for people, made for print; the signed bytes are in --json and in a FILE of any other name.';
  static override description =
    'The statement of the range from --from to --to is a page made for print, read over the API with your key. It has the opening balance, the movements and the closing balance of the money that is held, revenue with totals, the result of the report, and the newest signed checkpoint. Before it is written, the command checks that the opening balance and the movements add up to the closing balance. For a PDF, print the page in a browser.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --out october.txt',
    '<%= config.bin %> <%= command.id %> --operator demo --period 3 --json',
    '<%= config.bin %> <%= command.id %> --operator demo --time-zone Europe/Zagreb --out october.html',
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --to 2026-12-01 --out november.html',
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --to 2026-12-01 --by market --time-zone Europe/Zagreb --out markets.html',
  ];
  static override flags = {
    operator: Flags.string({
      helpValue: 'SLUG',
      helpGroup: SERVICE_OPERATOR,
      exclusive: ['from', 'to', 'by'],
      summary: 'Slug or id of the operator whose closed period is printed.',
    }),
    period: Flags.integer({
      helpValue: 'N',
      helpGroup: SERVICE_OPERATOR,
      min: 1,
      dependsOn: ['operator'],
      summary: 'Number of the period; by default the last closed period.',
    }),
    ...windowFlags,
    by: Flags.option({
      options: REVENUE_BY,
      helpValue: 'SUBJECTS',
      summary: 'Grouping of revenue: day, customer, market, or two of them, for example market,day; by default day.',
    })(),
    out: Flags.string({
      helpValue: 'FILE',
      summary: 'File to write, such as statement.html. Without it, the statement of a closed period goes to stdout.',
    }),
    'time-zone': timeZoneFlag({
      default: 'UTC',
      summary: 'Time zone of the printed times, and in which a day begins, for example Europe/Zagreb.',
    }),
    letterhead: letterheadFlag(),
  };

  async run(): Promise<CheckedStatement | (PrintableStatement & { file: string })> {
    const { operator } = this.flags;
    return operator === undefined ? this.#ofRange() : this.#ofPeriod(operator);
  }

  async #ofRange(): Promise<PrintableStatement & { file: string }> {
    const { from, to, by = 'day', out, 'time-zone': timeZone } = this.flags;
    if (out === undefined || !PAGE.test(out)) {
      throw usage(
        'A statement of a range is an HTML page.',
        'Name its file, such as --out statement.html; a browser prints it, also to a PDF. For a closed period, add --operator.',
      );
    }
    const range = { by, from: startOf(from, timeZone), to: startOf(to, timeZone), timeZone };
    const statement = await this.read(() => fetchStatement(this.client, range, new AbortController().signal));
    await writeFile(out, statementPage(statement, this.flags.letterhead));
    for (const { side, opening, closing } of statement.sides) {
      this.say(`${SIDE_TITLES[side]}: opening ${withThousands(opening)}, closing ${withThousands(closing)}`);
    }
    this.say(`${out}: from ${statement.from ?? 'the beginning'} to ${statement.to}`);
    if (!statement.report.ok) {
      this.note(reportSentence(statement.report, timeZone));
    }
    return { ...statement, file: out };
  }

  async #ofPeriod(operator: string): Promise<CheckedStatement> {
    const { period, out, letterhead, 'time-zone': timeZone } = this.flags;
    const { readClosedPeriod } = await import('../../cli/statement/closed-period.ts');
    const { context } = await this.openDatabase();
    const { slug, number, checked, print } = await readClosedPeriod(context, operator, period);
    if (out !== undefined) {
      await writeFile(out, PAGE.test(out) ? statementPage(await print(timeZone), letterhead) : checked.note);
    } else if (!this.jsonEnabled()) {
      if (process.stdout.isTTY === true) {
        await this.#printTables(checked.statement);
      } else {
        process.stdout.write(checked.note);
      }
    }
    this.note(`Period ${number} of ${slug}${out === undefined ? '' : `, in ${out}`}`);
    this.note(`sha256 ${checked.sha256}`);
    if (checked.fault !== null) {
      this.note(`The statement does not match: ${checked.fault}.`);
      this.endWith(EXIT.expectationFailed);
    }
    return checked;
  }

  async #printTables({ period, from, to, entries, accounts, movements }: CheckedStatement['statement']): Promise<void> {
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
      (name): Column<(typeof accounts)[number]> => ({ name, align: 'right', value: (one) => one[name] }),
    );
    await this.printList(accounts, [
      { name: 'accountId', title: 'account', elastic: true, value: ({ accountId }) => accountTitle(accountId) },
      ...amounts,
    ]);
    this.note('A debit is positive. The signed bytes are printed off a terminal, and in the file of --out.');
  }
}
