/** `webhooks deliveries`: sent and pending deliveries, with every attempt in the log. */
import { Flags } from '@oclif/core';
import { limitFlag, oneOperatorFlag } from '../../cli/flags.ts';
import { operatorList } from '../../cli/operator-command.ts';
import { findOneOrder } from '../../cli/service/find-orders.ts';
import type { Column } from '../../cli/terminal/table.ts';
import type { Sql } from '../../db/client.ts';
import { getOperator } from '../../operators/operators.ts';
import { traceOrder } from '../../reconciliation/trace-order.ts';
import { type Delivery, listDeliveries, listDeliveriesOfEvents } from '../../webhooks/deliveries.ts';
import { getEndpoint } from '../../webhooks/endpoints.ts';
import { DELIVERY_STATUSES } from '../../wire/webhook.ts';

const LAST = -1;

const COLUMNS: readonly Column<Delivery>[] = [
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

export default operatorList({
  summary: 'List webhook deliveries, newest first.',
  examples: ['--status exhausted', '--endpoint whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --json'],
  ids: { endpoint: 'endpoint' },
  flags: {
    ...oneOperatorFlag,
    endpoint: Flags.string({ helpValue: 'ID', summary: 'Only deliveries to this endpoint.' }),
    order: Flags.string({
      helpValue: 'REF',
      exclusive: ['endpoint'],
      summary: 'Only deliveries about this order: its id, executionRef or clientOrderId.',
    }),
    status: Flags.option({ options: DELIVERY_STATUSES, summary: 'Only deliveries with this status.' })(),
    ...limitFlag(50),
  },
  read: async (sql, { operator, endpoint, order, status, limit }) => {
    if (order !== undefined) {
      return (await listOfOrder(sql, order, operator)).filter((one) => status === undefined || one.status === status);
    }
    const operatorId =
      operator !== undefined
        ? (await getOperator(sql, operator)).operatorId
        : endpoint !== undefined
          ? (await getEndpoint(sql, endpoint)).operatorId
          : undefined;
    return listDeliveries(sql, { operatorId, endpointId: endpoint, status, limit });
  },
  items: 'deliveries',
  columns: COLUMNS,
  none: 'No webhook deliveries.',
});

async function listOfOrder(sql: Sql, reference: string, operator: string | undefined): Promise<Delivery[]> {
  const found = await findOneOrder(sql, reference, { operator });
  const { webhooks } = await traceOrder(sql, found);
  return listDeliveriesOfEvents(sql, found.operatorId, [...new Set(webhooks.map(({ eventId }) => eventId))]);
}
