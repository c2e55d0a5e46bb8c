/** `reconciliation show`: the partner's own report, over the API. Exit 5 if it is not ok. */

import { PartnerCommand } from '../../cli/partner-command.ts';
import { findingColumns, reportFacts } from '../../cli/print/print-books.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { momentFlag } from '../../cli/times.ts';
import type { Report } from '../../client/shapes.ts';
import { EXIT } from '../../core/errors.ts';

export default class Show extends PartnerCommand<typeof Show> {
  static override hiddenAliases = ['reconciliation:report'];
  static override summary = 'Show the reconciliation report.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --from 2026-11-01 --json',
  ];
  static override flags = {
    ...listFlags,
    from: momentFlag({ summary: 'Start of the window, ISO-8601; by default the accounting epoch.' }),
  };

  async run(): Promise<Report> {
    const report = await this.client.get('/api/v1/reconciliation', { query: { from: this.flags.from } });
    if (this.flags.output !== 'csv') {
      this.printFacts(reportFacts(report));
    }
    if (report.findings.length > 0 || this.flags.output === 'csv') {
      await this.printList(report.findings, findingColumns);
    }
    if (!report.ok) {
      this.endWith(EXIT.expectationFailed);
    }
    return report;
  }
}
