/** Webhooks as an operator reads them with its key: the history of an order, events, endpoints and deliveries. */
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import { disableEndpoint } from '../../src/webhooks/endpoints.ts';
import type { AnyJson } from '../support/any-json.ts';
import { until } from '../support/until.ts';
import { PLAYER, traderOf } from './sandbox-story.ts';
import type { Stage } from './stage.ts';

/** Of a small operator, so that each page is whole. */
export async function tellWebhooks({ recording, operator, service }: Stage): Promise<void> {
  const { keep, meanwhile } = recording;
  const { sql, context } = service;
  const small = await meanwhile(() => operator('lucky-hooks'));
  const { operatorId } = small.operator;
  const by = { key: small.key };
  const trader = traderOf(recording, by, PLAYER, 1);
  const { quoteId } = await trader.quote();
  // In one step, because when an attempt is made depends on the queue.
  const orderId = await meanwhile(async () => {
    const order = await service.request('POST', '/api/v1/orders', {
      key: small.key,
      user: PLAYER,
      body: { quoteId, clientOrderId: 'order-1' },
    });
    await allSent();
    return order.body.orderId as string;
  });

  await keep('getOrderHistory', 'A buy, filled', { by, path: { id: orderId } });
  const end = await keep('listWebhookEvents', 'From the beginning', { by });
  await keep('listWebhookEvents', 'Nothing new', { by, query: { cursor: end.nextCursor } });
  const { deliveries } = await keep('listWebhookDeliveries', 'Of one order', { by, query: { orderId } });
  const path = { id: deliveries[0].deliveryId };
  await keep('resendWebhookDelivery', 'Sent again', { by, path });
  await meanwhile(allSent);
  await meanwhile(
    () => sql`
    update webhook_endpoints set url = 'https://lucky-casino.example/hooks' where operator_id = ${operatorId}`,
  );
  const { endpoints } = await keep('listWebhookEndpoints', 'One, for all events', { by });
  await keep('resendWebhookDelivery', 'An unknown delivery', {
    by,
    path: { id: 'dlv_00000000000070008000000000000000_1' },
    refused: 'unknown_delivery',
  });
  await meanwhile(() =>
    disableEndpoint(
      { sql, box: createSecretBox(context.secrets), policy: { allowLoopback: true } },
      endpoints[0].endpointId,
    ),
  );
  await keep('resendWebhookDelivery', 'To an endpoint that is disabled', { by, path, refused: 'endpoint_disabled' });

  function allSent(): Promise<unknown> {
    const read = async () =>
      (await service.request('GET', '/api/v1/webhook-deliveries', { key: small.key })).body.deliveries;
    return until(read, (sent: AnyJson[]) => sent.length > 0 && sent.every(({ status }) => status === 'delivered'));
  }
}
