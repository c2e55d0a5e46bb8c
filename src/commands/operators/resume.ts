/** `operators resume`: its keys are accepted again. */
import { Args } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator } from '../../operators/operators.ts';

export default class Resume extends OperatorCommand<typeof Resume> {
  static override summary = 'Resume a suspended operator.';
  static override description = 'Its keys are accepted from the next request on.';
  static override examples = ['<%= config.bin %> <%= command.id %> lucky-casino'];
  static override args = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };

  async run(): Promise<Operator> {
    const { sql } = await this.openContext();
    const operator = await changeOperator(sql, this.args.slug, { status: 'active' });
    this.say(`${operator.slug}: active`);
    return operator;
  }
}
