/** `orders show`: the current state of one order, with its intent and its fills. */
import { Flags } from '@oclif/core';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/print/print-trading.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';
import type { OrderDetail } from '../../client/shapes.ts';

export default class Show extends PartnerCommand<typeof Show> {
  static override summary = 'Show the current state of an order.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ord_0197f1c2',
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> ord_0197f1c2 --fills --json',
  ];
  static override ids = { order: 'order' } as const;
  static override args = orderArgument;
  static override flags = { ...customerFlag, fills: Flags.boolean({ summary: 'Show its fills too.' }) };

  async run(): Promise<OrderDetail> {
    const id = await findOrderId(this.client, this.args.order, this.flags.user);
    const order = await this.client.get('/api/v1/orders/{id}', {
      path: { id },
      query: { fills: this.flags.fills ? true : undefined },
    });
    const names = await this.marketNames([order.contractId]);
    this.printFacts(orderFacts(order, names));
    return order;
  }
}
