/**
 * How an operation may refuse, for the document: the codes that follow from the settings of its route and those that it
 * adds (`refuses`), the fields of an error, and the headers of each response.
 */
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { ERRORS, type ErrorCode, type RefusalFields } from '../../core/errors.ts';
import { TRANSMISSION_STATES } from '../../wire/order.ts';

/** Any request can be malformed, for example by a repeated header, or too slow, too large or one too many. */
const OF_ANY_ROUTE: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];
const OF_KEYS: readonly ErrorCode[] = [
  'missing_credentials',
  'invalid_key',
  'revoked_key',
  'operator_suspended',
  'operator_not_permitted',
  'address_not_allowed',
];
const OF_TOKENS: readonly ErrorCode[] = [
  'missing_credentials',
  'invalid_token',
  'session_expired',
  'session_revoked',
  'embed_unavailable',
];
const OF_SESSIONS: readonly ErrorCode[] = [...OF_TOKENS, 'operator_suspended', 'origin_not_allowed'];
const OF_BODIES: readonly ErrorCode[] = ['invalid_json', 'payload_too_large'];

/** @returns the codes with which an operation may refuse, in the order of the table of codes */
export function refusalsOf(config: FastifyContextConfig, schema: FastifySchema): ErrorCode[] {
  const { auth, scopes = [], sandboxOnly, userHeader, alsoSuspended, invalidBody, invalidFields = {} } = config;
  const codes = new Set<ErrorCode>([
    ...OF_ANY_ROUTE,
    ...(auth === 'key' ? OF_KEYS : []),
    ...(auth === 'embed' ? OF_SESSIONS : []),
    ...(auth === 'embed' && alsoSuspended !== true ? (['user_suspended'] as const) : []),
    ...(scopes.length > 0 ? (['insufficient_scope'] as const) : []),
    ...(sandboxOnly === true ? (['sandbox_only'] as const) : []),
    ...(userHeader === true ? (['missing_user'] as const) : []),
    ...(hasCursor(schema) ? (['invalid_cursor'] as const) : []),
    ...(schema.body === undefined ? [] : OF_BODIES),
    ...(invalidBody === undefined ? [] : [invalidBody]),
    ...Object.values(invalidFields),
    ...(config.mayPresentToken === true ? OF_TOKENS : []),
    ...(config.refuses ?? []),
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

function hasCursor({ querystring }: FastifySchema): boolean {
  const { properties = {} } = (querystring ?? {}) as { properties?: object };
  return 'cursor' in properties;
}

const text = (description: string) => ({ type: 'string', description });
const whole = (description: string) => ({ type: 'integer', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/** Fields that only commands report. */
type OfCommands = 'rule' | 'entryId';

/** Fields that some codes add to the body. */
const FIELDS: Readonly<Record<Exclude<keyof RefusalFields, OfCommands>, object>> = {
  maxStake: {
    type: 'number',
    description:
      'The largest stake that would be accepted, in dollars, for display. Present if a limit, a ceiling or the depth of the book refused the stake.',
  },
  orderId: text('Id of the order that used the quote, or that has your `clientOrderId`.'),
  executionRef: text('Support reference of that order.'),
  transmissionState: {
    ...text('Of a refused cancellation: the reason why the order cannot be withdrawn.'),
    enum: TRANSMISSION_STATES,
  },
  reason: text('`jurisdiction` if the place of the customer is the reason for `market_not_offered`.'),
  cap: text('Of `over_tenant_exposure`: the cap of the account that the order would exceed.'),
  required: texts('The scopes that the route needs.'),
  missing: texts('The scopes of `required` that the key does not have.'),
  retryAfterSeconds: whole('Seconds to wait before a retry; the same number as in the header `Retry-After`.'),
  detail: {
    type: 'array',
    description: 'The invalid fields.',
    items: {
      type: 'object',
      required: ['path'],
      properties: { path: text('Path of the field, with dots.'), message: text('Description of the mistake.') },
    },
  },
  supported: texts('Of `invalid_type`: the types that exist.'),
  sports: texts('Of `invalid_sport`: the sports that the operator is offered.'),
  size: whole('Number of items in the newest checkpoint.'),
  lastSequence: whole('Of `cursor_ahead`: the number of the last item.'),
  epoch: whole('Of `cursor_ahead`: number that rises each time the service is restored to an earlier point.'),
};

/** The body of every refusal. */
export const ERROR_SCHEMA = {
  type: 'object' as const,
  description:
    'Branch on `error`, because `message` is text for people. Some codes add fields, and later versions may add more.',
  required: ['error', 'message'],
  properties: {
    error: {
      type: 'string' as const,
      description: 'Code of the refusal. Each operation lists the codes that it may return.',
    },
    message: { type: 'string' as const, description: 'Text for people. Never branch on it.' },
    ...FIELDS,
  },
};

const WHOLE_NUMBER = { type: 'integer' as const, minimum: 0 };

/** The headers of responses, which refer to them by name. */
export const HEADERS = {
  'RateLimit-Limit': { description: 'Requests per minute that the key or the session may make.', schema: WHOLE_NUMBER },
  'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: WHOLE_NUMBER },
  'RateLimit-Reset': { description: 'Seconds until the next minute begins.', schema: WHOLE_NUMBER },
  'Retry-After': { description: 'Seconds to wait before the request is sent again.', schema: WHOLE_NUMBER },
  ETag: {
    description: 'Version of the response. Send it as `If-None-Match` to get 304 if nothing has changed.',
    schema: { type: 'string' as const },
  },
  'WWW-Authenticate': {
    description: 'The scheme that is expected: `Bearer` with an API key, `Embed` with the token of a session.',
    schema: { type: 'string' as const, enum: ['Bearer', 'Embed'] },
  },
};

type HeaderName = keyof typeof HEADERS;

const RATE: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** Refusals that do not depend on the budget. */
const BEFORE_BUDGET: ReadonlySet<number> = new Set([401, 408, 431, 503]);
const EVENTS_LIST = '/api/v1/events';
/** The list of events sends no rate headers with these (contract 35.7). */
const SILENT_OF_EVENTS: ReadonlySet<number> = new Set([400, 500]);

/** The headers of a response. http/auth.ts decides which refusals really carry `RateLimit-*`. */
export function headersOf(
  status: number,
  { auth, addressLimit, rateHeaders = true, revalidates }: FastifyContextConfig,
  url: string,
): HeaderName[] {
  const isMetered = auth === 'key' || auth === 'embed' || addressLimit !== undefined;
  const isSilent = BEFORE_BUDGET.has(status) || (url === EVENTS_LIST && SILENT_OF_EVENTS.has(status));
  return [
    ...(isMetered && rateHeaders && !isSilent ? RATE : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(revalidates === true && (status === 200 || status === 304) ? (['ETag'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
}

/** Codes of one status under the name of their shared response. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  InvalidRequest: ['invalid_request'],
  InvalidBody: ['invalid_request', 'invalid_json'],
  InvalidPage: ['invalid_cursor', 'invalid_request'],
  KeyRefused: ['missing_credentials', 'invalid_key', 'revoked_key'],
  TokenRefused: ['missing_credentials', 'invalid_token', 'session_expired', 'session_revoked'],
  OperatorRefused: ['insufficient_scope', 'operator_suspended', 'operator_not_permitted', 'address_not_allowed'],
  SandboxRefused: [
    ...(['insufficient_scope', 'operator_suspended', 'operator_not_permitted', 'address_not_allowed'] as const),
    'sandbox_only',
  ],
  SessionRefused: ['operator_suspended', 'origin_not_allowed', 'user_suspended'],
  RequestTimeout: ['request_timeout'],
  PayloadTooLarge: ['payload_too_large'],
  RateLimited: ['rate_limited'],
  HeadersTooLarge: ['headers_too_large'],
  InternalError: ['internal_error'],
  ServiceUnavailable: ['service_unavailable'],
  EmbedUnavailable: ['embed_unavailable', 'service_unavailable'],
};

/**
 * The names of shared refusals, by their codes and the names of their headers as JSON. Routes that never send `RateLimit-*`
 * share others.
 */
export const SHARED_REFUSALS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SHARED).flatMap(([name, codes]) => {
    const status = ERRORS[codes[0] as ErrorCode].status;
    const metered = headersOf(status, { auth: 'key' }, '');
    const silent = headersOf(status, { auth: 'none' }, '');
    return [
      [JSON.stringify([codes, silent]), metered.length === silent.length ? name : `${name}WithoutRateHeaders`],
      [JSON.stringify([codes, metered]), name],
    ] as const;
  }),
);
