/** `ledger correct`: reverses an entry by a new one that names it. It changes the ledger alone, no order and no position. */
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { momentFlag } from '../../cli/times.ts';
import { readMomentParameter } from '../../core/moment.ts';
import { correctEntry } from '../../ledger/corrections.ts';
import { getOperator } from '../../operators/operators.ts';

interface Corrected {
  operatorId: string;
  /** The new entry. */
  entryId: string;
  correctsEntryId: string;
}

export default class LedgerCorrect extends OperatorCommand<typeof LedgerCorrect> {
  static override summary = 'Reverse a ledger entry by a new entry that names it.';
  static override description =
    'Entries never change. The order or position of the entry does not change either, so the report compares the ledger with the facts as before and lists the correction. A wrong correction is corrected by correcting it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ent_… --operator lucky-live --memo "entered twice, ticket 4711" --yes',
  ];
  static override ids = { entry: 'entry' } as const;
  static override args = { entry: Args.string({ required: true, description: 'Id of the entry.' }) };
  static override flags = {
    operator: Flags.string({ helpValue: 'SLUG', required: true, summary: 'Slug or id of the operator.' }),
    memo: Flags.string({ helpValue: 'TEXT', required: true, summary: 'The reason; it is stored with the entry.' }),
    effective: momentFlag({ summary: 'Effective date of the correction if it is before now; not in a closed period.' }),
    ...yesFlag,
  };

  async run(): Promise<Corrected> {
    const memo = this.flags.memo.trim();
    if (memo === '') {
      throw usage('--memo must say why; it is in the ledger.');
    }
    const effectiveAt = readMomentParameter('effective', this.flags.effective);
    const { entry: entryId } = this.args;
    await this.confirm(`Reverse ${entryId} of ${this.flags.operator}? Its order and position do not change.`);
    const { sql } = await this.openContext();
    const { operatorId, slug } = await getOperator(sql, this.flags.operator);
    await this.expectNoApproval(
      { kind: 'correction', operatorId, entryId, memo, effectiveAt: effectiveAt?.toISOString() ?? null },
      `reverse ${entryId} of ${slug}: ${memo}`,
    );
    const correction = { entryId, memo, ...(effectiveAt === undefined ? {} : { effectiveAt }) };
    const corrected = {
      operatorId,
      entryId: await correctEntry(sql, operatorId, correction),
      correctsEntryId: entryId,
    };
    this.printFacts(corrected);
    return corrected;
  }
}
