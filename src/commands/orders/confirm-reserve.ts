/** `orders confirm-reserve`: confirms that the stake of a recorded order is reserved; the order may then be sent. */
import { Flags } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { orderFacts } from '../../cli/print/print-trading.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';
import type { OrderDetail } from '../../client/shapes.ts';

export default class ConfirmReserve extends PartnerCommand<typeof ConfirmReserve> {
  static override summary = 'Confirm the reserve of a recorded order; repeating the command changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ord_0197f1c2',
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> ord_0197f1c2 --reserve-reference hold-77',
  ];
  static override ids = { order: 'order' } as const;
  static override args = orderArgument;
  static override flags = {
    'reserve-reference': Flags.string({ helpValue: 'REF', summary: 'Your own reference of the reserve.' }),
    ...customerFlag,
    ...yesFlag,
  };

  async run(): Promise<OrderDetail> {
    const reserveReference = this.flags['reserve-reference'];
    const id = await findOrderId(this.client, this.args.order, this.flags.user);
    const order = await this.client.post('/api/v1/orders/{id}/confirm-reserve', {
      path: { id },
      body: { reserveReference },
    });
    const names = await this.marketNames([order.contractId]);
    this.printFacts(orderFacts(order, names));
    return order;
  }
}
