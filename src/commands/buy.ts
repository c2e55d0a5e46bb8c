/** `buy`: quotes, asks, and orders. */
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../cli/base-command.ts';
import { contractArgument, readSide, userFlag } from '../cli/flags.ts';
import { PartnerCommand } from '../cli/partner-command.ts';
import { orderFacts, quoteFacts } from '../cli/print/print-trading.ts';
import { orderBody, orderFlags, quoteBody, tradeWithConsent } from '../cli/trade.ts';
import type { Order, Quote } from '../client/shapes.ts';

export default class Buy extends PartnerCommand<typeof Buy> {
  static override summary = 'Quote, ask, and buy.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ctr_0197f1c2 yes --stake 10 --user u-123',
    '<%= config.bin %> <%= command.id %> ctr_0197f1c2 no --stake 25 --user u-123 --max-slippage 0.02 --yes --json',
  ];
  static override ids = { contract: 'contract' } as const;
  static override args = {
    ...contractArgument,
    side: Args.string({ required: true, description: 'Side to buy: yes or no.' }),
  };
  static override flags = {
    ...userFlag,
    stake: Flags.string({
      required: true,
      helpValue: 'DOLLARS',
      summary: 'Dollars to spend, including the fee, for example 10 or 10.50.',
    }),
    'client-order-id': Flags.string({ helpValue: 'ID', summary: 'Your own id of the order; by default a new one.' }),
    ...orderFlags,
    ...yesFlag,
  };

  /** The order, with the quote that it used. */
  async run(): Promise<Order & { quote: Quote }> {
    const { args, flags } = this;
    const side = readSide(args.side);
    quoteBody('', side, { stake: flags.stake });
    // Checked before any request, so that a wrong flag uses no quote.
    this.expectAnswerable('This command asks before it buys.');
    orderBody('', 'unsent', flags);
    const contractId = args.contract;
    const sized = quoteBody(contractId, side, { stake: flags.stake });
    const names = await this.marketNames([contractId]);
    const order = await tradeWithConsent({
      client: this.client,
      user: flags.user,
      sized,
      flags,
      clientOrderId: flags['client-order-id'],
      canAskAgain: !flags.yes,
      ask: async (quote) => {
        this.printFacts(quoteFacts(quote, names));
        // the quote is for one contract, so --yes is enough for an abbreviated id too
        if (!flags.yes) {
          await this.confirm(
            `Buy ${quote.contracts} contracts of ${quote.side} at ${quote.executionPrice} for ${flags.stake} USD: ${names.get(contractId) ?? contractId}?`,
          );
        }
      },
      note: (text) => this.note(text),
    });
    this.say();
    this.printFacts(orderFacts(order, names));
    return order;
  }
}
