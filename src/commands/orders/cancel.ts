/** `orders cancel`: withdraws an order that was not sent, and shows the amount to release. */

import { yesFlag } from '../../cli/base-command.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { readMarketNames } from '../../cli/service/market-names.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';
import type { Cancellation } from '../../client/shapes.ts';
import { withThousands } from '../../core/plain-words.ts';

export default class Cancel extends PartnerCommand<typeof Cancel> {
  static override summary = 'Withdraw an order that was not sent; repeating the command changes nothing.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ord_0197f1c2 --yes',
    '<%= config.bin %> <%= command.id %> bet-4711 --user u-123 --yes',
  ];
  static override ids = { order: 'order' } as const;
  static override args = orderArgument;
  static override flags = { ...customerFlag, ...yesFlag };

  async run(): Promise<Cancellation> {
    const id = await findOrderId(this.client, this.args.order, this.flags.user);
    await this.confirm(async () => {
      const order = await this.client.get('/api/v1/orders/{id}', { path: { id } });
      const names = await readMarketNames(this.client, [order.contractId]);
      const sum = order.operatorMoney === null ? '' : ` for ${withThousands(order.operatorMoney.authorizationAmount)}`;
      const market = names.get(order.contractId) ?? order.contractId;
      return `Cancel the ${order.action} of ${order.side} of "${market}"${sum} by ${order.externalUserId} (${order.executionRef})?`;
    });
    const cancellation = await this.client.post('/api/v1/orders/{id}/cancel', { path: { id } });
    this.printFacts({ ...cancellation });
    return cancellation;
  }
}
