/** `operators resume-trading`: quotes and orders are accepted again. */
import { Args } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator } from '../../operators/operators.ts';

export default class ResumeTrading extends OperatorCommand<typeof ResumeTrading> {
  static override summary = 'Resume trading of an operator.';
  static override description = 'Quotes and orders are accepted from the next request on.';
  static override examples = ['<%= config.bin %> <%= command.id %> lucky-casino'];
  static override args = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };

  async run(): Promise<Operator> {
    const { sql } = await this.openContext();
    const operator = await changeOperator(sql, this.args.slug, { tradingPaused: false });
    this.say(`${operator.slug}: trading resumed`);
    return operator;
  }
}
