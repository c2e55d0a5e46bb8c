/** `operators suspend`: its keys are refused until it is resumed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { holdingsText, operatorText } from '../../cli/questions.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator, getOperator } from '../../operators/operators.ts';

export default class Suspend extends OperatorCommand<typeof Suspend> {
  static override summary = 'Suspend an operator.';
  static override description =
    'Its keys get 403 operator_suspended from the next request on; settlement, deliveries and open positions continue.';
  static override examples = ['<%= config.bin %> <%= command.id %> lucky-casino --yes'];
  static override args = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };
  static override flags = yesFlag;

  async run(): Promise<Operator> {
    const { sql } = await this.openContext();
    const { operatorId, ...named } = await getOperator(sql, this.args.slug);
    await this.confirm(
      async () =>
        `Suspend ${operatorText(named)}? Its keys are refused until it is resumed. ${await holdingsText(sql, operatorId, null)}`,
    );
    const operator = await changeOperator(sql, operatorId, { status: 'suspended' });
    this.say(`${operator.slug}: suspended`);
    return operator;
  }
}
