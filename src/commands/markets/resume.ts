/** End the pause of a contract. */
import { Args } from '@oclif/core';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { statusText } from '../../cli/terminal/facts.ts';
import { type Decided, resumeMarket } from '../../markets/decisions.ts';

export default class MarketsResume extends OperatorCommand<typeof MarketsResume> {
  static override summary = 'End the pause of a contract.';
  static override examples = ['<%= config.bin %> <%= command.id %> ctr_…'];
  static override ids = { contract: 'contract' } as const;
  static override args = { contract: Args.string({ required: true, description: 'A contract id.' }) };

  override async run(): Promise<Decided> {
    const { sql } = await this.openContext();
    const decided = await resumeMarket(sql, this.args.contract);
    const { status, resolution, splitYes, changed } = decided;
    this.say(
      `${decided.contractId} ${changed ? 'is now' : 'was already'} ${statusText(status, resolution, splitYes)}.`,
    );
    return decided;
  }
}
