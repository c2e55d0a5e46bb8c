/** `operators show`: one tenant with all its settings. */
import { Args } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { operatorFacts } from '../../cli/print-operator.ts';
import { getOperator } from '../../operators/create-operator.ts';
import type { Operator } from '../../operators/operator.ts';

export default class Show extends OperatorCommand<typeof Show> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show an operator.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> lucky-casino',
    '<%= config.bin %> <%= command.id %> op_0197 --json',
  ];
  static override args = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };

  async run(): Promise<Operator> {
    const { sql } = await this.openContext();
    const operator = await getOperator(sql, this.args.slug);
    this.printFacts(operatorFacts(operator));
    return operator;
  }
}
