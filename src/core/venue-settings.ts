/** Settings of the venues that are reached over the internet. Part of `environment.ts`, which alone reads the variables. */
import { z } from 'zod';
import { readWebOrigin } from './web-origin.ts';

const PUBLIC_POLYMARKET = 'https://clob.polymarket.com';
const PUBLIC_POLYMARKET_SITE = 'https://polymarket.com';
const PUBLIC_POLYMARKET_STREAM = 'wss://ws-subscriptions-clob.polymarket.com';

const PUBLIC_GEMINI = 'https://api.gemini.com';
/** Streams are served by other hosts. */
const GEMINI_STREAMS: Readonly<Record<string, string>> = {
  [PUBLIC_GEMINI]: 'wss://ws.gemini.com',
  'https://api.sandbox.gemini.com': 'wss://ws.sandbox.gemini.com',
};

/** Encrypted unless it is on loopback, because signatures and secrets of accounts are sent to it. */
const isOrigin = (text: string) => readWebOrigin(text.replace(/\/$/, '')) !== null;
const http = z.string().refine(isOrigin, 'an origin such as https://host.example; http on loopback only');
const socket = z
  .string()
  .refine(
    (text) => /^wss?:/.test(text) && isOrigin(text.replace(/^ws/, 'http')),
    'an origin such as wss://host.example; ws on loopback only',
  );

/** `ID` of part 0, or one for each part: `0=ID,2=ID`. */
const idsByPart = z
  .string()
  .regex(/^(?:[^,=]+|\d+=[^,=]+(?:,\d+=[^,=]+)*)$/, 'an id, or one for each part of the exchange such as 0=ID,2=ID')
  .transform(
    (text): ReadonlyMap<number, string> =>
      new Map(
        text.split(',').map((one): [number, string] => {
          const [part, id] = one.split('=');
          return id === undefined ? [0, one] : [Number(part), id];
        }),
      ),
  );

export const venueVariables = {
  INLAY_KALSHI_URL: http.default('https://external-api.kalshi.com'),
  INLAY_KALSHI_STREAM_URL: socket.optional(),
  INLAY_KALSHI_KEY_ID: z.string().min(1).optional(),
  INLAY_KALSHI_PRIVATE_KEY_FILE: z.string().min(1).optional(),
  INLAY_KALSHI_ORDER_GROUP: idsByPart.optional(),
  INLAY_KALSHI_SUBACCOUNT: z.coerce.number().int().min(0).max(63).optional(),
  INLAY_POLYMARKET_URL: http.default(PUBLIC_POLYMARKET),
  INLAY_POLYMARKET_CATALOGUE_URL: http.default('https://gamma-api.polymarket.com'),
  INLAY_POLYMARKET_DATA_URL: http.default('https://data-api.polymarket.com'),
  INLAY_POLYMARKET_STREAM_URL: socket.optional(),
  INLAY_POLYMARKET_PRIVATE_KEY_FILE: z.string().min(1).optional(),
  INLAY_POLYMARKET_FUNDER: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'an address such as 0x followed by 40 hexadecimal digits')
    .optional(),
  INLAY_POLYMARKET_SIGNATURE_TYPE: z.coerce.number().int().min(0).max(3).optional(),
  INLAY_POLYMARKET_BUILDER_CODE: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'a builder code such as 0x followed by 64 hexadecimal digits')
    .transform((text) => text.toLowerCase() as `0x${string}`)
    .optional(),
  INLAY_GEMINI_URL: http.default(PUBLIC_GEMINI),
  INLAY_GEMINI_STREAM_URL: socket.optional(),
  INLAY_GEMINI_KEY_ID: z.string().min(1).optional(),
  INLAY_GEMINI_SECRET_FILE: z.string().min(1).optional(),
};

/** The settings of Kalshi. Without both a key id and a key file the venue is only read. */
export interface KalshiSettings {
  readonly url: string;
  readonly streamUrl: string;
  readonly keyId: string | undefined;
  readonly privateKeyFile: string | undefined;
  readonly subaccount: number | undefined;
  /** The order group that orders of a part of the exchange name. A part without an entry has no group. */
  readonly orderGroups: ReadonlyMap<number, string>;
}

