/**
 * Calls of the frame to the service, always with the session's token in the header and never in an address. It records when
 * the service is unavailable and when it is available again; the views decide what to show.
 */
import { signal } from '@preact/signals';
import type { RefusalFields } from '../core/errors.ts';
import { learnTime } from './service-clock.ts';
import { currentToken, nextToken, tokenRefused } from './session/session.ts';

/** True while the service does not answer. */
export const away = signal(false);
/** Counts how often the service became available again; views reload when it changes. */
export const returns = signal(0);

/** A refusal by the service, with its code. */
export class ServiceRefusal extends Error {
  readonly code: string;
  readonly extra: RefusalFields;

  constructor(code: string, extra: RefusalFields) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

/** The service did not answer; it is unknown whether it executed the request. */
export class ServiceAway extends Error {}

const TIMEOUT_MS = 12_000;
const TOKEN_WAIT_MS = 30_000;
const PROBE_MS = 2_000;

export interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A call of `/api/embed`. If the token has expired, the call is repeated once with a new one; this is safe because orders carry their key.
 * @throws ServiceRefusal, ServiceAway, AbortError
 */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const token = currentToken() ?? (await waitForToken());
  try {
    return await send<Answer>(path, token, options);
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || !isTokenProblem(error.code)) {
      throw error;
    }
    const next = waitForToken();
    tokenRefused(error.code, token);
    return send<Answer>(path, await next, options);
  }
}

/** The same with a given token and without side effects, to check a new token. */
export async function send<Answer>(path: string, token: string, { body, signal }: CallOptions = {}): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`/api/embed${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Embed ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: 'omit',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    learnTime(response.headers.get('date'));
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    markAway();
    throw new ServiceAway();
  }
  const { error: code, ...extra } = answer as { error?: string } & RefusalFields;
  if (response.ok) {
    markBack();
    return answer as Answer;
  }
  if (response.status >= 502 && code !== 'embed_unavailable') {
    markAway();
    throw new ServiceAway();
  }
  throw new ServiceRefusal(code ?? 'internal_error', extra);
}

export function isTokenProblem(code: string): boolean {
  return ['missing_credentials', 'invalid_token', 'session_expired', 'session_revoked'].includes(code);
}

let probing: number | undefined;

/** Checks every two seconds whether the service is available again, so that the page recovers within ten. */
export function markAway(): void {
  away.value = true;
  probing ??= window.setInterval(() => {
    fetch('/api/health', { credentials: 'omit', signal: AbortSignal.timeout(PROBE_MS) })
      .then((response) => response.ok && markBack())
      .catch(() => {});
  }, PROBE_MS);
}

function markBack(): void {
  if (!away.value) {
    return;
  }
  window.clearInterval(probing);
  probing = undefined;
  away.value = false;
  returns.value += 1;
}

async function waitForToken(): Promise<string> {
  try {
    return await nextToken(TOKEN_WAIT_MS);
  } catch {
    throw new ServiceRefusal('session_expired', {});
  }
}
