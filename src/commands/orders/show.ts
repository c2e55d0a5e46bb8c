/** `orders show`: the current state of one order, with its intent and its fills. */
import { Args, Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/terminal/print-trading.ts';
import type { OrderDetail } from '../../client/shapes.ts';

export default class Show extends PartnerCommand<typeof Show> {
  static override summary = 'Show the current state of an order.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ord_0197f1c2',
    '<%= config.bin %> <%= command.id %> ord_0197f1c2 --fills --json',
  ];
  static override args = { order: Args.string({ required: true, description: 'Order id.' }) };
  static override flags = { fills: Flags.boolean({ summary: 'Show its fills too.' }) };

  async run(): Promise<OrderDetail> {
    const order = await this.client.get('/api/v1/orders/{id}', {
      path: { id: this.args.order },
      query: { fills: this.flags.fills ? true : undefined },
    });
    this.printFacts(orderFacts(order));
    return order;
  }
}
