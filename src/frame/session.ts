/**
 * The session of the frame, and the messages that it exchanges with the page around it (contract chapter 31). It requests a
 * token from the page, watches it until it expires, and requests the next one. The token is kept in memory only, and no market
 * is shown without a session. Messages go only to registered origins, and are accepted only from the embedding window at one of
 * them; one with another shape, or one that is too large, is ignored.
 */
import { signal } from '@preact/signals';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { FrameSession } from '../wire/embed.ts';
import { type PresentationSource, THEME_KEYS } from '../wire/presentation.ts';
import { boot } from './boot.ts';

type SessionReason = 'missing' | 'expired' | 'revoked';

type SessionState =
  | { readonly status: 'waiting'; readonly reason: SessionReason; readonly late: boolean }
  | { readonly status: 'ready'; readonly facts: FrameSession }
  | { readonly status: 'refused'; readonly code: string };

/** Intervals between requests for a token, because the page may start to listen after the frame starts to request. */
const ASK_AGAIN_MS = [500, 1_000, 1_500, 2_000, 5_000, 15_000];
/** After this many repetitions, five seconds after the first request, the frame explains why it waits. */
const LATE_AFTER = 4;
/** A session is renewed this long before it expires, or a tenth of its lifetime before if that is shorter. */
const RENEW_BEFORE_MS = 20_000;

export const session = signal<SessionState>({ status: 'waiting', reason: 'missing', late: false });

let token: string | null = null;
/** The token that was refused. If the page sends it again, the service is not called again. */
let refused: string | null = null;
let asking: number | undefined;
let renewing: number | undefined;
let reading: (token: string) => Promise<void> = async () => {};
const waiting = new Set<(token: string) => void>();

export function currentToken(): string | null {
  return token;
}

/** Requests the first token. @param read checks a token with the service, and reports its session or its refusal here */
export function startSession(read: (token: string) => Promise<void>): void {
  reading = read;
  ask('missing');
}

/** Handles a token that the page sent. */
export function takeToken(sent: string): void {
  if (sent === refused || sent === token) {
    return;
  }
  token = sent;
  window.clearTimeout(asking);
  asking = undefined;
  void reading(sent);
}

/** The service accepted the token: the session begins, and calls that waited for a token continue. */
export function putOn(facts: FrameSession): void {
  session.value = { status: 'ready', facts };
  window.clearTimeout(renewing);
  const left = facts.expiresInSeconds * 1000;
  renewing = window.setTimeout(() => ask('expired'), Math.max(0, left - Math.min(RENEW_BEFORE_MS, left / 10)));
  if (token !== null) {
    for (const resume of waiting) {
      resume(token);
    }
  }
  waiting.clear();
}

/** The service refused the token with 401. The screen stays as it is while another token is requested. */
export function tokenRefused(code: string, presented: string): void {
  refused = presented;
  if (token !== presented) {
    return;
  }
  token = null;
  ask(code === 'session_expired' ? 'expired' : code === 'session_revoked' ? 'revoked' : 'missing');
}

/** The service refuses the session for a reason that another token would not change. */
export function sessionRefused(code: string): void {
  window.clearTimeout(asking);
  session.value = { status: 'refused', code };
}

/** The service cannot check the token at the moment. */
export function sessionLate(): void {
  if (session.value.status === 'waiting') {
    session.value = { ...session.value, late: true };
  }
}

/** Starts again at once, because the customer pressed the button. */
export function requestSession(): void {
  const { value } = session;
  if (value.status !== 'waiting') {
    return;
  }
  session.value = { ...value, late: false };
  if (token === null) {
    ask(value.reason);
  } else {
    void reading(token);
  }
}

/** Resolves with the next valid token. @throws if there is none within the time */
export function nextToken(timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(() => {
      waiting.delete(resume);
      reject(new Error('no session'));
    }, timeoutMs);
    const resume = (next: string) => {
      window.clearTimeout(timer);
      resolve(next);
    };
    waiting.add(resume);
  });
}

