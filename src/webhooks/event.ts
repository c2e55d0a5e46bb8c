/**
 * The seven kinds of webhook event (contract chapter 26). Pure. Payload shapes are in wire/webhook.ts; the money
 * statements make the dedupe keys.
 */
import { WEBHOOK_PAYLOADS, type WebhookEventType } from '../wire/webhook.ts';

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_PAYLOADS) as readonly WebhookEventType[];

/**
 * Sent by `webhooks test`. It is not a real event and cannot be subscribed to, so a receiver that processes facts
 * ignores it.
 */
export const TEST_EVENT_TYPE = 'webhook.test';

export function isWebhookEventType(text: string): text is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((type) => type === text);
}
