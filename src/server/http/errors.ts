/**
 * Renders every failure as `{ error, message, ... }` with the status of its code. It reveals no stack, query or venue, and
 * does not throw: if rendering a failure fails, the response is a fixed `internal_error`.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, Refusal, refuse } from '../../core/errors.ts';
import { ownValue } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import type { BooksWatch } from '../../db/books-witness.ts';
import { isDatabaseAway, isDatabaseShort, isUnstorableInput } from '../../db/database-errors.ts';
import { JSON_TYPE } from '../ready.ts';
import { withdrawRateHeaders } from './auth.ts';
import { noteOrder } from './hooks.ts';
import { hasNoBody } from './requests.ts';

const LAST_RESORT = JSON.stringify({ error: 'internal_error', message: ERRORS.internal_error.message });

/** @param books records that the database has no space left, which health reports */
export function createErrorHandler(log: Logger, books: Pick<BooksWatch, 'noteShortage'>) {
  return function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    try {
      if (isBrokenOff(request)) {
        log.debug({ requestId: request.id, route: request.routeOptions.config.url }, 'the client aborted its request');
        sendRefusal(request, reply, refuse('invalid_request', 'The request was incomplete.'));
        return;
      }
      if (isDatabaseShort(error)) {
        books.noteShortage();
      }
      const refusal = readRefusal(error, request);
      if (refusal.status >= 500 && !(error instanceof Refusal)) {
        log.error({ err: error, requestId: request.id, route: request.routeOptions.config.url }, 'request failed');
      }
      sendRefusal(request, reply, refusal);
    } catch (failure) {
      log.error({ err: failure, requestId: request.id }, 'could not render the error of a request; sent a plain 500');
      reply.code(500).type(JSON_TYPE).send(LAST_RESORT);
    }
  };
}

/** Sends a refusal with the headers that its status requires. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  withdrawRateHeaders(request, reply, refusal.status, refusal.code);
  const { retryAfterSeconds, orderId } = refusal.extra;
  noteOrder(request, orderId);
  if (typeof retryAfterSeconds === 'number') {
    reply.header('retry-after', retryAfterSeconds);
  } else if (refusal.status === 503) {
    reply.header('retry-after', 1);
  }
  if (refusal.status === 401) {
    reply.header('www-authenticate', request.routeOptions.config.auth === 'key' ? 'Bearer' : 'Embed');
  }
  reply
    .code(refusal.status)
    .type(JSON_TYPE)
    .send(JSON.stringify({ error: refusal.code, message: refusal.message, ...refusal.extra }));
}

/**
 * Whether the client closed the connection before its body was complete. Reading such a body fails with ECONNRESET, which
 * would otherwise be taken for a lost connection to the database.
 */
function isBrokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** The refusal that a thrown value means for the caller. */
function readRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) {
    return 'validationContext' in error ? readInvalid(error, request) : error;
  }
  if (isDatabaseAway(error)) {
    return refuse('service_unavailable');
  }
  if (isUnstorableInput(error)) {
    return refuse('invalid_request');
  }
  return readFrameworkError(error as FastifyError | undefined);
}

function readInvalid(refusal: Refusal, request: FastifyRequest): Refusal {
  const { config } = request.routeOptions;
  const isBody = 'validationContext' in refusal && refusal.validationContext === 'body';
  if (isBody && hasNoBody(request)) {
    return refuse('invalid_json', 'The body is empty; send a JSON object.');
  }
  const first = refusal.extra.detail?.[0];
  const field = first?.path.split('.')[0] ?? '';
  const code = ownValue(config.invalidFields ?? {}, field) ?? (isBody ? config.invalidBody : undefined);
  return code === undefined ? refusal : refuse(code, refusal.message, refusal.extra);
}

function readFrameworkError(error: FastifyError | undefined): Refusal {
  switch (error?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return refuse('invalid_request', 'The request line or a header is malformed.');
    default:
      break;
  }
  const status = error?.statusCode ?? 500;
  return status >= 400 && status < 500 ? refuse('invalid_request') : refuse('internal_error');
}
