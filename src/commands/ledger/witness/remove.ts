/** `ledger witness remove`: a witness may not cosign any more; what it cosigned is no longer shown. */
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../../cli/base-command.ts';
import { notFound } from '../../../cli/failure.ts';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { removeWitness } from '../../../ledger/log/witnesses.ts';
import { getOperator } from '../../../operators/operators.ts';

export default class WitnessRemove extends OperatorCommand<typeof WitnessRemove> {
  static override summary = "Remove a witness of an operator's log, for example to bind another key.";
  static override description = 'Its last cosignature is no longer shown; copies of it stay valid.';
  static override examples = ['<%= config.bin %> <%= command.id %> witness.example --operator demo --yes'];
  static override args = { name: Args.string({ required: true, description: 'Name of the witness.' }) };
  static override flags = {
    operator: Flags.string({ helpValue: 'SLUG', required: true, summary: 'Slug or id of the operator.' }),
    ...yesFlag,
  };

  async run(): Promise<{ operatorId: string; witness: string }> {
    const { sql } = await this.openContext();
    const { operatorId, slug } = await getOperator(sql, this.flags.operator);
    const { name: witness } = this.args;
    await this.confirmOnTerminal(`Remove ${witness} from the witnesses of ${slug}?`);
    if (!(await removeWitness(sql, operatorId, witness))) {
      throw notFound(`${slug} has no witness ${witness}.`);
    }
    this.say(`${witness} may not cosign the log of ${slug} any more.`);
    return { operatorId, witness };
  }
}
