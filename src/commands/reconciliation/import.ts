/** `reconciliation import`: a statement of a bank or venue, matched with our books. Exit 5 if it opens a break. */
import { Args, Flags } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { readStatementFile } from '../../cli/outside/read-statement.ts';
import { BREAK_COLUMNS, renderBreak, type ShownBreak } from '../../cli/print/print-break.ts';
import { elastic, listFlags } from '../../cli/terminal/output.ts';
import { EXIT } from '../../core/errors.ts';
import { getOperator } from '../../operators/create-operator.ts';
import { importStatement, listBreaks } from '../../reconciliation/outside/outside-statements.ts';

interface Imported {
  kind: 'bank' | 'venue';
  account: string;
  fileSha256: string;
  rows: number;
  /** The file was imported before; nothing was changed. */
  repeated: boolean;
  /** Open breaks that this file showed. */
  breaks: ShownBreak[];
}

export default class ReconciliationImport extends OperatorCommand<typeof ReconciliationImport> {
  static override summary = 'Import a statement of a bank or venue, and list what does not match our books.';
  static override description = [
    'Rows are matched with the deposits and withdrawals of the operator (--kind bank), or with what was recorded by "venues transfer" (--kind venue), by reference, then amount, then date, which may differ by three days. The columns are reference, amount (dollars, above 0 was paid to us) and date (2026-11-03); --map names them.',
    'Bad rows are named with their lines, and nothing is imported. The same file again changes nothing. Exit 5 if a break is open.',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> november.csv --kind bank --operator lucky-live --map "Payment details=reference" --map Betrag=amount',
    '<%= config.bin %> <%= command.id %> funding.csv --kind venue --venue kalshi',
  ];
  static override args = { file: Args.string({ required: true, description: 'A CSV file with a header.' }) };
  static override flags = {
    ...listFlags,
    kind: Flags.option({ options: ['bank', 'venue'] as const, required: true, summary: 'Whose statement it is.' })(),
    operator: Flags.string({ summary: 'Slug or id of the operator; with --kind bank.' }),
    venue: Flags.string({ summary: 'Name of the venue; with --kind venue.' }),
    map: Flags.string({
      multiple: true,
      summary: 'YOURS=OURS: the name of a column in the file and here; repeatable.',
    }),
    delimiter: Flags.string({ summary: 'Delimiter of the file; by default detected from its header.' }),
  };

  async run(): Promise<Imported> {
    const { kind, operator, venue, map = [], delimiter } = this.flags;
    if ((kind === 'bank') !== (operator !== undefined) || (kind === 'venue') !== (venue !== undefined)) {
      throw usage('Give --operator with --kind bank, or --venue with --kind venue.');
    }
    const { fileSha256, rows } = await readStatementFile(this.args.file, map, delimiter);
    const { sql } = await this.openContext();
    const account = operator === undefined ? (venue ?? '') : (await getOperator(sql, operator)).operatorId;
    const imported = await importStatement(sql, { kind, account, fileSha256 }, rows, this.actor);
    const breaks = (await listBreaks(sql, { account, fileSha256 })).map(renderBreak);
    await this.printList(breaks, elastic(['reference'], BREAK_COLUMNS), 'Every row matches our books.');
    this.note(`${rows.length} rows ${imported ? 'imported' : 'were imported before'}, ${breaks.length} open breaks`);
    if (breaks.length > 0) {
      this.endWith(EXIT.expectationFailed);
    }
    return { kind, account: operator ?? account, fileSha256, rows: rows.length, repeated: !imported, breaks };
  }
}
