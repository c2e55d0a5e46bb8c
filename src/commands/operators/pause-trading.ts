/** `operators pause-trading`: no quote and no order until trading is resumed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { operatorText, unsentText } from '../../cli/questions.ts';
import type { Operator } from '../../operators/operator.ts';
import { changeOperator, getOperator } from '../../operators/operators.ts';

export default class PauseTrading extends OperatorCommand<typeof PauseTrading> {
  static override summary = 'Pause trading of an operator.';
  static override description =
    'Quotes and orders, including exits, get 409 trading_paused; live orders that wait to be sent are withdrawn. Reads and settlement continue.';
  static override examples = ['<%= config.bin %> <%= command.id %> lucky-casino --yes'];
  static override args = { slug: Args.string({ required: true, description: 'Slug or id of the operator.' }) };
  static override flags = yesFlag;

  async run(): Promise<Operator> {
    const { sql } = await this.openContext();
    const { operatorId, ...named } = await getOperator(sql, this.args.slug);
    await this.confirm(async () => `Pause trading of ${operatorText(named)}? ${await unsentText(sql, { operatorId })}`);
    const operator = await changeOperator(sql, operatorId, { tradingPaused: true });
    this.say(`${operator.slug}: trading paused`);
    return operator;
  }
}
