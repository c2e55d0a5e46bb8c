/** `reconciliation export`: a whole register to a file or a pipe, over the API. */
import { Flags } from '@oclif/core';
import type { ExportOrder } from '../../cli/export/ask-export.ts';
import { CONVERTED } from '../../cli/export/converted.ts';
import { type ExportResult, exportToFile, exportToStdout } from '../../cli/export/run-export.ts';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { momentFlag, startOf, timeZoneFlag } from '../../cli/times.ts';
import { EXIT } from '../../core/errors.ts';
import { onInterrupt } from '../../core/processes.ts';
import { REVENUE_BY } from '../../core/terms.ts';

const KINDS = ['feed', 'orders', 'settlements', 'positions', 'ledger', 'fees', 'revenue', 'statement'] as const;
const FORMATS = ['csv', 'jsonl', 'json', ...CONVERTED] as const;

export default class Export extends PartnerCommand<typeof Export> {
  static override summary = 'Export a register; the file is written completely or not at all.';
  static override description =
    'The range includes --from and excludes --to, by the time recorded. It ends no later than the start of the export. The number of rows, the totals and the SHA-256 go to stderr and to FILE.sum, which "sha256sum -c" reads.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --kind ledger --from 2026-11-01 --to 2026-12-01 --out november.csv',
    '<%= config.bin %> <%= command.id %> --kind ledger --out all.csv --resume',
    '<%= config.bin %> <%= command.id %> --kind revenue --by market --from 2026-11-01 --to 2026-12-01 --format xlsx --out revenue.xlsx',
    '<%= config.bin %> <%= command.id %> --kind settlements --format jsonl | jq .operatorMoney',
    '<%= config.bin %> <%= command.id %> --kind ledger --format hledger | hledger -f - balance',
  ];
  static override flags = {
    kind: Flags.option({ options: KINDS, helpValue: 'KIND', required: true, summary: 'Register to export.' })(),
    by: Flags.option({
      options: REVENUE_BY,
      helpValue: 'SUBJECTS',
      summary:
        'Subject of the rows of --kind revenue: day, customer, market, or two of them, for example market,day; by default day.',
    })(),
    format: Flags.option({
      options: FORMATS,
      helpValue: 'FORMAT',
      default: 'csv' as const,
      summary: 'Format of the file. hledger is for --kind ledger; xlsx is for small exports.',
    })(),
    from: momentFlag({ summary: 'Start of the range, inclusive; ISO-8601. A date begins in --time-zone.' }),
    to: momentFlag({ summary: 'End of the range, exclusive; ISO-8601; by default now.' }),
    out: Flags.string({ helpValue: 'FILE', summary: 'File to write; by default stdout.' }),
    resume: Flags.boolean({ default: false, summary: 'Continue an interrupted export (append-only kinds).' }),
    delimiter: Flags.string({ helpValue: 'CHARACTER', summary: 'Separator of the CSV cells; by default a comma.' }),
    bom: Flags.boolean({ default: false, summary: 'Start the CSV with a byte order mark.' }),
    'time-zone': timeZoneFlag({
      summary:
        'Time zone of the times in CSV and XLSX, and of the days of revenue, for example Europe/Zagreb; by default UTC.',
    }),
    'decimal-comma': Flags.boolean({ default: false, summary: 'Write CSV decimals with a comma.' }),
  };
  protected override readonly handlesSignals = true;

  async run(): Promise<ExportResult> {
    const { kind, by, format, from, to, out, resume, delimiter, bom } = this.flags;
    if (by !== undefined && kind !== 'revenue') {
      throw usage('Only revenue can be grouped by day, customer or market.', 'Omit --by, or use --kind revenue.');
    }
    const order: ExportOrder = {
      kind,
      by,
      format: out === undefined && this.jsonEnabled() ? 'jsonl' : format,
      from: startOf(from, this.flags['time-zone'] ?? 'UTC'),
      to: startOf(to, this.flags['time-zone'] ?? 'UTC'),
      delimiter,
      bom,
      decimalComma: this.flags['decimal-comma'],
      timeZone: this.flags['time-zone'],
    };
    const timeZone = this.flags['time-zone'];
    if (timeZone !== undefined && kind !== 'revenue' && format !== 'csv' && format !== 'xlsx') {
      throw usage('--time-zone is for --format csv and xlsx and for --kind revenue; JSON keeps times in UTC.');
    }
    if (format === 'hledger' && kind !== 'ledger') {
      throw usage('Only the ledger can be a journal of hledger.', 'Use --kind ledger, or another --format.');
    }
    if (out === undefined && (resume || format === 'xlsx')) {
      throw usage('--resume and --format xlsx need a file.', 'Add --out FILE.');
    }
    const stop = new AbortController();
    onInterrupt((again) => {
      if (again) {
        process.exit(EXIT.interrupted);
      }
      stop.abort();
    });
    const { signal } = stop;
    // a rate limit refuses before anything is written
    const result = await this.read(
      () =>
        out === undefined
          ? exportToStdout(this.client, order, signal)
          : exportToFile(this.client, order, out, { resume, signal }),
      signal,
    );
    this.#trailer(result);
    return result;
  }

  /** Without a file `--json` prints a stream of rows, one JSON document per line, and nothing after them. */
  override logJson(json: unknown): void {
    if (this.flags?.out !== undefined || !isResult(json)) {
      super.logJson(json);
    }
  }

  #trailer({ file, rows, bytes, totals, sha256, from, to }: ExportResult): void {
    const sums = Object.entries(totals).map(([name, amount]) => `${name} ${amount}`);
    this.note(
      `${rows} ${rows === 1 ? 'row' : 'rows'}, ${bytes} bytes${sums.length === 0 ? '' : `; ${sums.join(', ')}`}`,
    );
    this.note(`from ${from ?? 'the beginning'} to ${to}`);
    this.note(`sha256 ${sha256}`);
    if (file !== null) {
      this.note(`sha256sum -c ${file}.sum`);
    }
  }
}

function isResult(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'sha256' in json;
}
