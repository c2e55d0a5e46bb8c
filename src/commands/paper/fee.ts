/** `paper fee`: sets the taker fee of a contract at the paper venue, or makes it unknown. */
import { Args } from '@oclif/core';
import { usage } from '../../cli/failure.ts';
import { contractArgument } from '../../cli/flags.ts';
import { type PaperAnswer, PaperCommand, venueFlag } from '../../cli/paper-command.ts';

const HIGHEST_BPS = 10_000;

export default class PaperFee extends PaperCommand<typeof PaperFee> {
  static override hidden = true;
  static override summary = 'Set the taker fee of a contract at the paper venue, or make it unknown.';
  static override description =
    'The fee is a share of the cost. While it is unknown, the fee of a fill is not known either; a number that is set later applies to these fills too.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_… 25',
    '<%= config.bin %> <%= command.id %> ctr_… unknown',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    bps: Args.string({ required: true, description: 'Basis points of the cost, or unknown.' }),
  };
  static override flags = { ...venueFlag };

  override async run(): Promise<PaperAnswer> {
    const { bps } = this.args;
    if (bps !== 'unknown' && !(/^[0-9]{1,5}$/.test(bps) && Number(bps) <= HIGHEST_BPS)) {
      throw usage('The fee must be a whole number of basis points from 0 to 10000, or unknown.');
    }
    return this.change('fee', { bps: bps === 'unknown' ? null : Number(bps) });
  }
}
