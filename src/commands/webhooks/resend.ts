/** `webhooks resend`: deliveries are sent again, those that are named or those about an order. */
import { Args, Flags } from '@oclif/core';
import { notFound, usage } from '../../cli/failure.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { hasEndpoint, noEndpoint } from '../../cli/service/endpoints.ts';
import { findOrderId } from '../../cli/service/whole-id.ts';
import { ApiError, type InlayClient } from '../../client/create-client.ts';
import type { WebhookDelivery } from '../../client/shapes.ts';

export default partnerCall({
  summary: 'Send webhook deliveries again.',
  description:
    'The command sends the given deliveries, or with --order those about an order that were delivered or given up. The retry schedule starts again; the event keeps its id.',
  examples: [
    'dlv_0197f1c2a0b37d3e8a6b1c5d9e2f4a60_1',
    '--order inl_Best_0123456789ABCD',
    '--order bet-4711 --user u-123',
  ],
  ids: { delivery: 'delivery' },
  args: { delivery: Args.string({ multiple: true, description: 'Delivery ids.' }) },
  flags: {
    order: Flags.string({
      helpValue: 'REF',
      summary: 'Deliveries about this order: its id, executionRef or clientOrderId.',
    }),
    user: Flags.string({
      helpValue: 'USER',
      dependsOn: ['order'],
      summary: 'Customer of the order, if it is named by its clientOrderId.',
    }),
  },
  call: async ({ client, args, flags: { order, user } }) => {
    const named = args.delivery ?? [];
    if (named.length > 0 === (order !== undefined)) {
      throw usage('Give delivery ids or --order.');
    }
    const deliveries: WebhookDelivery[] = [];
    for (const id of order === undefined ? named : await endedOf(client, order, user)) {
      deliveries.push(await resend(client, id));
    }
    return { deliveries };
  },
  show: ({ deliveries }) =>
    `${deliveries.length} ${deliveries.length === 1 ? 'delivery is' : 'deliveries are'} sent again.`,
});

/** @throws ApiError; Failure unknown_delivery that says so if the operator has no endpoint */
function resend(client: InlayClient, id: string): Promise<WebhookDelivery> {
  return client.post('/api/v1/webhook-deliveries/{id}/resend', { path: { id } }).catch(async (error: unknown) => {
    const isUnknown = error instanceof ApiError && error.code === 'unknown_delivery';
    throw isUnknown && !(await hasEndpoint(client)) ? noEndpoint(`There is no delivery ${id}`) : error;
  });
}

/** @returns the deliveries about an order that were delivered or given up. @throws Failure unknown_order, unknown_delivery */
async function endedOf(client: InlayClient, order: string, user: string | undefined): Promise<string[]> {
  const id = await findOrderId(client, order, user);
  const { webhooks } = await client.get('/api/v1/orders/{id}/history', { path: { id } });
  const ended = webhooks.filter(({ status }) => status !== 'pending');
  if (ended.length === 0) {
    throw (await hasEndpoint(client))
      ? notFound(`${order} has no delivery that was delivered or given up.`, 'unknown_delivery')
      : noEndpoint(`${order} has no delivery`);
  }
  return ended.map(({ deliveryId }) => deliveryId);
}
