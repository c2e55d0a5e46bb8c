/** `order`: orders at a quote. A repetition with the same client order id shows the existing order. */
import { Args, Flags } from '@oclif/core';
import { userFlag } from '../cli/flags.ts';
import { PartnerCommand } from '../cli/partner-command.ts';
import { orderFacts } from '../cli/print/print-trading.ts';
import { orderBody, orderFlags } from '../cli/trade.ts';
import type { Order } from '../client/shapes.ts';

export default class OrderCommand extends PartnerCommand<typeof OrderCommand> {
  static override summary = 'Order at a quoted price.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> qt_0197f1c2 --client-order-id bet-1 --user u-123',
    '<%= config.bin %> <%= command.id %> qt_0197f1c2 --client-order-id bet-2 --user u-123 --reserve-reference hold-77',
  ];
  static override args = { quote: Args.string({ required: true, description: 'Quote id.' }) };
  static override flags = {
    ...userFlag,
    'client-order-id': Flags.string({
      helpValue: 'ID',
      required: true,
      summary: 'Your own id of the order; the idempotency key.',
    }),
    ...orderFlags,
  };

  async run(): Promise<Order> {
    const { args, flags } = this;
    const body = orderBody(args.quote, flags['client-order-id'], flags);
    const order = await this.client.post('/api/v1/orders', { user: flags.user, body });
    const names = await this.marketNames([order.contractId]);
    this.printFacts(orderFacts(order, names));
    return order;
  }
}
