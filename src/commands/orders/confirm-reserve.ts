/** `orders confirm-reserve`: confirms that the stake of a recorded order is reserved; the order may then be sent. */
import { Args, Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/terminal/print-trading.ts';
import type { OrderDetail } from '../../client/shapes.ts';

export default class ConfirmReserve extends PartnerCommand<typeof ConfirmReserve> {
  static override summary = 'Confirm the reserve of a recorded order; repeating the command changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ord_0197f1c2',
    '<%= config.bin %> <%= command.id %> ord_0197f1c2 --reserve-reference hold-77',
  ];
  static override args = { order: Args.string({ required: true, description: 'Order id.' }) };
  static override flags = {
    'reserve-reference': Flags.string({ summary: 'Your own reference of the reserve.' }),
    ...yesFlag,
  };

  async run(): Promise<OrderDetail> {
    const reserveReference = this.flags['reserve-reference'];
    const order = await this.client.post('/api/v1/orders/{id}/confirm-reserve', {
      path: { id: this.args.order },
      body: { reserveReference },
    });
    this.printFacts(orderFacts(order));
    return order;
  }
}
