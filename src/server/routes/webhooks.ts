/** Webhooks for a key: its events without an endpoint, its endpoints, and deliveries to read and to send again (contract chapter 27). */
import { z } from 'zod';
import { listOwnEndpoints } from '../../webhooks/endpoints.ts';
import { pageDeliveries, resendDelivery } from '../../webhooks/own-deliveries.ts';
import { readEvents } from '../../webhooks/read-events.ts';
import {
  delivery,
  deliveryPage,
  deliveryQuery,
  webhookEndpoints,
  webhookEventPage,
  webhookEventQuery,
} from '../../wire/webhook.ts';
import type { Routes } from '../http/api.ts';
import { sendJson } from '../ready.ts';

const tags = ['Webhooks'];
const reading = { auth: 'key', scopes: ['orders:read', 'settlements:read'] } as const;

export const webhookRoutes: Routes = (app, { sql, reads, readOrWait }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/webhook-events',
    config: { ...reading, refuses: ['invalid_type', 'cursor_ahead'] },
    schema: {
      tags,
      operationId: 'listWebhookEvents',
      summary: 'List webhook events',
      description:
        'An addition to the contract. Your events of the last 30 days, oldest first, whether or not an endpoint takes them. Each is the body of a delivery, byte for byte, except that `createdAt` is when the event was recorded. Read until `hasMore` is false, and keep `nextCursor`; a page may have fewer events than `limit` although more follow. A cursor that is older continues with the oldest event that is kept.',
      querystring: webhookEventQuery,
      response: { 200: webhookEventPage },
    },
    handler: async (request, reply) => {
      const { type: types, wait, ...asked } = request.query;
      const { operatorId } = request.caller.operator;
      const page = await readOrWait(request, reply, wait, () => readEvents(reads, operatorId, { ...asked, types }));
      // The page is the JSON text that webhookEventPage describes.
      return sendJson(reply, page.json) as never;
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/webhook-endpoints',
    config: reading,
    schema: {
      tags,
      operationId: 'listWebhookEndpoints',
      summary: 'List your endpoints',
      description: 'An addition to the contract. The service operator registers and changes them.',
      response: { 200: webhookEndpoints },
    },
    handler: async ({ caller }) => ({ endpoints: await listOwnEndpoints(reads, caller.operator.operatorId) }),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/webhook-deliveries',
    config: reading,
    schema: {
      tags,
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description:
        'An addition to the contract. Newest first, each with its attempts. A page may have fewer deliveries than `limit` although more follow: read until `hasMore` is false.',
      querystring: deliveryQuery,
      response: { 200: deliveryPage },
    },
    handler: ({ caller, query }) => pageDeliveries(reads, caller.operator.operatorId, query),
  });

  app.route({
    method: 'POST',
    url: '/api/v1/webhook-deliveries/:id/resend',
    config: { auth: 'key', scopes: ['orders:write'], refuses: ['unknown_delivery', 'endpoint_disabled'] },
    schema: {
      tags,
      operationId: 'resendWebhookDelivery',
      summary: 'Send a delivery again',
      description:
        'An addition to the contract. The delivery begins its schedule of retries again, whether it was delivered, given up or is still tried. The event keeps its `id` and `dedupeKey`.',
      params: z.object({ id: z.string() }),
      response: { 202: delivery },
    },
    handler: async ({ caller, params }, reply) =>
      reply.code(202).send(await resendDelivery(sql, caller.operator.operatorId, params.id)),
  });
};
