/** `paper reopen`: lets a paper venue withdraw a resolution; payments are not reversed. */
import { Args } from '@oclif/core';
import { type PaperAnswer, PaperCommand, reachedResolution, venueFlag } from '../../cli/paper-command.ts';

export default class PaperReopen extends PaperCommand<typeof PaperReopen> {
  static override summary = 'Let the paper venue withdraw a resolution; payments are not reversed.';
  static override examples = ['<%= config.bin %> paper reopen ctr_…'];
  static override args = { contract: Args.string({ required: true, description: 'A contract id.' }) };
  static override flags = { ...venueFlag };

  override async run(): Promise<PaperAnswer> {
    const answer = await this.tell(this.args.contract, this.flags.venue, 'reopen', {}, reachedResolution(null));
    this.sayStanding(answer);
    return answer;
  }
}
