/** The one error that a refusal of the API is thrown as. */
import { ERRORS, isErrorCode } from '../core/errors.ts';

export class ApiError extends Error {
  override name = 'ApiError';
  /** Branch on it, never on the message. */
  readonly code: string;
  readonly status: number;
  /** Names the request to support; undefined where something else than the service answered. */
  readonly requestId: string | undefined;
  /** What refused it passes by itself: the same request may be taken a little later, an order under the same clientOrderId. */
  readonly retryable: boolean;
  /** Of `rate_limited`: when the next request is taken. */
  readonly retryAfterSeconds: number | undefined;
  /** What was answered, with the fields that some codes add. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, requestId: string | undefined, body: unknown) {
    const fields = typeof body === 'object' && body !== null ? { ...(body as Record<string, unknown>) } : {};
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

/** @param response one that was refused; its body is read here. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id') ?? undefined;
  try {
    return new ApiError(response.status, requestId, JSON.parse(text));
  } catch {
    return new ApiError(response.status, requestId, undefined);
  }
}
