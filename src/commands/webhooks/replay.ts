/** `webhooks replay`: restarts deliveries. */
import { Args, Flags } from '@oclif/core';
import { notFound, usage } from '../../cli/failure.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { findOneOrder } from '../../cli/service/find-orders.ts';
import type { Sql } from '../../db/client.ts';
import { getOperator } from '../../operators/operators.ts';
import { traceOrder } from '../../reconciliation/trace-order.ts';
import { replayDeliveries, replaySince } from '../../webhooks/deliveries.ts';

export default class WebhooksReplay extends OperatorCommand<typeof WebhooksReplay> {
  static override hidden = true;
  static override withKey = 'webhooks resend --order REF';
  static override summary = 'Send delivered or exhausted deliveries again.';
  static override description =
    'The command sends the given deliveries (all or none), those about an order that are not pending (--order), or those that were queued since a time and whose endpoint is enabled (--since). The retry schedule starts again; the event keeps its id.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> dlv_0197f1c2a0b37d3e8a6b1c5d9e2f4a60_1',
    '<%= config.bin %> <%= command.id %> --order inl_Best_0123456789ABCD',
    '<%= config.bin %> <%= command.id %> --since 2026-11-20T00:00:00Z --operator demo',
  ];
  static override ids = { delivery: 'delivery', endpoint: 'endpoint' } as const;
  static override args = { delivery: Args.string({ multiple: true, description: 'Delivery ids.' }) };
  static override flags = {
    order: Flags.string({
      helpValue: 'REF',
      exclusive: ['since'],
      summary: 'Deliveries about this order: its id, executionRef or clientOrderId.',
    }),
    since: Flags.string({ helpValue: 'TIME', summary: 'Deliveries that were queued from this time on; ISO-8601.' }),
    operator: Flags.string({
      helpValue: 'SLUG',
      summary: 'Only deliveries of this operator, or of its order.',
    }),
    endpoint: Flags.string({ helpValue: 'ID', dependsOn: ['since'], summary: 'Only deliveries to this endpoint.' }),
  };

  async run(): Promise<{ replayed: number; deliveryIds: string[] }> {
    const named = this.args.delivery ?? [];
    const since = this.readSince();
    const { operator, order, endpoint: endpointId } = this.flags;
    if ([named.length > 0, since !== undefined, order !== undefined].filter(Boolean).length !== 1) {
      throw usage('Give delivery ids, --order or --since.');
    }
    if (named.length > 0 && operator !== undefined) {
      throw usage('--operator needs --order or --since.');
    }
    const { sql } = await this.openContext();
    const operatorId = operator === undefined ? undefined : (await getOperator(sql, operator)).operatorId;
    const deliveryIds =
      since !== undefined
        ? await replaySince(sql, { since, operatorId, endpointId })
        : await replayDeliveries(sql, order === undefined ? named : await this.#endedOf(sql, order, operator));
    this.say(`${deliveryIds.length} ${deliveryIds.length === 1 ? 'delivery is' : 'deliveries are'} sent again.`);
    return { replayed: deliveryIds.length, deliveryIds };
  }

  /** The deliveries of an order that were delivered or given up. @throws unknown_order, unknown_delivery */
  async #endedOf(sql: Sql, reference: string, operator: string | undefined): Promise<string[]> {
    const order = await findOneOrder(sql, reference, { operator });
    const { webhooks } = await traceOrder(sql, order);
    const ended = webhooks.filter(({ status }) => status !== 'pending');
    if (ended.length === 0) {
      throw notFound(`${order.executionRef} has no delivery that was delivered or given up.`, 'unknown_delivery');
    }
    return ended.map(({ deliveryId }) => deliveryId);
  }

  private readSince(): Date | undefined {
    const text = this.flags.since;
    if (text === undefined) {
      return undefined;
    }
    if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(Date.parse(text))) {
      throw usage(`--since ${text} is not an ISO-8601 time.`);
    }
    return new Date(text);
  }
}
