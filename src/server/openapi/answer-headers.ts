/** The headers of answers in the OpenAPI document. Which refusals carry `RateLimit-*` is decided in `http/rate-headers.ts`. */
import type { FastifyContextConfig } from 'fastify';

const whole = { type: 'integer' as const, minimum: 0 };

/** Answers refer to them by name. */
export const HEADERS = {
  'RateLimit-Limit': { description: 'Requests a minute that the key, or the session, may make.', schema: whole },
  'RateLimit-Remaining': { description: 'What is left of them in this minute.', schema: whole },
  'RateLimit-Reset': { description: 'Seconds until the next minute begins.', schema: whole },
  'Retry-After': { description: 'Seconds to wait before the request is sent again.', schema: whole },
  ETag: { description: 'Send it as `If-None-Match`: 304 if nothing has changed.', schema: { type: 'string' as const } },
  'WWW-Authenticate': {
    description: 'The scheme that is expected: `Bearer` with an API key, `Embed` with the token of a session.',
    schema: { type: 'string' as const, enum: ['Bearer', 'Embed'] },
  },
};

type HeaderName = keyof typeof HEADERS;

const RATE: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** Refused before, or without, a look at the budget. */
const BEFORE_BUDGET: ReadonlySet<number> = new Set([401, 408, 431, 503]);
/** The list of events has none on these (contract 35.7). */
const EVENTS_LIST = '/api/v1/events';
const SILENT_OF_EVENTS: ReadonlySet<number> = new Set([400, 500]);

export function headersOf(
  status: number,
  { auth, budget, rateHeaders = true, revalidates }: FastifyContextConfig,
  url: string,
): HeaderName[] {
  const isMetered = auth === 'key' || auth === 'embed' || budget === 'images';
  const isSilent = BEFORE_BUDGET.has(status) || (url === EVENTS_LIST && SILENT_OF_EVENTS.has(status));
  return [
    ...(isMetered && rateHeaders && !isSilent ? RATE : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(revalidates === true && (status === 200 || status === 304) ? (['ETag'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
  ];
}
