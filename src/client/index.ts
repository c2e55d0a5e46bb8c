/** The entry `inlay/client` of the package for partners (`tools/downloads`): the typed API, webhook verification, and a feed reader that delivers each fact once. */

export { type ErrorCode, isErrorCode } from '../core/errors.ts';
export type { components, paths } from './api-types.ts';
export {
  ApiError,
  createClient,
  type Destination,
  type InlayClient,
  ServiceUnreachable,
  UnexpectedAnswer,
} from './create-client.ts';
export { FeedGap, type FeedState, type FollowOptions, followFeed } from './follow-feed.ts';
export type * from './shapes.ts';
export type { LogState } from './verify-log.ts';
export { FeedRewritten } from './verify-log.ts';
export { verifyWebhook, type WebhookEvent, type WebhookEventType, WebhookRejected } from './verify-webhook.ts';
