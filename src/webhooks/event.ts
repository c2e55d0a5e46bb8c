/** The seven kinds of webhook event (specification "Webhooks"). Pure; payload shapes are in wire/webhook.ts, dedupe keys are made by the money statements. */
import { WEBHOOK_PAYLOADS, type WebhookEventType } from '../wire/webhook.ts';

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_PAYLOADS) as readonly WebhookEventType[];

/** What `webhooks test` sends. It is no fact and no one can subscribe to it, so a receiver that books facts ignores it. */
export const TEST_EVENT_TYPE = 'webhook.test';

export function isWebhookEventType(text: string): text is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((type) => type === text);
}
