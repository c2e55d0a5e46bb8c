/** `reconciliation run`: the current report of one operator or of all. Exit 5 if one is not ok. */

import { Flags } from '@oclif/core';
import { oneOperatorFlag } from '../../cli/flags.ts';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { findingColumns, reportFacts } from '../../cli/print/print-books.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { EXIT } from '../../core/errors.ts';
import { loadSecrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import { currentLogKey, loadLogSigner } from '../../ledger/log/sign-log.ts';
import { keepReport, readFrom, runReport, runVerifiedReport } from '../../reconciliation/report.ts';
import type { Report } from '../../wire/reconciliation.ts';

type OperatorReport = Report & { operatorId: string; slug: string };

export default class Run extends OperatorCommand<typeof Run> {
  static override hiddenAliases = ['reconcile:run'];
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Run the reconciliation report over everything.';
  static override description =
    'Without --from the report also compares every item of the feed with its signed log. With --anew the auditor first reads the whole journal again into new tables, which replace the old ones. A finding that it does not make again is closed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --operator demo --from 2026-11-01T00:00:00Z --json',
    '<%= config.bin %> <%= command.id %> --operator demo --anew',
  ];
  static override flags = {
    ...listFlags,
    ...oneOperatorFlag,
    from: Flags.string({
      helpValue: 'TIME',
      summary: 'Start of the window, ISO-8601; by default the accounting epoch.',
    }),
    anew: Flags.boolean({
      exclusive: ['from'],
      summary: "Build the auditor's tables again from the whole journal.",
    }),
  };

  /** The report of the given operator; otherwise all of them under `reports`. */
  async run(): Promise<OperatorReport | { ok: boolean; reports: OperatorReport[] }> {
    const { sql, audit } = await this.openContext();
    const { operator } = this.flags;
    const reports = await this.#reportsOf(sql, audit);
    for (const [place, { slug, ...report }] of reports.entries()) {
      if (this.flags.output !== 'csv') {
        if (place > 0) {
          this.say();
        }
        this.printFacts({ operator: slug, ...reportFacts(report) });
      }
      if (report.findings.length > 0) {
        await this.printList(report.findings, findingColumns);
      }
    }
    const ok = reports.every((report) => report.ok);
    if (!ok) {
      this.endWith(EXIT.expectationFailed);
    }
    const [only] = reports;
    if (operator !== undefined && only !== undefined) {
      return only;
    }
    return { ok, reports };
  }

  async #reportsOf(sql: Sql, audit: Sql): Promise<OperatorReport[]> {
    const signer = loadLogSigner(this.environment, loadSecrets(this.environment));
    const { from, anew } = this.flags;
    const window = readFrom(from);
    const reports: OperatorReport[] = [];
    for (const { operatorId, slug } of await this.chosenOperators()) {
      const report =
        from === undefined
          ? await verifyAndKeep(sql, audit, operatorId, await currentLogKey(sql, operatorId, signer), anew)
          : await runReport(sql, operatorId, window, audit);
      reports.push({ operatorId, slug, ...report });
    }
    return reports;
  }
}

async function verifyAndKeep(sql: Sql, audit: Sql, operatorId: string, key: string, anew: boolean): Promise<Report> {
  const report = await runVerifiedReport(sql, operatorId, key, audit, anew);
  await keepReport(sql, operatorId, report);
  return report;
}
