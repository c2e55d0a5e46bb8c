/** Checks that a delivery came from the service, and returns its event. A delivery may be repeated and come in any order: store each `dedupeKey`. */
import { SIGNATURE_TOLERANCE_S, verifySignature } from '../core/webhook-signature.ts';
import type { webhooks } from './api-types.ts';

export type WebhookEventType = keyof webhooks;

/** The body of a delivery, by its type. */
export type WebhookEvent = {
  [T in WebhookEventType]: webhooks[T]['post'] extends {
    requestBody: { content: { 'application/json': infer Body } };
  }
    ? Body
    : never;
}[WebhookEventType];

export class WebhookRejected extends Error {
  override name = 'WebhookRejected';
  readonly reason: 'missing' | 'malformed' | 'too_old' | 'in_the_future' | 'mismatch' | 'not_json';

  constructor(reason: WebhookRejected['reason']) {
    super(`The webhook is not accepted: ${reason.replaceAll('_', ' ')}.`);
    this.reason = reason;
  }
}

/**
 * @param delivery.body the raw bytes, before any parser saw them
 * @param delivery.signature the `service-signature` header
 * @param delivery.secret the whole `whsec_…` string
 * @throws WebhookRejected; respond to it with 401
 */
export function verifyWebhook(delivery: {
  readonly body: Buffer | string;
  readonly signature: string | undefined;
  readonly secret: string;
  readonly now?: Date;
  readonly toleranceSeconds?: number;
}): WebhookEvent {
  const { body, signature, secret, now = new Date(), toleranceSeconds = SIGNATURE_TOLERANCE_S } = delivery;
  if (signature === undefined) {
    throw new WebhookRejected('missing');
  }
  const verdict = verifySignature(secret, signature, body, Math.floor(now.getTime() / 1000), toleranceSeconds);
  if (!verdict.valid) {
    throw new WebhookRejected(verdict.reason);
  }
  try {
    return JSON.parse(body.toString()) as WebhookEvent;
  } catch {
    throw new WebhookRejected('not_json');
  }
}
