/** `paper book`: freezes a book of the paper venue exactly as given. */
import { Flags } from '@oclif/core';
import { contractArgument } from '../../cli/flags.ts';
import { type PaperAnswer, PaperCommand, parseLevels, reachedBook, venueFlag } from '../../cli/paper-command.ts';

export default class PaperBook extends PaperCommand<typeof PaperBook> {
  static override hidden = true;
  static override summary = 'Freeze a book of the paper venue exactly as given.';
  static override description =
    'Prices are of YES, from 0 to 1; sizes are contracts, by default 100000. A side that is not given is empty. Until the book is thawed, its prices count as fresh and fills do not use it up.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_… --bid 0.55:1000,0.54 --ask 0.57',
    "<%= config.bin %> <%= command.id %> ctr_… --bid '' --ask 0.01:50",
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = contractArgument;
  static override flags = {
    bid: Flags.string({ helpValue: 'P[:SIZE],...', summary: 'Bids for YES.' }),
    ask: Flags.string({ helpValue: 'P[:SIZE],...', summary: 'Asks for YES.' }),
    ...venueFlag,
  };

  override async run(): Promise<PaperAnswer> {
    const { bid, ask } = this.flags;
    return this.change('book', { bids: parseLevels('bid', bid), asks: parseLevels('ask', ask) }, reachedBook);
  }
}
