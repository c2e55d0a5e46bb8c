/**
 * Requests to Kalshi's REST interface, which are signed by the clock of the exchange if the deployment has a key, and the number of
 * requests that the exchange allows our account. The host comes only from configuration.
 */
import { constants, createPrivateKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { RequestBucket } from '../../core/request-budget.ts';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { notSentYet, originOf, withKey } from '../adapter.ts';
import {
  CLOCK_TIMEOUT_MS,
  foundOrMissing,
  openVenueClock,
  openVenueHttp,
  serverTime,
  TIMEOUT_MS,
  type VenueAnswer,
  type VenueMethod,
} from '../http.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';
import { type Locate, type MayWrite, VenueUnknown } from '../port.ts';
import { expectShape } from '../shapes.ts';
import { kalshiKeys, kalshiRefusal, kalshiTooMany, kalshiUserData } from './shapes.ts';

/** Prefix of every path. */
const ROOT = '/trade-api/v2';
export const STATUS_PATH = '/exchange/status';

export interface KalshiRest {
  /** Whether requests are signed, which our account and orders need. */
  readonly signs: boolean;
  /**
   * @param path without `/trade-api/v2`
   * @returns a response with any status below 500 that shows that the exchange processed the request
   * @throws VenueUnknown
   */
  call(method: VenueMethod, path: string, options?: KalshiCall): Promise<VenueAnswer>;
  /**
   * @param path without `/trade-api/v2`
   * @param language of the texts; English if missing
   * @returns a response with status 200 or 404
   * @throws VenueUnknown for any other status
   */
  get(path: string, language?: string): Promise<VenueAnswer>;
  /** Headers that sign the handshake of the stream at `path`. @throws VenueUnknown without a key */
  handshake(path: string): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

interface KalshiCall {
  readonly body?: object;
  readonly mayWrite?: MayWrite;
  readonly timeoutMs?: number;
  readonly language?: string | undefined;
}

interface Signer {
  readonly keyId: string;
  readonly file: KeyFile<KeyObject>;
}

/** @returns undefined if the deployment has no credentials; the key is read at the first signed request */
export function kalshiSigner({ keyId, privateKeyFile }: KalshiSettings): Signer | undefined {
  return keyId === undefined || privateKeyFile === undefined
    ? undefined
    : { keyId, file: openKeyFile('INLAY_KALSHI_PRIVATE_KEY_FILE', privateKeyFile, readKalshiKey) };
}

export function openKalshiRest(venue: string, locate: Locate, signer: Signer | undefined): KalshiRest {
  const http = openVenueHttp(venue, z.union([kalshiRefusal, kalshiTooMany]));
  const origin = () => originOf(venue, venue, locate);
  const clock = openVenueClock(async () =>
    serverTime(venue, await http.call('GET', `${await origin()}${ROOT}${STATUS_PATH}`, CLOCK_TIMEOUT_MS)),
  );

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
    get: async (path, language) => foundOrMissing(venue, path, await call('GET', path, { language })),
    handshake(path) {
      if (signer === undefined) {
        throw new VenueUnknown(venue, 'the stream needs a key', { notTaken: true });
      }
      return headersFor(venue, signer, clock.now(), 'GET', path);
    },
    close: () => http.close(),
  };
}

/** @throws VenueUnknown with `notTaken` if the key cannot be read */
function headersFor(venue: string, { keyId, file }: Signer, nowMs: number, method: VenueMethod, path: string) {
  return withKey(venue, () => signKalshi(file.key(), keyId, nowMs, method, path));
}

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } as const;

/**
 * Reads a private key from a PEM file. PKCS#8 files of both kinds begin alike, so the kind is read from the key itself.
 * @throws if the key is neither Ed25519 nor RSA
 */
export function readKalshiKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ed25519') {
    throw new Error('neither an Ed25519 nor an RSA key');
  }
  return key;
}

export interface KalshiHeaders extends Readonly<Record<string, string>> {
  readonly 'kalshi-access-key': string;
  /** Milliseconds since 1970. */
  readonly 'kalshi-access-timestamp': string;
  /** Base64. */
  readonly 'kalshi-access-signature': string;
}

/**
 * Signs the time, the method and the path of a request, with Ed25519 or RSA-PSS (https://docs.kalshi.com, "API keys").
 * @param key private key, Ed25519 or RSA
 * @param timestampMs time of the request; the exchange refuses one that is too far from its own clock
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

/** @param path from the root of the host; its query is not signed */
function signedText(timestampMs: string, method: string, path: string): Buffer {
  return Buffer.from(`${timestampMs}${method}${path.split('?')[0]}`);
}

function signature(key: KeyObject, text: Buffer): Buffer {
  return key.asymmetricKeyType === 'ed25519' ? sign(null, text, key) : sign('sha256', text, { key, ...PSS });
}

