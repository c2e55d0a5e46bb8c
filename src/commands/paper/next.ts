/** `paper next`: scripts the outcome of the next order at a contract of the paper venue. */
import { Args } from '@oclif/core';
import { contractArgument } from '../../cli/flags.ts';
import { type PaperAnswer, PaperCommand, venueFlag } from '../../cli/paper-command.ts';

export default class PaperNext extends PaperCommand<typeof PaperNext> {
  static override hidden = true;
  static override withKey = 'sandbox scenarios arm --fill-fraction F';
  static override summary = 'Script the outcome of the next order at a contract of the paper venue.';
  static override description = [
    'fill: filled completely. reject:REASON: refused. partial:F: that share is filled and the rest is closed.',
    'timeout: filled, but the answer is lost; a look-up finds it. silence: filled, but neither the order nor a look-up is answered.',
    'Several outcomes are used in order. For tests there are also twice, late:MS, working[:MS|:never], fill-after-cancel[:MS], forget, lost, reset, error and garbage.',
  ].join('\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_… timeout',
    '<%= config.bin %> <%= command.id %> ctr_… partial:0.4',
    '<%= config.bin %> <%= command.id %> ctr_… reject:insufficient_balance',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    outcome: Args.string({
      required: true,
      description: 'Outcome: fill, reject:REASON, timeout, partial:F or silence.',
    }),
  };
  static override flags = { ...venueFlag };

  override async run(): Promise<PaperAnswer> {
    const answer = await this.change('next', { script: this.args.outcome });
    this.note(
      'It applies to orders of live operators. Those of a sandbox never reach a venue: "inlay sandbox scenarios arm".',
    );
    return answer;
  }
}
