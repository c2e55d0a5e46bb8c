/** `orders lookup`: the complete history of an order, for support. */

import { Args, Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { drawTrace } from '../../cli/print/print-trace.ts';
import { expectOneOrder } from '../../cli/service/find-one-order.ts';
import { type OrderTrace, traceOrder } from '../../reconciliation/order-trace/trace-order.ts';
import { findOrders } from '../../trading/orders/find-orders.ts';

export default class Lookup extends OperatorCommand<typeof Lookup> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show the complete history of an order and what to do next.';
  static override description =
    'Found by executionRef, order id or clientOrderId. If several orders share a clientOrderId they are listed; --operator and --user select one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> bet-4711 --operator lucky-casino --user u-123 --json',
  ];
  static override args = {
    ref: Args.string({ required: true, description: 'executionRef, order id or clientOrderId.' }),
  };
  static override flags = {
    operator: Flags.string({ helpValue: 'SLUG', summary: 'Only orders of this operator.' }),
    user: Flags.string({ helpValue: 'ID', summary: "Only orders of this customer, by the operator's own id." }),
  };

  async run(): Promise<OrderTrace> {
    const { sql } = await this.openContext();
    const { operator, user } = this.flags;
    const { ref } = this.args;
    const order = expectOneOrder(await findOrders(sql, ref, { operator, externalUserId: user }), ref);
    const trace = await traceOrder(sql, order);
    for (const line of drawTrace(trace, this.paint)) {
      this.say(line);
    }
    return trace;
  }
}
