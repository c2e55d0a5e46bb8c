/** `orders arm`: opens the order gate of one order, for accounts whose arming is manual. */
import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/base-command.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { orderText } from '../../cli/questions.ts';
import { findOneOrder } from '../../cli/service/find-orders.ts';
import { armOrder } from '../../trading/orders/change-order.ts';

export default class Arm extends OperatorCommand<typeof Arm> {
  static override hidden = true;
  static override summary = 'Arm a live order, so that it is sent once its reserve is confirmed.';
  static override examples = ['<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD --yes'];
  static override args = {
    ref: Args.string({ required: true, description: 'executionRef, order id or clientOrderId.' }),
  };

  static override flags = { ...yesFlag };

  async run(): Promise<{ orderId: string; armed: boolean; changed: boolean }> {
    const { sql } = await this.openContext();
    const order = await findOneOrder(sql, this.args.ref);
    this.noteReference(this.args.ref, order);
    await this.confirm(
      async () => `Arm ${await orderText(sql, order)}? It is sent as soon as its reserve is confirmed.`,
    );
    const changed = await armOrder(sql, order);
    const answer = { orderId: order.orderId, armed: order.armed || changed, changed };
    this.printFacts(answer);
    return answer;
  }
}
