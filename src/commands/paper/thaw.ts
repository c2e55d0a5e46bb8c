/** `paper thaw`: lets a frozen book of the paper venue move again. */
import { contractArgument } from '../../cli/flags.ts';
import { type PaperAnswer, PaperCommand, reachedBook, venueFlag } from '../../cli/paper-command.ts';

export default class PaperThaw extends PaperCommand<typeof PaperThaw> {
  static override hidden = true;
  static override summary = 'Let a frozen book of the paper venue move again.';
  static override examples = ['<%= config.bin %> <%= command.id %> ctr_…'];
  static override ids = { contract: 'contract' } as const;
  static override args = contractArgument;
  static override flags = { ...venueFlag };

  override async run(): Promise<PaperAnswer> {
    return this.change('thaw', {}, reachedBook);
  }
}
