/** Requests to Kalshi's REST interface, signed where the deployment has a key. Its host comes from configuration alone. */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { KalshiSettings } from '../../core/venue-settings.ts';
import { openVenueHttp, type VenueAnswer, type VenueMethod } from '../http.ts';
import { type KeyFile, openKeyFile } from '../key-file.ts';
import type { MayWrite } from '../order.ts';
import { type Locate, VenueUnknown } from '../port.ts';
import { misfit } from '../response-shape.ts';
import { openVenueClock } from '../venue-clock.ts';
import { kalshiRefusal, kalshiTooMany } from './order-schemas.ts';
import { readKalshiKey, signKalshi } from './signing.ts';

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
