/** The table of all error codes: status and message of the API, exit code of the command line, and whether a retry can help. */

interface ErrorDefinition {
  readonly status: number;
  readonly exitCode: number;
  readonly message: string;
  /** The cause is temporary: the same request may succeed a little later. */
  readonly retryable: boolean;
}

const permanent = (status: number, message: string, exitCode = 1): ErrorDefinition => ({
  status,
  exitCode,
  message,
  retryable: false,
});
const temporary = (status: number, message: string, exitCode = 1): ErrorDefinition => ({
  ...permanent(status, message, exitCode),
  retryable: true,
});

export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  notFound: 3,
  notAuthorised: 4,
  expectationFailed: 5,
  outcomeUnknown: 6,
  rateLimited: 7,
  interrupted: 130,
} as const;

/** The guide to errors lists them for partners (`tools/site/error-tables.ts`). Contract 36.2. */
export const ERRORS = {
  invalid_category: permanent(400, 'No such category.'),
  invalid_sport: permanent(400, 'No such sport.'),
  invalid_sort: permanent(400, 'No such ordering.'),
  invalid_dir: permanent(400, 'dir is asc or desc.'),
  invalid_limit: permanent(400, 'limit is an integer from 1 to 100.'),
  invalid_date: permanent(400, 'Not an ISO-8601 date or date-time of the years 1970 to 9999.'),
  invalid_tradable: permanent(400, 'tradable is true or false.'),
  invalid_cursor: permanent(400, 'The cursor is malformed or was minted under another ordering.'),
  missing_user: permanent(400, 'The X-Service-User header is required on this route.'),
  invalid_request: permanent(400, 'The request is not valid.'),
  invalid_json: permanent(400, 'The body is not JSON.'),
  invalid_origin: permanent(400, 'Not an acceptable origin.'),
  invalid_region: permanent(400, 'No such region.'),
  invalid_jurisdiction: permanent(400, 'country is two letters; subdivision is one to three letters or digits.'),
  invalid_type: permanent(400, 'No such feed item type.'),
  invalid_body: permanent(400, 'The body is not valid.'),
  position_not_open: permanent(400, 'The position is not open.'),
  scenario_invalid: permanent(400, 'The scenario is not valid.'),
  missing_credentials: permanent(401, 'Send the API key as Authorization: Bearer <API_KEY>.', EXIT.notAuthorised),
  invalid_key: permanent(401, 'The API key is not recognised.', EXIT.notAuthorised),
  revoked_key: permanent(401, 'The API key was revoked.', EXIT.notAuthorised),
  invalid_token: permanent(401, 'The embed token is not valid.', EXIT.notAuthorised),
  session_expired: permanent(401, 'The embed session has expired.', EXIT.notAuthorised),
  session_revoked: permanent(401, 'The embed session has ended.', EXIT.notAuthorised),
  insufficient_scope: permanent(403, 'The key lacks a scope that this route needs.', EXIT.notAuthorised),
  operator_suspended: permanent(403, 'The operator is not active.', EXIT.notAuthorised),
  operator_not_permitted: permanent(403, 'The key may not act for that operator.', EXIT.notAuthorised),
  address_not_allowed: permanent(403, 'The API key is not accepted from this address.', EXIT.notAuthorised),
  origin_not_allowed: permanent(403, 'The session is bound to another origin.', EXIT.notAuthorised),
  sandbox_only: permanent(403, 'This route exists for sandbox tenants only.'),
  user_suspended: permanent(403, 'The customer is suspended.'),
  market_not_offered: permanent(403, 'The market is not offered to this customer.'),
  unknown_user: permanent(404, 'No such customer.', EXIT.notFound),
  unknown_event: permanent(404, 'No such event.', EXIT.notFound),
  unknown_order: permanent(404, 'No such order.', EXIT.notFound),
  quote_not_found: permanent(404, 'No such quote.', EXIT.notFound),
  unknown_checkpoint: permanent(404, 'No checkpoint of that size has been signed.', EXIT.notFound),
  market_not_found: permanent(404, 'No such contract.', EXIT.notFound),
  position_not_found: permanent(404, 'No such position.', EXIT.notFound),
  scenario_not_found: permanent(404, 'No such scenario.', EXIT.notFound),
  session_not_found: permanent(404, 'No such embed session.', EXIT.notFound),
  deposit_not_found: permanent(404, 'No such deposit.', EXIT.notFound),
  unsupported_asset: permanent(422, 'The asset is not supported on that chain.'),
  not_found: permanent(404, 'No such route.', EXIT.notFound),
  method_not_allowed: permanent(405, 'The route does not take that method.'),
  quote_expired: permanent(
    409,
    'The quote has expired; request a new quote and let the customer confirm the new price.',
  ),
  quote_already_used: permanent(409, 'Another order has spent this quote.'),
  price_stale: permanent(409, 'The upstream price is too old to trade on; request a new quote.'),
  price_moved: permanent(409, 'The price has moved away from the quote; request a new quote.'),
  price_unverified: permanent(409, 'The price could not be confirmed against the order book; request a new quote.'),
  line_not_available: permanent(409, 'The outcome has no executable price on that side now.'),
  reconciliation_required: permanent(
    409,
    'The venue did not respond; hold the authorization and poll the order.',
    EXIT.outcomeUnknown,
  ),
  cursor_ahead: permanent(
    409,
    'The cursor points past the last item: the service was restored to an earlier point. Compare and start again.',
  ),
  order_cancelled: permanent(409, 'The order was cancelled.'),
  not_an_intent: permanent(409, 'The order is not awaiting a reserve.'),
  order_not_unknown: permanent(409, 'The outcome of this order is known.'),
  order_still_unknown: permanent(
    409,
    'The outcome of the order is still unknown: the reported facts could not be recorded.',
  ),
  contradicts_fills: permanent(409, 'This contradicts the recorded fills.'),
  order_not_cancellable: permanent(409, 'The order may have been sent and cannot be cancelled.'),
  idempotency_conflict: permanent(409, 'This clientOrderId was used for a different order.'),
  resolution_conflict: permanent(409, 'A different resolution was already requested.'),
  market_paused: permanent(409, 'The market is withdrawn or halted.'),
  trading_paused: permanent(409, 'Trading is paused, for this operator or for this market.'),
  request_timeout: temporary(408, 'The request took too long to arrive.'),
  headers_too_large: permanent(431, 'The headers are too large.'),
  payload_too_large: permanent(413, 'The body is larger than 64 KB.'),
  market_unavailable: permanent(422, 'The market was withdrawn or halted.'),
  market_not_open: permanent(422, 'The market is not open.'),
  simulation_not_permitted: permanent(422, 'The stake is above the ceiling for simulated orders.'),
  stake_exceeds_stale_limit: permanent(422, 'The stake is too large for an aged price.'),
  stake_exceeds_available_depth: permanent(422, 'The book is not deep enough for this size.'),
  below_venue_minimum: permanent(422, 'The amount is below the minimum that can be traded.'),
  insufficient_funds: permanent(422, 'The simulated wallet does not hold the stake.'),
  insufficient_position: permanent(422, 'The customer does not hold that many contracts free to sell.'),
  insufficient_collateral: permanent(422, 'The operator has too little collateral available.'),
  sell_not_available: permanent(422, 'The exit would pay nothing.'),
  over_wager_limit: permanent(422, 'The stake is above the limit on one wager.'),
  over_period_limit: permanent(422, 'The stake exceeds the rest of the period limit.'),
  over_order_limit: permanent(422, 'The stake is above the account maximum for one order.'),
  over_tenant_exposure: permanent(422, 'The order would exceed an exposure ceiling of the account.'),
  invalid_operator_book: permanent(422, 'The operator book cannot be bound.'),
  invalid_external_user_id: permanent(422, 'The external user id does not fit an operator book.'),
  invalid_destination: permanent(422, 'The webhook URL is not allowed.'),
  unknown_event_type: permanent(400, 'No such webhook event type.', EXIT.usage),
  too_many_endpoints: permanent(422, 'An operator has at most ten webhook endpoints.'),
  unknown_endpoint: permanent(404, 'No such webhook endpoint.', EXIT.notFound),
  unknown_delivery: permanent(404, 'No such webhook delivery.', EXIT.notFound),
  endpoint_disabled: permanent(409, 'The webhook endpoint is disabled.'),
  delivery_pending: permanent(409, 'The delivery is still being tried.'),
  secret_unreadable: permanent(500, 'A webhook secret was encrypted under another INLAY_SECRET.'),
  period_closed: permanent(409, 'The date is in a closed period, or in the future.'),
  unknown_period: permanent(404, 'No such period was closed.', EXIT.notFound),
  approval_required: permanent(409, 'A second administrator must approve this; nothing was changed.'),
  approval_own: permanent(409, 'A request cannot be approved by the login that made it.'),
  approval_decided: permanent(409, 'This request was decided already.'),
  approval_expired: permanent(409, 'This request has expired.'),
  facts_changed: permanent(409, 'The facts on which this request rests have changed.'),
  unknown_approval: permanent(404, 'No such approval.', EXIT.notFound),
  unknown_operator: permanent(404, 'No such operator.', EXIT.notFound),
  operator_exists: permanent(409, 'An operator with that slug already exists.'),
  mode_in_use: permanent(409, 'The mode of an operator that has keys or customers cannot change.'),
  unknown_key: permanent(404, 'No such API key.', EXIT.notFound),
  rate_limited: temporary(429, 'Too many requests in this minute.', EXIT.rateLimited),
  internal_error: temporary(500, 'An unexpected error occurred.'),
  embed_unavailable: temporary(503, 'Embed sessions are temporarily unavailable.'),
  stream_capacity: temporary(503, 'The price stream is at capacity.'),
  service_unavailable: temporary(503, 'The service is temporarily unavailable.'),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

/** Fields of a refusal's body besides its code and message. Which of them are present depends on the code. */
export interface RefusalFields {
  /** The largest stake that would pass. Dollars, for display. */
  readonly maxStake?: number;
  readonly orderId?: string;
  readonly executionRef?: string;
  readonly transmissionState?: string;
  readonly reason?: string;
  /** The cap of the account that the order would exceed. */
  readonly cap?: string;
  /** The scopes that the route requires; `missing` lists those that the key does not have. */
  readonly required?: readonly string[];
  readonly missing?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** Fields that are wrong, by their path. */
  readonly detail?: readonly { readonly path: string; readonly message?: string }[];
  /** The types of feed items that exist, if the request named an unknown one. */
  readonly supported?: readonly string[];
  /** The sports that have events, if the request named an unknown one. */
  readonly sports?: readonly string[];
  /** The number of items that the newest checkpoint covers. */
  readonly size?: number;
  /** Which rule a webhook's destination breaks. */
  readonly rule?: string;
  /** The end of the feed, if a cursor points past it. */
  readonly lastSequence?: number;
  readonly epoch?: number;
}

/** A refusal with its specified code. Entry points render it; when it is thrown, nothing was changed. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extra: RefusalFields;

  constructor(code: ErrorCode, message: string | undefined, extra: RefusalFields) {
    super(message ?? ERRORS[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.status = ERRORS[code].status;
    this.extra = extra;
  }
}

/** Creates a refusal to throw. `extra` has the fields that the contract adds to the body of this code. */
export function refuse(code: ErrorCode, message?: string, extra: RefusalFields = {}): Refusal {
  return new Refusal(code, message, extra);
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}
