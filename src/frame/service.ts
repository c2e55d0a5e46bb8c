/**
 * Calls the service for the frame, always with the session's token in the header and never in an address. It records when the
 * service is unavailable and when it is available again, loads the data of a view, and estimates the service's clock; the views
 * decide what to show.
 */
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RefusalFields } from '../core/errors.ts';
import { currentToken, nextToken, sessionRefused, tokenRefused } from './session.ts';

/** The reason why the service does not respond now, or null. `busy` means that it refused further requests for the moment. */
export const away = signal<'unreachable' | 'busy' | null>(null);
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

/** The service did not respond; it is unknown whether it executed the request. */
export class ServiceAway extends Error {}

const TIMEOUT_MS = 12_000;
const TOKEN_WAIT_MS = 30_000;
const PROBE_MS = 2_000;
/** If the service is busy again soon after it returned, the frame waits longer before it tries again, up to this long. */
const LONGEST_WAIT_MS = 15_000;
/** A service that was available for this long starts again with the shortest wait. */
const CALM_MS = 30_000;

interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `/api/embed`. If the token has expired, the call is repeated once with a new one; this is safe because orders carry their
 * key. If the customer was suspended meanwhile, the frame shows only the customer's holdings.
 * @throws ServiceRefusal, ServiceAway, AbortError
 */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  const token = currentToken() ?? (await waitForToken());
  try {
    return await send<Answer>(path, token, options);
  } catch (error) {
    if (error instanceof ServiceRefusal && error.code === 'user_suspended') {
      sessionRefused(error.code);
    }
    if (!(error instanceof ServiceRefusal) || !isTokenProblem(error.code)) {
      throw error;
    }
    const next = waitForToken();
    tokenRefused(error.code, token);
    return send<Answer>(path, await next, options);
  }
}

/** Calls `/api/embed` once with a given token. A refusal leaves the session as it is, so a new token can be checked with it. */
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
    markAway(response.status === 503 ? 'busy' : 'unreachable', retryAfterMs(response));
    throw new ServiceAway();
  }
  throw new ServiceRefusal(code ?? 'internal_error', extra);
}

export function isTokenProblem(code: string): boolean {
  return ['missing_credentials', 'invalid_token', 'session_expired', 'session_revoked'].includes(code);
}

let probing: number | undefined;
/** No probe is sent before this moment. */
let quietUntil = 0;
let backAt = 0;
let relapses = 0;

/**
 * Marks the service as unavailable and checks every two seconds whether it is back, so that the page recovers within ten. A busy
 * service is not called for as long as it requires, and longer each time that it is busy again.
 * @param waitMs the time that the service requires
 */
export function markAway(why: 'unreachable' | 'busy' = 'unreachable', waitMs = 0): void {
  const now = Date.now();
  if (away.peek() === null) {
    relapses = now - backAt < CALM_MS ? relapses + 1 : 0;
  }
  away.value = why;
  if (why === 'busy') {
    // Without the random part all frames would return at the same moment.
    const wait = Math.max(waitMs, Math.min(LONGEST_WAIT_MS, relapses * PROBE_MS));
    quietUntil = Math.max(quietUntil, now + wait * (1 + Math.random() / 4));
  }
  probing ??= window.setInterval(() => Date.now() >= quietUntil && probe(), PROBE_MS);
}

// A stream that is already open may stay open for a while after the device has gone offline, so the stream alone is not enough.
window.addEventListener('offline', () => markAway());
window.addEventListener('online', probe);

/** Checks at once whether the service is available again. */
export function probe(): void {
  fetch('/api/health', { credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })
    .then((response) => response.ok && markBack())
    .catch(() => {});
}

function markBack(): void {
  if (away.value === null) {
    return;
  }
  window.clearInterval(probing);
  probing = undefined;
  backAt = Date.now();
  away.value = null;
  returns.value += 1;
}

/** The service sends `Retry-After` in seconds. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 60) * 1_000 : 0;
}

async function waitForToken(): Promise<string> {
  try {
    return await nextToken(TOKEN_WAIT_MS);
  } catch {
    throw new ServiceRefusal('session_expired', {});
  }
}

export interface Loading<Data> {
  readonly data: Data | null;
  /** The error code, or null. */
  readonly failed: string | null;
  readonly busy: boolean;
}

/**
 * Loads the data of a view. The old data stay while it reloads. It also reloads when the service is available again, and when the
 * wait that a refusal demands is over.
 * @param keys a change of one of them reloads; a change of the first one also drops the old data
 */
export function useLoading<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  keys: readonly unknown[],
): { readonly state: Signal<Loading<Data>>; readonly again: () => void } {
  const state = useSignal<Loading<Data>>({ data: null, failed: null, busy: true });
  const turn = useSignal(0);
  const shown = useSignal<unknown>(keys[0]);
  const returned = returns.value;
  useEffect(() => {
    const stop = new AbortController();
    let waiting: number | undefined;
    const kept = shown.peek() === keys[0] ? state.peek().data : null;
    shown.value = keys[0];
    state.value = { data: kept, failed: null, busy: true };
    load(stop.signal).then(
      (data) => {
        if (!stop.signal.aborted) {
          state.value = { data, failed: null, busy: false };
        }
      },
      (error: unknown) => {
        if (stop.signal.aborted) {
          return;
        }
        const failed = error instanceof ServiceRefusal ? error.code : 'away';
        state.value = { ...state.peek(), failed, busy: false };
        if (error instanceof ServiceRefusal && typeof error.extra.retryAfterSeconds === 'number') {
          waiting = window.setTimeout(() => {
            turn.value += 1;
          }, error.extra.retryAfterSeconds * 1_000);
        }
      },
    );
    return () => {
      stop.abort();
      window.clearTimeout(waiting);
    };
  }, [...keys, turn.value, returned]);
  return {
    state,
    again: () => {
      turn.value += 1;
    },
  };
}

/** How far the service's clock is ahead of the device's, so that a countdown is right even if the device's clock is wrong. */
let aheadMs = 0;

/** @param date the Date header of a response, accurate to a second */
function learnTime(date: string | null): void {
  const sent = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(sent)) {
    return;
  }
  const ahead = sent + 500 - Date.now();
  // With a header that is accurate to a second only, small differences are noise.
  aheadMs = Math.abs(ahead) < 1_500 ? 0 : ahead;
}

/** Milliseconds since 1970, on the service's clock. */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}
