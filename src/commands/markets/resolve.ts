/** Records how a contract ended; a resolution by the service operator overrides that of the venue. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { contractArgument } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { readResolution } from '../../cli/operator-flags.ts';
import { payoutText, quotedMarket } from '../../cli/questions.ts';
import { type Decided, getResolutionVersion, resolveMarket } from '../../markets/decisions.ts';

export default class MarketsResolve extends OperatorCommand<typeof MarketsResolve> {
  static override withKey = 'sandbox resolve POSITION win';
  static override summary = 'Resolve a contract manually: yes, no, void or split:S (S is the value of YES).';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_… yes --yes',
    '<%= config.bin %> <%= command.id %> ctr_… split:0.4 --yes',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    resolution: Args.string({ required: true, description: 'Result: yes, no, void, or for example split:0.4.' }),
  };
  static override flags = { ...yesFlag };

  override async run(): Promise<Decided> {
    const asked = readResolution(this.args.resolution);
    const { contract: contractId } = this.args;
    const { sql } = await this.openContext();
    const market = await quotedMarket(sql, contractId);
    await this.confirm(
      async () => `Resolve ${market} as ${this.args.resolution}? ${await payoutText(sql, contractId, asked)}`,
    );
    const version = await getResolutionVersion(sql, contractId);
    const { resolution, splitYesMicros } = asked;
    await this.expectNoApproval(
      {
        kind: 'market_resolution',
        contractId,
        resolution,
        splitYesMicros: splitYesMicros?.toString() ?? null,
        version,
      },
      `resolve ${market} as ${this.args.resolution} (${contractId})`,
    );
    const decided = await resolveMarket(sql, contractId, asked);
    this.say(
      `${decided.contractId} ${decided.changed ? 'is resolved as' : 'was already resolved as'} ${decided.resolution}.`,
    );
    return decided;
  }
}
