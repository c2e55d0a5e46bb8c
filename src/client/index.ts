/** `inlay/client`, the package entry for partners: the typed API, webhook verification, and a feed reader that delivers each fact once. */
export { ApiError } from './api-error.ts';
export type { components, paths } from './api-types.ts';
export { createClient, type InlayClient } from './create-client.ts';
export { FeedGap, type FeedState, type FollowOptions, followFeed } from './follow-feed.ts';
export { FeedRewritten } from './log-keys.ts';
export type * from './shapes.ts';
export { type Destination, ServiceUnreachable, UnexpectedAnswer } from './transport.ts';
export type { LogState } from './verify-log.ts';
export { verifyWebhook, type WebhookEvent, type WebhookEventType, WebhookRejected } from './verify-webhook.ts';
