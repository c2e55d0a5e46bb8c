/** `webhooks deliveries`: sent and pending deliveries, with every attempt in the log. */

import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { findOneOrder } from '../../cli/service/find-orders.ts';
import { type Column, listFlags } from '../../cli/terminal/table.ts';
import type { Sql } from '../../db/client.ts';
import { getOperator } from '../../operators/operators.ts';
import { traceOrder } from '../../reconciliation/trace-order.ts';
import { DELIVERY_STATUSES, type Delivery, listDeliveries } from '../../webhooks/deliveries.ts';
import { getEndpoint } from '../../webhooks/endpoints.ts';

const LAST = -1;

const columns: readonly Column<Delivery>[] = [
  { name: 'createdAt', rank: 0, value: (delivery) => delivery.createdAt },
  { name: 'deliveryId', rank: 2, value: (delivery) => delivery.deliveryId },
  { name: 'endpointId', rank: 10, value: (delivery) => delivery.endpointId },
  { name: 'type', rank: 3, value: (delivery) => delivery.type },
  { name: 'dedupeKey', value: (delivery) => delivery.dedupeKey, csvOnly: true },
  { name: 'status', rank: 1, value: (delivery) => delivery.status },
  { name: 'attempts', rank: 5, value: (delivery) => delivery.attempts.length, align: 'right' },
  {
    name: 'lastAnswer',
    elastic: true,
    rank: 4,
    value: ({ attempts }) => attempts.at(LAST)?.error ?? attempts.at(LAST)?.status,
  },
  { name: 'nextAttemptAt', rank: 6, value: (delivery) => delivery.nextAttemptAt },
];

export default class WebhooksDeliveries extends OperatorCommand<typeof WebhooksDeliveries> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List webhook deliveries, newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status exhausted',
    '<%= config.bin %> <%= command.id %> --endpoint whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --json',
  ];
  static override ids = { endpoint: 'endpoint' } as const;
  static override flags = {
    ...listFlags,
    operator: Flags.string({ helpValue: 'SLUG', summary: 'Slug of an operator.' }),
    endpoint: Flags.string({ helpValue: 'ID', summary: 'Endpoint id.' }),
    order: Flags.string({
      helpValue: 'REF',
      exclusive: ['endpoint'],
      summary: 'Only those of an order: its id, executionRef or clientOrderId.',
    }),
    status: Flags.option({ options: DELIVERY_STATUSES, summary: 'Only these.' })(),
    limit: Flags.integer({ helpValue: 'N', default: 50, min: 1, max: 10_000, summary: 'Largest number to list.' }),
  };

  async run(): Promise<{ deliveries: Delivery[]; count: number }> {
    const { sql } = await this.openContext();
    const { operator, endpoint, order, status, limit } = this.flags;
    const operatorId =
      operator !== undefined
        ? (await getOperator(sql, operator)).operatorId
        : endpoint !== undefined
          ? (await getEndpoint(sql, endpoint)).operatorId
          : undefined;
    const deliveries =
      order === undefined
        ? await listDeliveries(sql, { operatorId, endpointId: endpoint, status, limit })
        : (await this.#ofOrder(sql, order, operator)).filter((one) => status === undefined || one.status === status);
    await this.printList(deliveries, columns, 'No webhook deliveries.');
    return { deliveries, count: deliveries.length };
  }

  async #ofOrder(sql: Sql, reference: string, operator: string | undefined): Promise<Delivery[]> {
    const { webhooks } = await traceOrder(sql, await findOneOrder(sql, reference, { operator }));
    return webhooks.flatMap(({ deliveries }) => deliveries);
  }
}
