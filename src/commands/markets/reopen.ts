/** Withdraws the resolution of a contract; payments are not reversed. */
import { yesFlag } from '../../cli/base-command.ts';
import { contractArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { paidText, quotedMarket } from '../../cli/questions.ts';
import { type Decided, getResolutionVersion, reopenMarket } from '../../markets/decisions.ts';

export default class MarketsReopen extends OperatorCommand<typeof MarketsReopen> {
  static override hidden = true;
  static override summary = 'Withdraw the resolution of a contract; payments are not reversed.';
  static override examples = ['<%= config.bin %> <%= command.id %> ctr_… --yes'];
  static override ids = { contract: 'contract' } as const;
  static override args = contractArgument;
  static override flags = { ...yesFlag };

  override async run(): Promise<Decided> {
    const { contract: contractId } = this.args;
    const { sql } = await this.openContext();
    const market = await quotedMarket(sql, contractId);
    await this.confirm(async () => `Withdraw the resolution of ${market}? ${await paidText(sql, contractId)}`);
    const version = await getResolutionVersion(sql, contractId);
    await this.expectNoApproval(
      { kind: 'market_reopening', contractId, version },
      `withdraw the resolution of ${market} (${contractId})`,
    );
    const decided = await reopenMarket(sql, contractId);
    this.say(`${decided.contractId} ${decided.changed ? 'is now' : 'was already'} ${decided.status}.`);
    return decided;
  }
}
