/** `orders cancel`: withdraws an order that was not sent, and says what to release. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import type { Cancellation } from '../../client/shapes.ts';

export default class Cancel extends PartnerCommand<typeof Cancel> {
  static override summary = 'Withdraw an order that was not sent; repeating the command shows the same cancellation.';
  static override examples = ['<%= config.bin %> <%= command.id %> ord_0197f1c2 --yes'];
  static override args = { order: Args.string({ required: true, description: 'Order id.' }) };
  static override flags = yesFlag;

  async run(): Promise<Cancellation> {
    await this.confirmOnTerminal(`Cancel ${this.args.order}?`);
    const cancellation = await this.client.post('/api/v1/orders/{id}/cancel', { path: { id: this.args.order } });
    this.printFacts({ ...cancellation });
    return cancellation;
  }
}
