/** The seven kinds of webhook event and their dedupe keys (specification "Webhooks"). Pure; payload shapes are in wire/webhook.ts. */
import { WEBHOOK_PAYLOADS, type WebhookEventType } from '../wire/webhook.ts';

export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_PAYLOADS) as readonly WebhookEventType[];

/** What `webhooks test` sends. It is no fact and no one can subscribe to it, so a receiver that books facts ignores it. */
export const TEST_EVENT_TYPE = 'webhook.test';

export function isWebhookEventType(text: string): text is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((type) => type === text);
}

/** One key per fact, unique per operator in the database. Receivers treat it as opaque and compare it whole. */
export const dedupeKey = {
  intentRecorded: (orderId: string) => `order.intent_recorded:${orderId}`,
  filled: (orderId: string, fillId: string) => `order.filled:${orderId}:${fillId}`,
  rejected: (orderId: string) => `order.rejected:${orderId}`,
  completed: (orderId: string) => `order.completed:${orderId}`,
  cancelled: (orderId: string) => `order.cancelled:${orderId}`,
  settled: (positionId: string) => `position.settled:${positionId}`,
  /** `from` is what was paid, `to` what holds now, null when withdrawn (rulings 11). */
  resolutionChanged: (contractId: string, from: string, to: string | null, operatorId: string) =>
    `market.resolution_changed:${contractId}:${from}->${to ?? 'null'}:${operatorId}`,
} as const;