/** Requests a token from the page, repeatedly until one arrives. */
function ask(reason: SessionReason, attempt = 0): void {
  window.clearTimeout(asking);
  requireSession(boot.origins, reason);
  const isOver = session.value.status !== 'ready' || token === null;
  if (attempt >= LATE_AFTER && isOver) {
    session.value = { status: 'waiting', reason, late: true };
  } else if (session.value.status === 'waiting') {
    session.value = { ...session.value, reason };
  }
  const wait = ASK_AGAIN_MS[Math.min(attempt, ASK_AGAIN_MS.length - 1)];
  asking = window.setTimeout(() => ask(reason, attempt + 1), wait);
}

interface PageMessages {
  onToken(token: string): void;
  onTheme(theme: PresentationSource): void;
}

const TOKEN = /^ies1\.[0-9A-Za-z-]{1,40}\.[0-9A-Za-z_-]{16,100}\.[0-9A-Za-z_-]{16,100}$/;
const LONGEST_TOKEN = 256;
const MOST_KEYS = 32;
const LONGEST_VALUE = 256;

/** @returns a function that stops listening */
export function listenToPage(origins: readonly string[], messages: PageMessages): () => void {
  const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || source === window || !origins.includes(origin) || !isJsonObject(data)) {
      return;
    }
    if (data['type'] === 'service.session') {
      const token = data['token'];
      if (hasOnly(data, ['type', 'token']) && isToken(token)) {
        messages.onToken(token);
      }
    } else if (data['type'] === 'service.theme') {
      const theme = data['theme'];
      if (hasOnly(data, ['type', 'theme']) && isJsonObject(theme) && isSmall(theme)) {
        messages.onTheme(readTheme(theme));
      }
    }
  };
  window.addEventListener('message', hear);
  return () => window.removeEventListener('message', hear);
}

function readTheme(theme: JsonObject): PresentationSource {
  return Object.fromEntries(THEME_KEYS.filter((key) => Object.hasOwn(theme, key)).map((key) => [key, theme[key]]));
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TOKEN && TOKEN.test(value);
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((key) => names.includes(key));
}

function isSmall(theme: JsonObject): boolean {
  const entries = Object.entries(theme);
  return (
    entries.length <= MOST_KEYS &&
    entries.every(([key, value]) => key.length <= 64 && (typeof value !== 'string' || value.length <= LONGEST_VALUE))
  );
}

/** Pixels. */
const LEAST_CHANGE = 24;

/** Reports the height of the content to the page (`sizing=auto`) if it changed by 24 pixels or more, at most once per animation frame. */
export function followHeight(content: Element): void {
  let reported = Number.NEGATIVE_INFINITY;
  let planned = false;
  const look = () => {
    planned = false;
    const height = Math.ceil(content.getBoundingClientRect().height);
    if (Math.abs(height - reported) < LEAST_CHANGE) {
      return;
    }
    reported = height;
    tellHeight(boot.origins, height);
  };
  new ResizeObserver(() => {
    if (planned) {
      return;
    }
    planned = true;
    requestAnimationFrame(look);
  }).observe(content);
}

function requireSession(origins: readonly string[], reason: SessionReason): void {
  tell(origins, { type: 'service.session.required', reason });
}

/** @param height of the content, in pixels */
function tellHeight(origins: readonly string[], height: number): void {
  tell(origins, { type: 'service.height_changed', height });
}

/** The registered origin of the page around the frame. Null if the browser does not reveal it, or if there is no page. */
export function pageOrigin(origins: readonly string[]): string | null {
  const { ancestorOrigins } = window.location as Partial<Location>;
  const said = ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin ?? '';
  return window.parent !== window && origins.includes(said) ? said : null;
}

/**
 * Sends a message to the page. If its origin is unknown, the message goes to each registered origin: the browser delivers it to
 * the page's own, and reports each of the others as an error in the page's console.
 */
function tell(origins: readonly string[], message: object): void {
  if (window.parent === window) {
    return;
  }
  const page = pageOrigin(origins);
  for (const origin of page === null ? origins : [page]) {
    window.parent.postMessage(message, origin);
  }
}
