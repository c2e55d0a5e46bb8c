/** `inlay/client`, the entry of the package for partners: the API typed, webhook verification, and a feed reader that hands on each fact once. */
export { ApiError } from './api-error.ts';
export type { components, paths } from './api-types.ts';
export { createClient, type InlayClient } from './create-client.ts';
export { FeedGap, type FeedState, type FollowOptions, followFeed } from './follow-feed.ts';
export type * from './shapes.ts';
export { type Destination, ServiceUnreachable, UnexpectedAnswer } from './transport.ts';
export { verifyWebhook, type WebhookEvent, type WebhookEventType, WebhookRejected } from './verify-webhook.ts';
