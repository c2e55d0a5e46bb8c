/** `quote`: a price that is reserved for a customer, to buy for a stake or to sell contracts. */
import { Args, Flags } from '@oclif/core';
import { contractArgument, readSide, userFlag } from '../cli/flags.ts';
import { partnerCall } from '../cli/partner-command.ts';
import { quoteFacts } from '../cli/print/print-trading.ts';
import { quoteBody } from '../cli/trade.ts';

export default partnerCall({
  summary: 'Quote a price for a customer; it is valid until the quote expires.',
  examples: ['ctr_0197f1c2 yes --stake 10 --user u-123', 'ctr_0197f1c2 no --sell --contracts 5.5 --user u-123'],
  ids: { contract: 'contract' },
  args: {
    ...contractArgument,
    side: Args.string({ required: true, description: 'Side of the contract: yes or no.' }),
  },
  flags: {
    ...userFlag,
    stake: Flags.string({
      helpValue: 'DOLLARS',
      summary: 'Dollars to spend on a buy, including the fee, for example 10 or 10.50.',
    }),
    sell: Flags.boolean({ summary: 'Sell contracts that the customer holds.' }),
    contracts: Flags.string({ helpValue: 'N', summary: 'Number of contracts to sell.' }),
  },
  call: async ({ client, args, flags }) =>
    client.post('/api/v1/quotes', {
      user: flags.user,
      body: quoteBody(args.contract, readSide(args.side), flags),
    }),
  show: quoteFacts,
});
