/** `quote`: a price that is reserved for a customer, to buy for a stake or to sell contracts. */
import { Args, Flags } from '@oclif/core';
import { contractArgument, readSide, userFlag } from '../cli/flags.ts';
import { PartnerCommand } from '../cli/partner-command.ts';
import { quoteFacts } from '../cli/print/print-trading.ts';
import { quoteBody } from '../cli/trade.ts';
import type { Quote } from '../client/shapes.ts';

export default class QuoteCommand extends PartnerCommand<typeof QuoteCommand> {
  static override summary = 'Quote a price for a customer; it is valid until the quote expires.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_0197f1c2 yes --stake 10 --user u-123',
    '<%= config.bin %> <%= command.id %> ctr_0197f1c2 no --sell --contracts 5.5 --user u-123',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    side: Args.string({ required: true, description: 'Side of the contract: yes or no.' }),
  };
  static override flags = {
    ...userFlag,
    stake: Flags.string({
      helpValue: 'DOLLARS',
      summary: 'Dollars to spend on a buy, including the fee, for example 10 or 10.50.',
    }),
    sell: Flags.boolean({ summary: 'Sell contracts that the customer holds.' }),
    contracts: Flags.string({ helpValue: 'N', summary: 'Number of contracts to sell.' }),
  };

  async run(): Promise<Quote> {
    const { args, flags } = this;
    const side = readSide(args.side);
    quoteBody('', side, flags);
    const body = quoteBody(args.contract, side, flags);
    const quote = await this.client.post('/api/v1/quotes', { user: flags.user, body });
    const names = await this.marketNames([quote.contractId]);
    this.printFacts(quoteFacts(quote, names));
    return quote;
  }
}
