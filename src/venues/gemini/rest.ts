/**
 * Requests to Gemini's REST interface: public ones and, if the deployment has a key, ones that are signed by the clock of the exchange.
 * The host comes only from configuration.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GeminiSettings } from '../../core/venue-settings.ts';
import { originOf, withKey } from '../adapter.ts';
import {
  CLOCK_TIMEOUT_MS,
  foundOrMissing,
  openVenueClock,
  openVenueHttp,
  serverTime,
  TIMEOUT_MS,
  type VenueAnswer,
} from '../http.ts';
import { openKeyFile } from '../key-file.ts';
import { type Locate, type MayWrite, VenueUnknown } from '../port.ts';
import { misfit, parseExact } from '../shapes.ts';
import { geminiRefusal } from './shapes.ts';

export const EVENTS_PATH = '/v1/prediction-markets/events';

export interface GeminiRest {
  /** Whether requests can be signed, which our account and orders need. */
  readonly signs: boolean;
  /** A public request. @returns a response with status 200 or 404. @throws VenueUnknown for any other status */
  get(path: string): Promise<VenueAnswer>;
  /**
   * A signed request.
   * @param path without a query
   * @returns a response with any status below 500 that shows that the exchange processed the request
   * @throws VenueUnknown
   */
  call(path: string, parameters?: object, options?: GeminiCall): Promise<VenueAnswer>;
  /** A signed request. @returns the body of a response with status 200. @throws VenueUnknown for any other status */
  ask(path: string, parameters?: object, options?: GeminiCall): Promise<unknown>;
  /** The exchange's clock. @throws VenueUnknown */
  serverTime(): Promise<Date>;
  /** Headers that sign the handshake of a stream. @throws VenueUnknown without a key */
  handshake(): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

interface GeminiCall {
  /** Appended to the address; it is not signed. */
  readonly query?: string;
  readonly method?: 'GET' | 'POST';
  readonly mayWrite?: MayWrite;
  readonly timeoutMs?: number;
}

type KeySettings = Pick<GeminiSettings, 'keyId' | 'secretFile'>;

export function openGeminiRest(venue: string, locate: Locate, settings: KeySettings): GeminiRest {
  const http = openVenueHttp(venue, geminiRefusal, undefined, parseExact);
  const credentials = openCredentials(settings);

  const origin = () => originOf(venue, venue, locate);
  const readTime = async () =>
    serverTime(venue, await http.call('GET', `${await origin()}${EVENTS_PATH}?limit=1`, CLOCK_TIMEOUT_MS));
  const clock = openVenueClock(readTime);

  /** @throws VenueUnknown with `notTaken` if there is no key, or its secret cannot be read */
  function signed<T>(sign: (known: GeminiCredentials) => T): T {
    if (credentials === undefined) {
      throw new VenueUnknown(venue, 'this needs an API key', { notTaken: true });
    }
    return withKey(venue, () => sign(credentials()));
  }

  async function call(path: string, parameters: object = {}, options: GeminiCall = {}): Promise<VenueAnswer> {
    const { query = '', method = 'POST', mayWrite, timeoutMs = TIMEOUT_MS } = options;
    const url = await origin();
    const nonce = Math.floor((await clock.measured()) / 1_000);
    const headers = {
      'content-type': 'text/plain',
      'cache-control': 'no-cache',
      ...signed((known) => signGemini(known, nonce, path, parameters)),
    };
    // newer endpoints of the exchange read the parameters from the body, older ones from the signed payload
    const body = Object.keys(parameters).length === 0 ? undefined : parameters;
    return http.call(method, `${url}${path}${query}`, timeoutMs, { mayWrite, headers, body });
  }

  return {
    signs: credentials !== undefined,
    get: async (path) => foundOrMissing(venue, path, await http.call('GET', `${await origin()}${path}`, TIMEOUT_MS)),
    call,
    async ask(path, parameters, options) {
      const { status, body } = await call(path, parameters, options);
      if (status !== 200) {
        throw misfit(venue, path, `status ${status}`, body);
      }
      return body;
    },
    serverTime: readTime,
    handshake: () => signed((known) => signGeminiStream(known, Math.floor(clock.now() / 1_000))),
    close: () => http.close(),
  };
}

interface GeminiCredentials {
  readonly keyId: string;
  readonly secret: string;
}

/** @returns undefined if the deployment has no credentials; the secret is read at the first signed request */
function openCredentials({ keyId, secretFile }: KeySettings): (() => GeminiCredentials) | undefined {
  if (keyId === undefined || secretFile === undefined) {
    return undefined;
  }
  const file = openKeyFile('INLAY_GEMINI_SECRET_FILE', secretFile, readGeminiSecret);
  return () => ({ keyId, secret: file.key() });
}

/** Reads the secret from the text of a key file. @throws if it holds none */
export function readGeminiSecret(text: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]{16,200}$/.test(secret)) {
    throw new Error('no secret of an API key');
  }
  return secret;
}

/**
 * Signs the path, a nonce and the parameters of a request (https://developer.gemini.com/authentication/api-key).
 * @param nonce whole seconds since 1970; the exchange refuses a time that is more than 30 seconds from its own
 * @param path without its query
 * @param parameters of the request, which are also its body
 */
export function signGemini(
  credentials: GeminiCredentials,
  nonce: number,
  path: string,
  parameters: object,
): Readonly<Record<string, string>> {
  return headersOf(credentials, JSON.stringify({ request: path, nonce, ...parameters }));
}

/** Signs the handshake of a stream. @param nonce whole seconds since 1970 */
export function signGeminiStream(credentials: GeminiCredentials, nonce: number): Readonly<Record<string, string>> {
  return { 'x-gemini-nonce': String(nonce), ...headersOf(credentials, String(nonce)) };
}

function headersOf({ keyId, secret }: GeminiCredentials, text: string): Readonly<Record<string, string>> {
  const payload = Buffer.from(text).toString('base64');
  return {
    'x-gemini-apikey': keyId,
    'x-gemini-payload': payload,
    'x-gemini-signature': signatureOf(payload, secret),
  };
}

/** HMAC-SHA384 in hexadecimal digits. @param payload in base64 */
function signatureOf(payload: string, secret: string): string {
  return createHmac('sha384', secret).update(payload).digest('hex');
}

/** Whether the signature of a payload was made with the secret. The emulator calls it. */
export function verifyGemini(secret: string, payload: string, signature: string): boolean {
  const [given, right] = [signature, signatureOf(payload, secret)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === right.length && timingSafeEqual(given, right);
}
