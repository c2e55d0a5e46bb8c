/** `orders lookup`: the complete history of an order, for support. */

import { Args, Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { drawHistory } from '../../cli/print/print-trace.ts';
import { findOneOrder } from '../../cli/service/find-orders.ts';
import { momentFlag } from '../../cli/times.ts';
import { type OrderTrace, traceOrder } from '../../reconciliation/trace-order.ts';

export default class Lookup extends OperatorCommand<typeof Lookup> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'Show the complete history of an order and what to do next.';
  static override description =
    'REF is the executionRef, the order id or the clientOrderId. A reference may be in upper or lower case, have other characters around it, lack "inl_Best_", or be only its beginning. If several orders match, they are listed; select one with --operator, --user or --since. If none matches, the nearest references are listed, or with --user the newest orders of the customer.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> "Ref: inl best 0123 4567 89ab cd"',
    '<%= config.bin %> <%= command.id %> bet-4711 --operator lucky-casino --user u-123 --json',
  ];
  static override args = {
    ref: Args.string({ required: true, description: 'executionRef, order id or clientOrderId.' }),
  };
  static override flags = {
    operator: Flags.string({ helpValue: 'SLUG', summary: 'Only orders of this operator.' }),
    user: Flags.string({ helpValue: 'USER', summary: "Only orders of this customer: the operator's own id." }),
    since: momentFlag({ summary: 'Only orders from this time on; ISO-8601.' }),
  };

  async run(): Promise<OrderTrace> {
    const { sql } = await this.openContext();
    const { operator, user, since } = this.flags;
    const { readMoment } = await import('../../core/moment.ts');
    const within = { operator, externalUserId: user, since: since === undefined ? undefined : readMoment(since) };
    const order = await findOneOrder(sql, this.args.ref, within);
    const trace = await traceOrder(sql, order);
    for (const line of drawHistory(trace, this.paint)) {
      this.say(line);
    }
    return trace;
  }
}
