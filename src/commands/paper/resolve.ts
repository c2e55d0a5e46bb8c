/** `paper resolve`: lets a paper venue resolve a contract; the resolution arrives over its feed, as from a real venue. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { contractArgument } from '../../cli/flags.ts';
import { readResolution } from '../../cli/operator-flags.ts';
import { type PaperAnswer, PaperCommand, reachedResolution, venueFlag } from '../../cli/paper-command.ts';
import { payoutText, quotedMarket } from '../../cli/questions.ts';

const PLACES = 6;

export default class PaperResolve extends PaperCommand<typeof PaperResolve> {
  static override hidden = true;
  static override withKey = 'sandbox resolve POSITION win';
  static override summary = 'Let the paper venue resolve a contract: yes, no, void or split:S.';
  static override description =
    'S is the value of a YES contract, from 0 to 1. The service receives the result over the feed and settles, as with a real venue. A second, different resolution is a changed resolution. A resolution by the service operator ("markets resolve") overrides it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_… yes --yes',
    '<%= config.bin %> <%= command.id %> ctr_… split:0.4 --yes',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    resolution: Args.string({ required: true, description: 'Result: yes, no, void, or for example split:0.4.' }),
  };
  static override flags = { ...venueFlag, ...yesFlag };

  override async run(): Promise<PaperAnswer> {
    const { contract } = this.args;
    const { resolution, splitYesMicros } = readResolution(this.args.resolution);
    const { sql } = await this.openContext();
    await this.confirm(
      async () =>
        `Let the venue resolve ${await quotedMarket(sql, contract)} as ${this.args.resolution}? ${await payoutText(sql, contract, { resolution, splitYesMicros })}`,
    );
    const yesWorth = splitYesMicros === null ? null : `0.${String(splitYesMicros).padStart(PLACES, '0')}`;
    return this.change('resolve', { outcome: resolution, yesWorth }, reachedResolution(resolution));
  }
}
