/** `reconciliation month`: one folder with the files that are needed to close a month: exports, printed statement, report, checksums. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { type ExportResult, exportToFile } from '../../cli/export/run-export.ts';
import { usage } from '../../cli/failure.ts';
import { letterheadFlag } from '../../cli/flags.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { fetchStatement } from '../../cli/statement/fetch-statement.ts';
import { reportSentence } from '../../cli/statement/printable-statement.ts';
import { statementPage } from '../../cli/statement/statement-page.ts';
import { columnsOf, numeric } from '../../cli/terminal/table.ts';
import { startOfDay, timeZoneFlag } from '../../cli/times.ts';
import { EXIT } from '../../core/errors.ts';

const KINDS = ['ledger', 'orders', 'positions', 'settlements', 'fees', 'revenue', 'statement'] as const;
const SUMS = 'SHA256SUMS';

interface Month {
  readonly folder: string;
  readonly from: string;
  /** Exclusive; never later than the start of the command. */
  readonly to: string;
  /** Whether the report is ok. */
  readonly ok: boolean;
  readonly files: readonly { readonly file: string; readonly rows: number | null; readonly sha256: string }[];
}

export default class ReconciliationMonth extends PartnerCommand<typeof ReconciliationMonth> {
  static override summary = 'Write the exports, the statement and the report of a month into a folder.';
  static override description =
    `The folder has ${KINDS.join(', ')} as CSV, the statement as a page made for print, the report as JSON, and ${SUMS} with row counts and totals, which "sha256sum -c" reads. The folder appears when all files are complete. If the month has not ended, the files end at the current time. If the report is not ok, the folder is written too, and the command ends with exit 5.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> 2026-11',
    '<%= config.bin %> <%= command.id %> 2026-11 --time-zone Europe/Zagreb --letterhead logo.svg --out november',
  ];
  static override args = { month: Args.string({ required: true, description: 'Month, for example 2026-11.' }) };
  static override flags = {
    'time-zone': timeZoneFlag({
      default: 'UTC',
      summary: 'Time zone in which the month begins, and of the printed times, for example Europe/Zagreb.',
    }),
    letterhead: letterheadFlag(),
    out: Flags.string({ helpValue: 'FOLDER', summary: 'Folder to write; by default SLUG-MONTH.' }),
  };

  async run(): Promise<Month> {
    const timeZone = this.flags['time-zone'];
    const { from, to } = monthOf(this.args.month, timeZone);
    const { slug } = await this.client.get('/api/v1/whoami');
    const folder = this.flags.out ?? `${slug}-${this.args.month}`;
    if (existsSync(folder)) {
      throw usage(`${folder} exists already.`, 'Choose another one with --out, or remove it.');
    }
    const part = `${folder}.part`;
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true, mode: 0o700 });
    const { signal } = new AbortController();
    const exports: ExportResult[] = [];
    for (const kind of KINDS) {
      // if the month has not ended, all files end where the first export ended
      const until = exports[0]?.to ?? to;
      const order = { kind, format: 'csv', from, to: until, timeZone, bom: false, decimalComma: false } as const;
      const file = join(part, `${kind}.csv`);
      exports.push(await this.read(() => exportToFile(this.client, order, file, { resume: false, signal })));
    }
    const end = exports[0]?.to ?? to;
    const range = { by: 'day', from, to: end, timeZone } as const;
    const statement = await this.read(() => fetchStatement(this.client, range, signal));
    const pages = [
      await keep(part, 'statement.html', statementPage(statement, this.flags.letterhead)),
      await keep(part, 'report.json', `${JSON.stringify(statement.report, null, 2)}\n`),
    ];
    await writeSums(part, pages);
    await rename(part, folder);
    const files = [
      ...exports.map(({ kind, rows, sha256 }) => ({ file: `${kind}.csv`, rows, sha256 })),
      ...pages.map((page) => ({ ...page, rows: null })),
    ];
    const { ok } = statement.report;
    await this.printList(files, numeric(['rows'], columnsOf('file', 'rows', 'sha256')));
    this.note(`${folder}: from ${from} to ${end}. "cd ${folder} && sha256sum -c ${SUMS}" checks it.`);
    if (!ok) {
      this.note(reportSentence(statement.report, timeZone));
      this.endWith(EXIT.expectationFailed);
    }
    return { folder, from, to: end, ok, files };
  }
}

/** @throws usage, exit 2, if the text is not a month. */
function monthOf(text: string, timeZone: string): { from: string; to: string } {
  const [, year = '', month = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === '') {
    throw usage(`${text} is not a month.`, 'Write it as 2026-11.');
  }
  const next = new Date(Date.UTC(Number(year), Number(month), 1)).toISOString().slice(0, 10);
  return {
    from: startOfDay(`${text}-01`, timeZone).toISOString(),
    to: startOfDay(next, timeZone).toISOString(),
  };
}

async function keep(folder: string, file: string, text: string): Promise<{ file: string; sha256: string }> {
  await writeFile(join(folder, file), text, { mode: 0o600 });
  return { file, sha256: createHash('sha256').update(text).digest('hex') };
}

/** One file of checksums in place of one for each export. */
async function writeSums(folder: string, pages: readonly { file: string; sha256: string }[]): Promise<void> {
  const sums: string[] = [];
  for (const kind of KINDS) {
    const sum = join(folder, `${kind}.csv.sum`);
    sums.push(await readFile(sum, 'utf8'));
    await rm(sum);
  }
  await keep(folder, SUMS, sums.join('') + pages.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join(''));
}
