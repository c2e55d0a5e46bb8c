/** `orders find`: the order of a support reference. */
import { Args } from '@oclif/core';
import { Failure } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/terminal/print-trading.ts';
import type { OrderDetail } from '../../client/shapes.ts';

export default class Find extends PartnerCommand<typeof Find> {
  static override summary = 'Find an order by its executionRef.';
  static override examples = ['<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD'];
  static override args = { ref: Args.string({ required: true, description: 'The executionRef.' }) };

  async run(): Promise<OrderDetail> {
    const { ref } = this.args;
    const { orders } = await this.client.get('/api/v1/orders', { query: { executionRef: ref } });
    const [found] = orders;
    if (found === undefined) {
      throw new Failure('unknown_order', `No order has the executionRef ${ref}.`);
    }
    const order = await this.client.get('/api/v1/orders/{id}', { path: { id: found.orderId } });
    this.printFacts(orderFacts(order));
    return order;
  }
}