/** The settings of Polymarket. Without a key file the venue is only read. */
export interface PolymarketSettings {
  readonly url: string;
  readonly catalogueUrl: string;
  /** Origin of the data API, which returns the positions of accounts. */
  readonly dataUrl: string;
  /**
   * Origin of the exchange's site, which reports whether it takes orders from this machine. The site of another order book has the origin
   * of that book.
   */
  readonly siteUrl: string;
  readonly streamUrl: string;
  readonly privateKeyFile: string | undefined;
  /** The address that holds the money. If undefined, it is the signer's own. */
  readonly funder: string | undefined;
  /** 0 an ordinary wallet, 1 a proxy wallet, 2 a Safe, 3 a deposit wallet. */
  readonly signatureType: number;
  /** Named in every order: the owner of this code at the exchange earns a share of the traded amount. */
  readonly builderCode: `0x${string}` | undefined;
}

/** The settings of Gemini. Without both a key id and a file with its secret the venue is only read. */
export interface GeminiSettings {
  readonly url: string;
  readonly streamUrl: string;
  readonly keyId: string | undefined;
  readonly secretFile: string | undefined;
}

export interface VenueSettings {
  readonly kalshi: KalshiSettings;
  readonly polymarket: PolymarketSettings;
  readonly gemini: GeminiSettings;
}

const variables = z.object(venueVariables);

/** Kinds of wallet at Polymarket: that of the signer itself, and the one that new accounts have. */
const ORDINARY = 0;
const DEPOSIT = 3;

const PUBLIC_KALSHI_STREAM = 'wss://external-api-ws.kalshi.com';

export function readVenueSettings(values: z.output<typeof variables>): VenueSettings {
  const url = values.INLAY_KALSHI_URL.replace(/\/$/, '');
  const polymarketUrl = values.INLAY_POLYMARKET_URL.replace(/\/$/, '');
  const geminiUrl = values.INLAY_GEMINI_URL.replace(/\/$/, '');
  const isPublic = url === 'https://external-api.kalshi.com';
  return {
    kalshi: {
      url,
      streamUrl:
        values.INLAY_KALSHI_STREAM_URL?.replace(/\/$/, '') ??
        (isPublic ? PUBLIC_KALSHI_STREAM : url.replace(/^http/, 'ws')),
      keyId: values.INLAY_KALSHI_KEY_ID,
      privateKeyFile: values.INLAY_KALSHI_PRIVATE_KEY_FILE,
      subaccount: values.INLAY_KALSHI_SUBACCOUNT,
      orderGroups: values.INLAY_KALSHI_ORDER_GROUP ?? new Map(),
    },
    polymarket: {
      url: polymarketUrl,
      catalogueUrl: values.INLAY_POLYMARKET_CATALOGUE_URL.replace(/\/$/, ''),
      dataUrl: values.INLAY_POLYMARKET_DATA_URL.replace(/\/$/, ''),
      siteUrl: polymarketUrl === PUBLIC_POLYMARKET ? PUBLIC_POLYMARKET_SITE : polymarketUrl,
      streamUrl:
        values.INLAY_POLYMARKET_STREAM_URL?.replace(/\/$/, '') ??
        (polymarketUrl === PUBLIC_POLYMARKET ? PUBLIC_POLYMARKET_STREAM : polymarketUrl.replace(/^http/, 'ws')),
      privateKeyFile: values.INLAY_POLYMARKET_PRIVATE_KEY_FILE,
      funder: values.INLAY_POLYMARKET_FUNDER,
      signatureType:
        values.INLAY_POLYMARKET_SIGNATURE_TYPE ?? (values.INLAY_POLYMARKET_FUNDER === undefined ? ORDINARY : DEPOSIT),
      builderCode: values.INLAY_POLYMARKET_BUILDER_CODE,
    },
    gemini: {
      url: geminiUrl,
      streamUrl:
        values.INLAY_GEMINI_STREAM_URL?.replace(/\/$/, '') ??
        GEMINI_STREAMS[geminiUrl] ??
        geminiUrl.replace(/^http/, 'ws'),
      keyId: values.INLAY_GEMINI_KEY_ID,
      secretFile: values.INLAY_GEMINI_SECRET_FILE,
    },
  };
}

/** Whether orders may be sent to a venue of that name: the paper venues always, the others with credentials. */
export function canTrade(venue: string, settings: VenueSettings): boolean {
  if (venue === 'kalshi') {
    return settings.kalshi.keyId !== undefined && settings.kalshi.privateKeyFile !== undefined;
  }
  if (venue === 'gemini') {
    return settings.gemini.keyId !== undefined && settings.gemini.secretFile !== undefined;
  }
  return venue !== 'polymarket' || settings.polymarket.privateKeyFile !== undefined;
}
