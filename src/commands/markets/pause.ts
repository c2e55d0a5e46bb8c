/** Halt a contract: quotes and orders are refused until it is resumed. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { quotedMarket, unsentText } from '../../cli/questions.ts';
import { statusText } from '../../cli/terminal/facts.ts';
import { type Decided, pauseMarket } from '../../markets/decisions.ts';

export default class MarketsPause extends OperatorCommand<typeof MarketsPause> {
  static override summary = 'Halt a contract: quotes and orders are refused until it is resumed.';
  static override examples = ['<%= config.bin %> <%= command.id %> ctr_… --yes'];
  static override ids = { contract: 'contract' } as const;
  static override args = { contract: Args.string({ required: true, description: 'A contract id.' }) };
  static override flags = yesFlag;

  override async run(): Promise<Decided> {
    const { contract: contractId } = this.args;
    const { sql } = await this.openContext();
    await this.confirm(
      async () =>
        `Pause ${await quotedMarket(sql, contractId)}? It cannot be traded until it is resumed. ${await unsentText(sql, { contractId })}`,
    );
    const decided = await pauseMarket(sql, contractId);
    const { status, resolution, splitYes, changed } = decided;
    this.say(
      `${decided.contractId} ${changed ? 'is now' : 'was already'} ${statusText(status, resolution, splitYes)}.`,
    );
    return decided;
  }
}
