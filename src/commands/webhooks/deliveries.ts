/** `webhooks deliveries`: sent and pending deliveries, with the attempts that are stored. */
import { Flags } from '@oclif/core';
import { EitherCommand } from '../../cli/either-command.ts';
import { limitFlag, SERVICE_OPERATOR } from '../../cli/flags.ts';
import { hasEndpoint, NO_DELIVERIES } from '../../cli/service/endpoints.ts';
import { findOrderId } from '../../cli/service/whole-id.ts';
import { type Column, listFlags } from '../../cli/terminal/table.ts';
import type { WebhookDelivery, WebhookDeliveryPage } from '../../client/shapes.ts';
import type { Sql } from '../../db/client.ts';
import type { Delivery } from '../../webhooks/deliveries.ts';

const STATUSES = ['pending', 'delivered', 'exhausted'] as const satisfies readonly WebhookDelivery['status'][];
const NONE = 'No webhook deliveries.';
const LAST = -1;
const LARGEST_PAGE = 200;

/** What a delivery of the API and one of the database have in common. */
interface AnyDelivery extends Pick<Delivery, 'createdAt' | 'deliveryId' | 'endpointId' | 'type' | 'status'> {
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

/** @param own the column after the type, and those at the end */
const columns = <Row extends AnyDelivery>(own: Column<Row>, ...last: Column<Row>[]): readonly Column<Row>[] => [
  { name: 'createdAt', rank: 0, value: (delivery) => delivery.createdAt },
  { name: 'deliveryId', rank: 2, value: (delivery) => delivery.deliveryId },
  { name: 'endpointId', rank: 10, value: (delivery) => delivery.endpointId },
  { name: 'type', rank: 3, value: (delivery) => delivery.type },
  own,
  { name: 'status', rank: 1, value: (delivery) => delivery.status },
  { name: 'attempts', rank: 5, value: (delivery) => delivery.attempts.length, align: 'right' },
  {
    name: 'lastAnswer',
    elastic: true,
    rank: 4,
    value: ({ attempts }) => attempts.at(LAST)?.error ?? attempts.at(LAST)?.status,
  },
  ...last,
];

export default class WebhooksDeliveries extends EitherCommand<typeof WebhooksDeliveries> {
  static override summary = 'List webhook deliveries, newest first.';
  static override description = 'With a key these are the deliveries of your own events to your endpoints.';
  static override ofService =
    'The service operator has no key and reads the database, or names an operator with --operator.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --status exhausted',
    '<%= config.bin %> <%= command.id %> --order inl_Best_0123456789ABCD --json',
    '<%= config.bin %> <%= command.id %> --endpoint whe_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --operator demo',
  ];
  static override ids = { endpoint: 'endpoint' } as const;
  static override flags = {
    ...listFlags,
    operator: Flags.string({
      helpValue: 'SLUG',
      helpGroup: SERVICE_OPERATOR,
      summary: 'Operator whose deliveries are listed.',
    }),
    endpoint: Flags.string({ helpValue: 'ID', summary: 'Only deliveries to this endpoint.' }),
    order: Flags.string({
      helpValue: 'REF',
      exclusive: ['endpoint'],
      summary: 'Only deliveries about this order: its id, executionRef or clientOrderId.',
    }),
    user: Flags.string({
      helpValue: 'USER',
      dependsOn: ['order'],
      summary: 'Customer of the order, if it is named by its clientOrderId.',
    }),
    status: Flags.option({ options: STATUSES, summary: 'Only deliveries with this status.' })(),
    ...limitFlag(50),
  };

  async run(): Promise<object> {
    return this.usesDatabase ? this.#ofService() : this.#ofKey();
  }

  async #ofKey(): Promise<WebhookDeliveryPage> {
    const { endpoint: endpointId, order, user, status, limit } = this.flags;
    const orderId = order === undefined ? undefined : await findOrderId(this.client, order, user);
    const deliveries: WebhookDelivery[] = [];
    let cursor: string | undefined;
    for (;;) {
      const query = { endpointId, orderId, status, cursor, limit: Math.min(LARGEST_PAGE, limit - deliveries.length) };
      const page = await this.read(() => this.client.get('/api/v1/webhook-deliveries', { query }));
      deliveries.push(...page.deliveries);
      if (page.nextCursor === null || deliveries.length >= limit) {
        const ofOrder: Column<WebhookDelivery> = { name: 'orderId', rank: 6, value: (delivery) => delivery.orderId };
        const isUnregistered = deliveries.length === 0 && !(await hasEndpoint(this.client));
        await this.printList(deliveries, columns(ofOrder), isUnregistered ? NO_DELIVERIES : NONE);
        return { ...page, deliveries };
      }
      cursor = page.nextCursor;
    }
  }

  async #ofService(): Promise<object> {
    const { context } = await this.openDatabase();
    const deliveries = await this.#readService(context.sql);
    const key: Column<Delivery> = { name: 'dedupeKey', value: (delivery) => delivery.dedupeKey, csvOnly: true };
    const next: Column<Delivery> = { name: 'nextAttemptAt', rank: 6, value: (delivery) => delivery.nextAttemptAt };
    await this.printList(deliveries, columns(key, next), NONE);
    return { deliveries, count: deliveries.length };
  }

  async #readService(sql: Sql): Promise<readonly Delivery[]> {
    const { operator, endpoint, order, user, status, limit } = this.flags;
    const { listDeliveries, listDeliveriesOfEvents } = await import('../../webhooks/deliveries.ts');
    if (order !== undefined) {
      const { findOneOrder } = await import('../../cli/service/find-orders.ts');
      const { traceOrder } = await import('../../reconciliation/trace-order.ts');
      const found = await findOneOrder(sql, order, { operator, externalUserId: user });
      const { webhooks } = await traceOrder(sql, found);
      const eventIds = [...new Set(webhooks.map(({ eventId }) => eventId))];
      const ofOrder = await listDeliveriesOfEvents(sql, found.operatorId, eventIds);
      return ofOrder.filter((one) => status === undefined || one.status === status);
    }
    const { getOperator } = await import('../../operators/operators.ts');
    const { getEndpoint } = await import('../../webhooks/endpoints.ts');
    const operatorId =
      operator !== undefined
        ? (await getOperator(sql, operator)).operatorId
        : endpoint !== undefined
          ? (await getEndpoint(sql, endpoint)).operatorId
          : undefined;
    return listDeliveries(sql, { operatorId, endpointId: endpoint, status, limit });
  }
}
