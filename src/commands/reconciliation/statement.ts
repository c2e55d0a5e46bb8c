/** `reconciliation statement`: a statement of any range, as a page made for print. */
import { writeFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { letterheadFlag } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { fetchStatement } from '../../cli/statement/fetch-statement.ts';
import { type PrintableStatement, reportSentence, SIDE_TITLES } from '../../cli/statement/printable-statement.ts';
import { statementPage } from '../../cli/statement/statement-page.ts';
import { withThousands } from '../../cli/terminal/facts.ts';
import { startOf, timeZoneFlag, windowFlags } from '../../cli/times.ts';
import { REVENUE_BY } from '../../core/terms.ts';

export default class Statement extends PartnerCommand<typeof Statement> {
  static override summary = 'Write a statement for a period, as a page made for print.';
  static override description =
    'It has the opening balance, the movements and the closing balance of the money that is held, revenue with totals, the state of the books, and the newest signed checkpoint. Before it is written, opening balance and movements are added up to the closing balance. For a PDF, print the page in a browser. For a closed accounting period, "periods statement" writes the signed one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --to 2026-12-01 --out november.html',
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --to 2026-12-01 --by market --time-zone Europe/Zagreb --out markets.html',
  ];
  static override flags = {
    ...windowFlags,
    by: Flags.option({
      options: REVENUE_BY,
      default: 'day' as const,
      helpValue: 'SUBJECTS',
      summary: 'What the rows of revenue are: day, customer, market, or two of them such as market,day.',
    })(),
    'time-zone': timeZoneFlag({ default: 'UTC', summary: 'Whose clock it is printed on, such as Europe/Zagreb.' }),
    letterhead: letterheadFlag(),
    out: Flags.string({
      helpValue: 'FILE',
      required: true,
      summary: 'File to write; its name ends with .html.',
    }),
  };

  async run(): Promise<PrintableStatement & { file: string }> {
    const { from, to, by, out } = this.flags;
    if (!/\.html?$/i.test(out)) {
      throw usage('A statement is an HTML page.', 'Name the file statement.html; a browser prints it, also to a PDF.');
    }
    const timeZone = this.flags['time-zone'];
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
}
