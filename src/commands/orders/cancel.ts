/** `orders cancel`: withdraws an order that was not sent, and says what to release. */
import { yesFlag } from '../../cli/base-command.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { customerFlag, findOrderId, orderArgument } from '../../cli/service/whole-id.ts';
import type { Cancellation } from '../../client/shapes.ts';

export default class Cancel extends PartnerCommand<typeof Cancel> {
  static override summary = 'Withdraw an order that was not sent; asked again, it shows the same answer.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ord_0197f1c2 --yes',
    '<%= config.bin %> <%= command.id %> bet-4711 --user u-123',
  ];
  static override args = orderArgument;
  static override flags = { ...customerFlag, ...yesFlag };

  async run(): Promise<Cancellation> {
    const id = await findOrderId(this.client, this.args.order, this.flags.user);
    await this.confirmOnTerminal(`Cancel ${id}?`);
    const cancellation = await this.client.post('/api/v1/orders/{id}/cancel', { path: { id } });
    this.printFacts({ ...cancellation });
    return cancellation;
  }
}
