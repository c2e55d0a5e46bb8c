/** The `webhooks` part of the OpenAPI document, made from the events in wire/webhook.ts. */
import { WEBHOOK_EVENTS } from '../../wire/webhook.ts';

const SIGNATURE =
  '`t=<unix_seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`, keyed with the endpoint’s whole `whsec_…` secret. Refuse more than 300 seconds from now.';

const DESCRIPTION =
  'Sent to each active endpoint that is subscribed to the type, at least once and in any order. Apply it once for each `dedupeKey`.';

const header = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
});

export function describeWebhooks() {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => {
      const type = event.shape.type.value;
      const name = event.meta()?.id;
      const schema = { $ref: `#/components/schemas/${name}` };
      const post = {
        operationId: `receive${name}`,
        summary: event.shape.data.description ?? type,
        description: DESCRIPTION,
        security: [],
        tags: ['Webhooks'],
        parameters: [
          header('service-signature', SIGNATURE),
          header('x-webhook-signature', 'The earlier name of `service-signature`, with the same value.'),
          header('service-event-type', 'The type of the event.'),
        ],
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': {
            description:
              'Acknowledges the event. After any other response, or none within 10 seconds, the event is sent again.',
          },
          '410': { description: 'Disables the endpoint.' },
        },
      };
      return [type, { post }];
    }),
  );
}
