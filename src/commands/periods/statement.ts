/** `periods statement`: the signed statement of a closed period, after it was checked against the books. Exit 5 if it does not fit. */
import { writeFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { EXIT } from '../../core/errors.ts';
import { noteHash, type PeriodStatement } from '../../ledger/periods/compose-statement.ts';
import { keepStatement, verifyStatement } from '../../ledger/periods/period-statements.ts';
import { getPeriod } from '../../ledger/periods/periods.ts';
import { currentLogKey, loadLogSigner, logKeyAt } from '../../ledger/transparency-log/log-signer.ts';
import { getOperator } from '../../operators/create-operator.ts';

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
    'The bytes are the same each time. Before they are printed, the signature is checked, the figures are computed from the entries again, and the checkpoint is compared with the log; exit 5 if anything does not match.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --operator demo --out october.txt',
    '<%= config.bin %> <%= command.id %> --operator demo --period 3 --json',
  ];
  static override flags = {
    operator: Flags.string({ required: true, summary: 'Slug or id of the operator.' }),
    period: Flags.integer({ min: 1, summary: 'Number of the period; by default the last closed one.' }),
    out: Flags.string({ helpValue: 'FILE', summary: 'File to write; by default stdout.' }),
  };

  async run(): Promise<CheckedStatement> {
    const { out } = this.flags;
    const { sql, environment, secrets } = await this.openContext();
    const { operatorId } = await getOperator(sql, this.flags.operator);
    const period = await getPeriod(sql, operatorId, this.flags.period);
    const signer = loadLogSigner(environment, secrets);
    const kept = await keepStatement(sql, signer, period);
    const current = await currentLogKey(sql, operatorId, signer);
    const { fault } = await verifyStatement(sql, signer, current, period, kept);
    const verifierKey = await logKeyAt(sql, operatorId, current, period.throughSequence);
    if (out !== undefined) {
      await writeFile(out, kept.note);
    } else if (!this.jsonEnabled()) {
      process.stdout.write(kept.note);
    }
    const sha256 = noteHash(kept.note);
    this.note(`Period ${period.number} of ${period.slug}, sha256 ${sha256}${out === undefined ? '' : `  ${out}`}`);
    if (fault !== null) {
      this.note(`The statement does not match: ${fault}.`);
      this.endWith(EXIT.expectationFailed);
    }
    return { ok: fault === null, fault, sha256, verifierKey, statement: kept.statement, note: kept.note };
  }
}
