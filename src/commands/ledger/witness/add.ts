/** `ledger witness add`: binds a witness and its key to an operator's log. Only bound witnesses hand in cosignatures. */
import { Args, Flags } from '@oclif/core';
import { OperatorCommand } from '../../../cli/operator-command.ts';
import { addWitness } from '../../../ledger/log/witnesses.ts';
import { getOperator } from '../../../operators/operators.ts';

export default class WitnessAdd extends OperatorCommand<typeof WitnessAdd> {
  static override summary = "Bind a witness and its key to an operator's log.";
  static override description =
    'A log has at most 16 witnesses. The key is the verifier key that "feed witness" names on the machine of the witness. From then on a key with ledger:read hands in the cosignatures of this witness.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> witness.example witness.example+3f6a…+BE… --operator demo',
  ];
  static override args = {
    name: Args.string({ required: true, description: 'Name of the witness, such as a host name.' }),
    key: Args.string({
      required: true,
      description: 'Its verifier key (C2SP signed-note, type 4), which has that name.',
    }),
  };
  static override flags = {
    operator: Flags.string({ helpValue: 'SLUG', required: true, summary: 'Slug or id of the operator.' }),
  };

  async run(): Promise<{ operatorId: string; witness: string; verifierKey: string }> {
    const { sql } = await this.openContext();
    const { operatorId, slug } = await getOperator(sql, this.flags.operator);
    const { name: witness, key: verifierKey } = this.args;
    await addWitness(sql, operatorId, witness, verifierKey);
    this.say(`${witness} may cosign the log of ${slug}.`);
    return { operatorId, witness, verifierKey };
  }
}
