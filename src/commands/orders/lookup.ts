/** `orders lookup`: the complete history of an order, for support; the history of its operator with a key, and more from the database. */
import { Args, Flags } from '@oclif/core';
import { EitherCommand } from '../../cli/either-command.ts';
import { Failure, usage } from '../../cli/failure.ts';
import { SERVICE_OPERATOR } from '../../cli/flags.ts';
import { drawHistory } from '../../cli/print/print-history.ts';
import { momentFlag } from '../../cli/times.ts';
import { ApiError } from '../../client/create-client.ts';
import type { OrderHistory } from '../../client/shapes.ts';
import { findExecutionRef } from '../../core/ids.ts';
import type { OrderTrace } from '../../reconciliation/trace-order.ts';

export default class Lookup extends EitherCommand<typeof Lookup> {
  static override summary = 'Show the complete history of an order.';
  static override description = [
    'REF is the executionRef, the order id, or with --user the clientOrderId. The history has the events of the order, the bookings that your own ledger should have for it, and the deliveries of its webhooks.',
    'An executionRef may have other characters around it, or lack "inl_Best_".',
  ].join('\n\n');
  static override ofService =
    'The service operator has no key and reads the database, or names an operator with --operator. The history then also has the entries of the ledger, the names at the venue and the next steps. The beginning of a reference is enough. If several orders match, they are listed; select one with --operator, --user or --since. If none matches, the nearest references are listed, or with --user the newest orders of the customer.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> "Ref: 0123456789ABCD"',
    '<%= config.bin %> <%= command.id %> bet-4711 --user u-123 --json',
    '<%= config.bin %> <%= command.id %> "Ref: inl best 0123 4567 89ab cd" --operator lucky-casino',
  ];
  static override args = {
    ref: Args.string({ required: true, description: 'executionRef, order id or clientOrderId.' }),
  };
  static override flags = {
    user: Flags.string({ helpValue: 'USER', summary: "Customer of the order: the operator's own id." }),
    operator: Flags.string({
      helpValue: 'SLUG',
      helpGroup: SERVICE_OPERATOR,
      summary: 'Operator whose orders are searched.',
    }),
    since: momentFlag({ helpGroup: SERVICE_OPERATOR, summary: 'Only orders from this time on; ISO-8601.' }),
  };

  async run(): Promise<OrderHistory | OrderTrace> {
    const history = await (this.usesDatabase ? this.#ofService() : this.#ofKey());
    for (const line of drawHistory(history, this.paint)) {
      this.say(line);
    }
    return history;
  }

  async #ofKey(): Promise<OrderHistory> {
    const { user, since } = this.flags;
    if (since !== undefined) {
      throw usage(
        '--since selects among orders of the database.',
        'Leave it out, or name an operator with --operator.',
      );
    }
    const given = await this.completeId('order', this.args.ref);
    const id = user === undefined ? findExecutionRef(given) : given;
    return this.read(() =>
      this.client.get('/api/v1/orders/{id}/history', { path: { id }, query: { externalUserId: user } }),
    ).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === 'unknown_order' && user === undefined
        ? new Failure('unknown_order', `No order has the reference ${this.args.ref}.`, {
            next: 'If it is your own id of the order, name the customer with --user.',
          })
        : error;
    });
  }

  async #ofService(): Promise<OrderTrace> {
    const { context } = await this.openDatabase();
    const [{ findOneOrder }, { traceOrder }, { readMoment }] = await Promise.all([
      import('../../cli/service/find-orders.ts'),
      import('../../reconciliation/trace-order.ts'),
      import('../../core/moment.ts'),
    ]);
    const { operator, user, since } = this.flags;
    const within = { operator, externalUserId: user, since: since === undefined ? undefined : readMoment(since) };
    return traceOrder(context.sql, await findOneOrder(context.sql, this.args.ref, within));
  }
}
