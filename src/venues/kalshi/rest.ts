/** Requests to Kalshi's REST interface, signed where the deployment has a key. Its host comes from configuration alone. */
import { constants, createPrivateKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { openVenueClock, openVenueHttp, type VenueAnswer, type VenueMethod } from '../http.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';
import { type Locate, type MayWrite, VenueUnknown } from '../port.ts';
import { misfit } from '../shapes.ts';
import { kalshiRefusal, kalshiTooMany } from './shapes.ts';

/** Every path begins with it. */
const ROOT = '/trade-api/v2';
const TIMEOUT_MS = 10_000;
const CLOCK_TIMEOUT_MS = 3_000;
/** The `date` header names whole seconds: the moment lies half a second later in the mean. */
const HALF_SECOND_MS = 500;

export interface KalshiRest {
  /** Whether requests are signed, so that our account can be asked and orders sent. */
  readonly signs: boolean;
  /** Any status below 500 that is an answer. @param path behind `/trade-api/v2`. @throws VenueUnknown */
  call(method: VenueMethod, path: string, options?: KalshiCall): Promise<VenueAnswer>;
  /** An answer that is there: 200 or 404. @param language of its texts; English if missing. @throws VenueUnknown for any other. */
  get(path: string, language?: string): Promise<VenueAnswer>;
  /** Headers that sign the handshake of a stream at that path. @throws VenueUnknown without a key */
  handshake(path: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface KalshiCall {
  readonly body?: object;
  readonly mayWrite?: MayWrite;
  readonly timeoutMs?: number;
  readonly language?: string | undefined;
}

interface Signer {
  readonly keyId: string;
  readonly file: KeyFile<KeyObject>;
}

/** Undefined where the deployment has no credentials. The key is read at the first signed request. */
export function kalshiSigner({ keyId, privateKeyFile }: KalshiSettings): Signer | undefined {
  return keyId === undefined || privateKeyFile === undefined
    ? undefined
    : { keyId, file: openKeyFile(privateKeyFile, readKalshiKey) };
}

export function openKalshiRest(venue: string, locate: Locate, signer: Signer | undefined): KalshiRest {
  const http = openVenueHttp(venue, z.union([kalshiRefusal, kalshiTooMany]));
  const clock = openVenueClock(async () => {
    const { date } = await http.call('GET', `${await origin()}${ROOT}/exchange/status`, CLOCK_TIMEOUT_MS);
    if (date === null) {
      throw new VenueUnknown(venue, 'status: no date header', { notTaken: true });
    }
    return new Date(date.getTime() + HALF_SECOND_MS);
  });

  async function origin(): Promise<string> {
    const url = await locate(venue);
    if (url === undefined) {
      throw new VenueUnknown(venue, `the address of ${venue} is not configured`, { notTaken: true });
    }
    return url;
  }

  async function call(method: VenueMethod, path: string, options: KalshiCall = {}): Promise<VenueAnswer> {
    const url = await origin();
    const { body, mayWrite, timeoutMs = TIMEOUT_MS, language } = options;
    const signed = signer && headersFor(venue, signer, await clock.measured(), method, `${ROOT}${path}`);
    const headers = { ...signed, ...(language === undefined ? {} : { 'accept-language': language }) };
    return http.call(method, `${url}${ROOT}${path}`, timeoutMs, { body, mayWrite, headers });
  }

  return {
    signs: signer !== undefined,
    call,
    async get(path, language) {
      const answer = await call('GET', path, { language });
      if (answer.status !== 200 && answer.status !== 404) {
        throw misfit(venue, path, `status ${answer.status}`, answer.body);
      }
      return answer;
    },
    handshake(path) {
      if (signer === undefined) {
        throw new VenueUnknown(venue, 'the stream needs a key', { notTaken: true });
      }
      return headersFor(venue, signer, clock.now(), 'GET', path);
    },
    close: () => http.close(),
  };
}

/** A key that cannot be read is a request that was never made. */
function headersFor(venue: string, { keyId, file }: Signer, nowMs: number, method: VenueMethod, path: string) {
  try {
    return signKalshi(file.key(), keyId, nowMs, method, path);
  } catch (cause) {
    throw new VenueUnknown(venue, (cause as Error).message, { cause, notTaken: true });
  }
}

// Signatures of Kalshi's requests over the time, the method and the path (https://docs.kalshi.com, "API keys"): Ed25519
// or RSA-PSS, whichever the registered key is.

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const;

/**
 * The private key of a PEM file. PKCS#8 files of both kinds begin alike, so that the kind is that of the key itself.
 * @throws for a key of another kind
 */
export function readKalshiKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ed25519') {
    throw new Error('neither an Ed25519 nor an RSA key');
  }
  return key;
}

/** The text that is signed. @param path from the root of the host, without its query. */
function signedText(timestampMs: string, method: string, path: string): Buffer {
  return Buffer.from(`${timestampMs}${method}${path.split('?')[0]}`);
}

export interface KalshiHeaders extends Readonly<Record<string, string>> {
  readonly 'kalshi-access-key': string;
  /** Milliseconds since 1970. */
  readonly 'kalshi-access-timestamp': string;
  /** Base64. */
  readonly 'kalshi-access-signature': string;
}

/**
 * @param key private key, Ed25519 or RSA.
 * @param timestampMs of the request; the exchange refuses one that is too far from its own clock.
 */
export function signKalshi(
  key: KeyObject,
  keyId: string,
  timestampMs: number,
  method: string,
  path: string,
): KalshiHeaders {
  const text = signedText(String(timestampMs), method, path);
  return {
    'kalshi-access-key': keyId,
    'kalshi-access-timestamp': String(timestampMs),
    'kalshi-access-signature': signature(key, text).toString('base64'),
  };
}

function signature(key: KeyObject, text: Buffer): Buffer {
  return key.asymmetricKeyType === 'ed25519' ? sign(null, text, key) : sign('sha256', text, { key, ...PSS });
}

/** Whether a request carries the signature of that key. The emulator asks; PSS signatures differ each time. */
export function verifyKalshi(publicKey: KeyObject, headers: KalshiHeaders, method: string, path: string): boolean {
  const text = signedText(headers['kalshi-access-timestamp'], method, path);
  const given = Buffer.from(headers['kalshi-access-signature'], 'base64');
  return publicKey.asymmetricKeyType === 'ed25519'
    ? verify(null, text, publicKey, given)
    : verify('sha256', text, { key: publicKey, ...PSS }, given);
}
