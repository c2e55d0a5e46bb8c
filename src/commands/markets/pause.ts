/** Halt a contract: quotes and orders are refused until it is resumed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { statusText } from '../../cli/terminal/facts.ts';
import { type Decided, pauseMarket } from '../../markets/decisions.ts';

export default class MarketsPause extends OperatorCommand<typeof MarketsPause> {
  static override summary = 'Halt a contract: quotes and orders are refused until it is resumed.';
  static override examples = ['<%= config.bin %> markets pause ctr_…'];
  static override ids = { contract: 'contract' } as const;
  static override args = { contract: Args.string({ required: true, description: 'A contract id.' }) };
  static override flags = yesFlag;

  override async run(): Promise<Decided> {
    await this.confirmOnTerminal(`Pause ${this.args.contract}? It cannot be traded until it is resumed.`);
    const { sql } = await this.openContext();
    const decided = await pauseMarket(sql, this.args.contract);
    const { status, resolution, splitYes, changed } = decided;
    this.say(
      `${decided.contractId} ${changed ? 'is now' : 'was already'} ${statusText(status, resolution, splitYes)}.`,
    );
    return decided;
  }
}