/** Whether a request carries the signature of that key, for the emulator. PSS signatures differ each time, so they cannot be compared. */
export function verifyKalshi(publicKey: KeyObject, headers: KalshiHeaders, method: string, path: string): boolean {
  const text = signedText(headers['kalshi-access-timestamp'], method, path);
  const given = Buffer.from(headers['kalshi-access-signature'], 'base64');
  return publicKey.asymmetricKeyType === 'ed25519'
    ? verify(null, text, publicKey, given)
    : verify('sha256', text, { key: publicKey, ...PSS }, given);
}

/**
 * How current the lists of our account are, because the read side of the exchange lags behind it.
 * @returns the time of the data, and the exchange's clock. @throws VenueUnknown
 */
export async function readReadSide(venue: string, rest: KalshiRest): Promise<{ asOf: Date; date: Date | null }> {
  const { body, date } = await rest.get('/exchange/user_data_timestamp');
  return { asOf: expectShape(venue, 'user data timestamp', kalshiUserData, body).as_of_time, date };
}

/** @returns our key, undefined if the exchange does not list it, and when its region expires. @throws VenueUnknown */
export async function readKalshiKeys(venue: string, rest: KalshiRest, keyId: string | undefined) {
  const { body } = await rest.get('/api_keys');
  const { api_keys: keys, api_key_region_expiration_ts: regionExpires } = expectShape(venue, 'keys', kalshiKeys, body);
  return { own: keys.find(({ api_key_id: id }) => id === keyId), regionExpires: regionExpires ?? null };
}

/** Number of the subaccount in which we trade. @throws VenueUnknown with `notTaken`, because it is read before an order is sent */
export type Subaccount = () => Promise<number>;

/**
 * Every request names its subaccount, because a list that names none covers all of them. It is the configured one, else the one to
 * which the key is restricted, else the primary one.
 */
export function openSubaccount(
  venue: string,
  rest: KalshiRest,
  { subaccount, keyId }: Pick<KalshiSettings, 'subaccount' | 'keyId'>,
): Subaccount {
  let known = subaccount === undefined ? undefined : Promise.resolve(subaccount);
  const read = async () => {
    try {
      return (await notSentYet(venue, () => readKalshiKeys(venue, rest, keyId))).own?.subaccount ?? 0;
    } catch (cause) {
      known = undefined;
      throw cause;
    }
  };
  return () => {
    known ??= read();
    return known;
  };
}

/** A list costs 10 read tokens. A look-up reads the order and its fills twice, a send reads the fills three times. */
const READ_COSTS = { look_up: 40, cancel: 20, send: 30 };
export const DEFAULT_COST = 10;
export const CANCEL_COST = 2;
const WRITE_COSTS = { cancel: CANCEL_COST, send: DEFAULT_COST };
/** The remaining read tokens are for the catalogue, the books and the comparison of the account. */
const READ_SHARE = 0.75;

/**
 * The limits before they are read from the exchange. Read tokens are kept for two seconds; every part has write tokens of its own.
 */
export const LOWEST_TIER: readonly RequestBucket[] = bucketsOf(
  { refill_rate: 200, bucket_capacity: 400 },
  { refill_rate: 100, bucket_capacity: 100 },
);

const bucket = z.looseObject({ refill_rate: z.int().min(1), bucket_capacity: z.int().min(1) });
type Bucket = z.output<typeof bucket>;
const accountLimits = z.looseObject({ usage_tier: z.string(), read: bucket, write: bucket });

/**
 * How many requests the exchange allows our account; higher tiers allow more.
 * @throws VenueUnknown if the exchange does not respond, or the response does not have the documented shape
 */
export async function readKalshiLimits(venue: string, rest: KalshiRest): Promise<readonly RequestBucket[]> {
  const { read, write } = await readTier(venue, rest);
  return bucketsOf(read, write);
}

/** The tier in words, for `doctor`. @throws VenueUnknown */
export async function describeTier(venue: string, rest: KalshiRest): Promise<string> {
  const { usage_tier: tier, read, write } = await readTier(venue, rest);
  return `tier ${tier}: ${read.refill_rate} read and ${write.refill_rate} write tokens a second on each part`;
}

async function readTier(venue: string, rest: KalshiRest) {
  const { body } = await rest.get('/account/limits');
  return expectShape(venue, 'limits', accountLimits, body);
}

function bucketsOf(read: Bucket, write: Bucket): readonly RequestBucket[] {
  return [
    {
      perSecond: read.refill_rate * READ_SHARE,
      burst: Math.max(read.bucket_capacity, read.refill_rate) * READ_SHARE,
      costs: READ_COSTS,
    },
    {
      perSecond: write.refill_rate,
      burst: Math.max(write.bucket_capacity, write.refill_rate),
      costs: WRITE_COSTS,
      eachPart: true,
    },
  ];
}
