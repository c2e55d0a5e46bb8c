/** `inlay/client`, the entry of the package for partners: the API typed, webhook verification, and a feed reader that hands on each fact once. */
export type { CatalogueEvent, Outcome } from '../wire/catalogue.ts';
export type { FeedItem, FeedPage } from '../wire/feed.ts';
export type { Cancellation, Order, OrderDetail } from '../wire/order.ts';
export type { Position } from '../wire/position.ts';
export type { Quote } from '../wire/quote.ts';
export type { Report } from '../wire/report.ts';
export type { Settlement } from '../wire/settlement.ts';
export type { WebhookEventType, WebhookPayload } from '../wire/webhook.ts';
export { ApiRefusal, createInlayClient, expectData, type InlayClient } from './create-client.ts';
export { FeedGap, type FeedState, type FollowOptions, followFeed } from './follow-feed.ts';
export type { ApiErrorBody, Operations } from './operations.ts';
export { type Destination, ServiceUnreachable, userHeader } from './transport.ts';
export { verifyWebhook, type WebhookEvent, WebhookRejected } from './verify-webhook.ts';
