/**
 * The messages between page and frame (contract chapter 31). Messages go only to registered origins and
 * are accepted only from the embedding window at one of them. A message with another shape, or one that is too large, is ignored.
 */
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { type PresentationSource, THEME_KEYS } from '../../wire/presentation.ts';

export type SessionReason = 'missing' | 'expired' | 'revoked';

export interface PageMessages {
  onToken(token: string): void;
  onTheme(theme: PresentationSource): void;
}

const TOKEN = /^ies1\.[0-9A-Za-z-]{1,40}\.[0-9A-Za-z_-]{16,100}\.[0-9A-Za-z_-]{16,100}$/;
const LONGEST_TOKEN = 256;
const MOST_KEYS = 32;
const LONGEST_VALUE = 256;

/** @returns a function that stops listening. */
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

export function requireSession(origins: readonly string[], reason: SessionReason): void {
  tell(origins, { type: 'service.session.required', reason });
}

/** @param height of the content, in pixels. */
export function tellHeight(origins: readonly string[], height: number): void {
  tell(origins, { type: 'service.height_changed', height });
}

/** The registered origin of the page around the frame; null if the browser does not say, or if there is no page. */
export function pageOrigin(origins: readonly string[]): string | null {
  const { ancestorOrigins } = window.location as Partial<Location>;
  const said = ancestorOrigins?.[0] ?? URL.parse(document.referrer)?.origin ?? '';
  return window.parent !== window && origins.includes(said) ? said : null;
}

/** Of several origins the browser delivers to the page's own, and reports each of the others as an error in the page's console. */
function tell(origins: readonly string[], message: object): void {
  if (window.parent === window) {
    return;
  }
  const page = pageOrigin(origins);
  for (const origin of page === null ? origins : [page]) {
    window.parent.postMessage(message, origin);
  }
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
