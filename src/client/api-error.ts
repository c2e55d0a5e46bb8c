/** The error for every refusal of the API. */
import { ERRORS, isErrorCode } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { nameBody, readText, UnexpectedAnswer } from './transport.ts';

export class ApiError extends Error {
  override name = 'ApiError';
  /** Branch on it, never on the message. */
  readonly code: string;
  readonly status: number;
  /** Give it to support; undefined if something other than the service answered. */
  readonly requestId: string | undefined;
  /** The cause is temporary: the same request may succeed later, an order with the same clientOrderId. */
  readonly retryable: boolean;
  /** Of `rate_limited`: seconds until the next request is accepted. */
  readonly retryAfterSeconds: number | undefined;
  /** The body of the answer, with the fields that some codes add. */
  readonly body: JsonObject;

  constructor(status: number, requestId: string | undefined, body: unknown) {
    const fields = isJsonObject(body) ? { ...body } : {};
    const { error, message, retryAfterSeconds } = fields;
    super(typeof message === 'string' ? message : `The service answered ${status}.`);
    this.code = typeof error === 'string' ? error : 'internal_error';
    this.status = status;
    this.requestId = requestId;
    this.retryable = isErrorCode(this.code) && typeof error === 'string' ? ERRORS[this.code].retryable : status >= 500;
    this.retryAfterSeconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined;
    this.body = fields;
  }
}

const OUR_REQUEST = /^req_/;

/**
 * @param response one that was refused; its body is read here.
 * @returns the refusal, or UnexpectedAnswer if something other than the service answered.
 */
export async function errorOf(response: Response): Promise<ApiError | UnexpectedAnswer> {
  const { status, headers, url } = response;
  return toRefusal({ status, url, header: (name) => headers.get(name) ?? undefined, text: await readText(response) });
}

/** The same for an answer that did not come over `fetch`. */
export function toRefusal(answer: {
  readonly status: number;
  readonly url: string;
  readonly text: string;
  header(name: string): string | undefined;
}): ApiError | UnexpectedAnswer {
  const { status, url, text, header } = answer;
  const requestId = header('x-request-id');
  const body = readObject(text);
  if (requestId !== undefined && OUR_REQUEST.test(requestId)) {
    return new ApiError(status, requestId, body);
  }
  if (typeof body?.['error'] === 'string' && typeof body['message'] === 'string') {
    return new ApiError(status, requestId, body);
  }
  if (status === 429) {
    // also a refusal by a proxy is a rate limit
    const retryAfterSeconds = Number(header('retry-after') ?? Number.NaN);
    const isKnown = Number.isFinite(retryAfterSeconds) && retryAfterSeconds > 0;
    return new ApiError(status, requestId, { error: 'rate_limited', ...(isKnown && { retryAfterSeconds }) });
  }
  return new UnexpectedAnswer(url, status, nameBody(header('content-type')));
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
