/** Hold a book of the paper venue exactly as given. */
import { Args, Flags } from '@oclif/core';
import { type PaperAnswer, PaperCommand, parseLevels, reachedBook, venueFlag } from '../../cli/paper-command.ts';

export default class PaperBook extends PaperCommand<typeof PaperBook> {
  static override summary = 'Hold a book of the paper venue exactly as given.';
  static override description =
    'Prices are of YES, 0 to 1; sizes are contracts, 100000 where left out. A side left out is empty. The book stays fresh and is not used up by fills, until it is thawed.';
  static override examples = [
    '<%= config.bin %> paper book ctr_… --bid 0.55:1000,0.54 --ask 0.57',
    "<%= config.bin %> paper book ctr_… --bid '' --ask 0.01:50",
  ];
  static override args = { contract: Args.string({ required: true, description: 'A contract id.' }) };
  static override flags = {
    bid: Flags.string({ helpValue: 'P[:SIZE],...', summary: 'What is bid for YES.' }),
    ask: Flags.string({ helpValue: 'P[:SIZE],...', summary: 'What is asked for YES.' }),
    ...venueFlag,
  };

  override async run(): Promise<PaperAnswer> {
    const { bid, ask, venue } = this.flags;
    const book = { bids: parseLevels('bid', bid), asks: parseLevels('ask', ask) };
    const answer = await this.tell(this.args.contract, venue, 'book', book, reachedBook);
    this.sayStanding(answer);
    return answer;
  }
}
