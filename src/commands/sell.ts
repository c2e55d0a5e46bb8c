/** `sell`: quotes contracts of a customer, asks, and orders. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../cli/base-command.ts';
import { positionArgument } from '../cli/flags.ts';
import { PartnerCommand } from '../cli/partner-command.ts';
import { orderFacts, quoteFacts } from '../cli/print/print-trading.ts';
import { orderBody, orderFlags, quoteBody, tradeWithConsent } from '../cli/trade.ts';
import type { Order, Quote } from '../client/shapes.ts';

export default class Sell extends PartnerCommand<typeof Sell> {
  static override summary = 'Quote, ask, and sell contracts of a customer.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> pos_0197f1c2 --contracts all --user u-123',
    '<%= config.bin %> <%= command.id %> pos_0197f1c2 --contracts 5.5 --user u-123 --yes --json',
  ];
  static override ids = { position: 'position' } as const;
  static override args = positionArgument;
  static override flags = {
    user: Flags.string({
      helpValue: 'USER',
      summary: 'Your own id of the customer; by default the one who holds the position.',
    }),
    contracts: Flags.string({ required: true, helpValue: 'N|all', summary: 'Number of contracts to sell, or all.' }),
    'client-order-id': Flags.string({ helpValue: 'ID', summary: 'Your own id of the order; by default a new one.' }),
    ...orderFlags,
    ...yesFlag,
  };

  /** The order, with the quote that it used. */
  async run(): Promise<Order & { quote: Quote }> {
    const { args, flags } = this;
    this.expectAnswerable('This command asks before it sells.');
    orderBody('', 'unsent', flags);
    if (flags.contracts !== 'all') {
      quoteBody('', 'YES', { sell: true, contracts: flags.contracts });
    }
    const { contractId, side, quantity, externalUserId } = await this.client.get('/api/v1/positions/{id}', {
      path: { id: args.position },
    });
    const contracts = flags.contracts === 'all' ? String(quantity) : flags.contracts;
    const names = await this.marketNames([contractId]);
    const order = await tradeWithConsent({
      client: this.client,
      user: flags.user ?? externalUserId,
      sized: quoteBody(contractId, side, { sell: true, contracts }),
      flags,
      clientOrderId: flags['client-order-id'],
      canAskAgain: !flags.yes,
      ask: async (quote) => {
        this.printFacts(quoteFacts(quote, names));
        const proceeds = quote.operatorExitMoney?.sellProceeds;
        // the quote is for one contract, so --yes is enough for an abbreviated id too
        if (!flags.yes) {
          await this.confirm(
            `Sell ${quote.contracts} contracts of ${quote.side} at ${quote.executionPrice} for ${proceeds} USD: ${names.get(contractId) ?? contractId}?`,
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
