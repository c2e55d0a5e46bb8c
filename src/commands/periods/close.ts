/** `periods close`: closes the accounting period that ends at a moment, and signs its statement. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { Failure } from '../../cli/failure.ts';
import { operatorFlag } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { fromText, renderPeriod, type ShownPeriod } from '../../cli/print/print-books.ts';
import { operatorText } from '../../cli/questions.ts';
import { momentFlag } from '../../cli/times.ts';
import { EXIT } from '../../core/errors.ts';
import { readMomentParameter } from '../../core/moment.ts';
import type { Sql } from '../../db/client.ts';
import { loadLogSigner } from '../../ledger/log/sign-log.ts';
import { closePeriod, keepStatement, listPeriods, noteHash } from '../../ledger/periods.ts';
import type { Operator } from '../../operators/operator.ts';
import { getOperator } from '../../operators/operators.ts';
import { runReport } from '../../reconciliation/report.ts';

export default class PeriodsClose extends OperatorCommand<typeof PeriodsClose> {
  static override summary = 'Close an accounting period: no entry can be dated in it from then on.';
  static override description =
    'The period begins where the last closed one ended and excludes --until. It cannot be opened again. Running the command again prints the period as it was closed.';
  static override examples = ['<%= config.bin %> <%= command.id %> --operator demo --until 2026-11-01 --yes'];
  static override flags = {
    ...operatorFlag,
    until: momentFlag({ required: true, summary: 'End of the period, exclusive; not in the future.' }),
    'despite-findings': Flags.string({
      helpValue: 'REASON',
      summary: 'Reason to close although the report is not ok; the audit log keeps it.',
    }),
    ...yesFlag,
  };

  async run(): Promise<ShownPeriod & { statementSha256: string; closing: { accountId: string; balance: string }[] }> {
    const { operator: slug } = this.flags;
    const until = readMomentParameter('until', this.flags.until) as Date;
    const { sql, audit, environment, secrets } = await this.openContext();
    const operator = await getOperator(sql, slug);
    const last = (await listPeriods(sql, operator.operatorId)).at(-1);
    await this.confirm(
      `Close the books of ${operatorText(operator)} from ${last?.endsAt.toISOString() ?? 'the beginning'} until ${until.toISOString()}? No entry can be dated in that time any more, and it cannot be opened again.`,
    );
    await this.#expectReconciled(sql, audit, operator);
    const signer = loadLogSigner(environment, secrets);
    const period = await closePeriod(sql, signer, operator.operatorId, until);
    const { note, statement } = await keepStatement(sql, signer, period);
    const shown = { ...renderPeriod(period), statementSha256: noteHash(note) };
    this.printFacts({ ...shown, from: fromText(shown.from) });
    this.note(
      `${period.repeated ? 'It was closed before. ' : ''}"inlay periods statement" prints the signed statement.`,
    );
    return {
      ...shown,
      closing: statement.accounts.map(({ accountId, closing }) => ({ accountId, balance: closing })),
    };
  }

  /** A closed period cannot be opened again, so its books are checked before. */
  async #expectReconciled(sql: Sql, audit: Sql, { operatorId, slug }: Operator): Promise<void> {
    const { ok, findings } = await runReport(sql, operatorId, undefined, audit);
    if (ok) {
      return;
    }
    const critical = findings.filter(({ severity }) => severity === 'critical');
    const counted = `The report of ${slug} is not ok: ${critical.length} critical ${critical.length === 1 ? 'finding' : 'findings'}`;
    if (this.flags['despite-findings'] === undefined) {
      throw new Failure('not_reconciled', `${counted}. Nothing was closed.`, {
        exitCode: EXIT.expectationFailed,
        next: `"inlay reconciliation run --operator ${slug}" shows them. To close all the same: --despite-findings REASON.`,
      });
    }
    this.note(`${counted}. The period is closed with the reason: ${this.flags['despite-findings']}`);
  }
}
