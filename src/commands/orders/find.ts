/** `orders find`: an order by any of its references. */
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/print/print-trading.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';
import type { OrderDetail } from '../../client/shapes.ts';

export default class Find extends PartnerCommand<typeof Find> {
  static override summary = 'Find an order by its executionRef, its id or your own id of it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> bet-4711 --user u-123',
  ];
  static override ids = { order: 'order' } as const;
  static override args = orderArgument;
  static override flags = customerFlag;

  async run(): Promise<OrderDetail> {
    const id = await findOrderId(this.client, this.args.order, this.flags.user);
    const order = await this.client.get('/api/v1/orders/{id}', { path: { id } });
    const names = await this.marketNames([order.contractId]);
    this.printFacts(orderFacts(order, names));
    return order;
  }
}
