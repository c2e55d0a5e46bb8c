/** `webhooks deliveries`: sent and pending deliveries, with every attempt in the log. */

import { Flags } from '@oclif/core';
import { OperatorCommand, reading } from '../../cli/operator-command.ts';
import { type Column, listFlags } from '../../cli/terminal/output.ts';
import { getOperator } from '../../operators/create-operator.ts';
import { DELIVERY_STATUSES, type Delivery, listDeliveries } from '../../webhooks/delivery/deliveries.ts';
import { getEndpoint } from '../../webhooks/endpoints/manage-endpoints.ts';

const LAST = -1;

const columns: readonly Column<Delivery>[] = [
  { name: 'createdAt', title: 'created', value: (delivery) => delivery.createdAt, rank: 1 },
  { name: 'deliveryId', value: (delivery) => delivery.deliveryId },
  { name: 'endpointId', value: (delivery) => delivery.endpointId, rank: 10 },
  { name: 'type', value: (delivery) => delivery.type },
  { name: 'dedupeKey', value: (delivery) => delivery.dedupeKey, csvOnly: true },
  { name: 'status', value: (delivery) => delivery.status },
  { name: 'attempts', value: (delivery) => delivery.attempts.length, align: 'right' },
  {
    name: 'lastAnswer',
    title: 'last answer',
    elastic: true,
    value: ({ attempts }) => attempts.at(LAST)?.error ?? attempts.at(LAST)?.status,
  },
  { name: 'nextAttemptAt', title: 'next attempt', value: (delivery) => delivery.nextAttemptAt },
];

export default class WebhooksDeliveries extends OperatorCommand<typeof WebhooksDeliveries> {
  static override readOnly = true;
  static override baseFlags = reading;
  static override summary = 'List webhook deliveries, newest first.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status exhausted',
    '<%= config.bin %> <%= command.id %> --endpoint whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --json',
  ];
  static override flags = {
    ...listFlags,
    operator: Flags.string({ summary: 'Slug of an operator.' }),
    endpoint: Flags.string({ summary: 'Endpoint id.' }),
    status: Flags.option({ options: DELIVERY_STATUSES, summary: 'Only these.' })(),
    limit: Flags.integer({ default: 50, min: 1, max: 10_000, summary: 'Largest number to list.' }),
  };

  async run(): Promise<{ deliveries: Delivery[]; count: number }> {
    const { sql } = await this.openContext();
    const { operator, endpoint, status, limit } = this.flags;
    const operatorId =
      operator !== undefined
        ? (await getOperator(sql, operator)).operatorId
        : endpoint !== undefined
          ? (await getEndpoint(sql, endpoint)).operatorId
          : undefined;
    const deliveries = await listDeliveries(sql, { operatorId, endpointId: endpoint, status, limit });
    await this.printList(deliveries, columns, 'No webhook deliveries.');
    return { deliveries, count: deliveries.length };
  }
}
