/**
 * Fetches one picture from a venue safely: over https from public addresses only, or from the exact origin of a paper
 * venue on this machine. It follows no redirect, reads at most 5 MB, and looks at the bytes to decide whether they are
 * a picture.
 */
import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../core/addresses.ts';

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

export interface Image {
  readonly bytes: Buffer;
  readonly type: ImageType;
}

class ImageRefused extends Error {
  override name = 'ImageRefused';
}

export interface ImageFetcher {
  /**
   * @param localOrigins origins of paper venues on this machine
   * @throws ImageRefused, or an error of the network
   */
  fetch(address: string, localOrigins: readonly string[]): Promise<Image>;
  close(): Promise<void>;
}

/** @param localToken the token that paper venues on this machine require */
export function openImageFetcher(localToken = ''): ImageFetcher {
  let clients: ReturnType<typeof openClients> | undefined;
  return {
    async fetch(address, localOrigins) {
      const url = readAddress(address);
      const isLocal = localOrigins.includes(url.origin);
      if (!isLocal) {
        requireOutside(url);
      }
      clients ??= openClients();
      const { request, outside, local } = await clients;
      const { statusCode, headers, body } = await request(url, {
        dispatcher: isLocal ? local : outside,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          accept: IMAGE_TYPES.join(', '),
          ...(isLocal ? { authorization: `Bearer ${localToken}` } : {}),
        },
      });
      // Destroying a body makes it emit an error, which nothing else handles.
      body.on('error', () => {});
      if (statusCode !== 200 || Number(headers['content-length'] ?? 0) > MAX_IMAGE_BYTES) {
        body.destroy();
        throw new ImageRefused(`the venue answered ${statusCode}, ${headers['content-length'] ?? 'some'} bytes`);
      }
      return checkImage(await readBounded(body));
    },
    async close() {
      const opened = await clients;
      await Promise.all([opened?.outside.destroy(), opened?.local.destroy()]);
    },
  };
}

/** The HTTP client is a third of the code of an API process, so it is loaded with the first picture. */
async function openClients() {
  const { Agent, request } = await import('undici');
  const outside = new Agent({ connect: { lookup: publicLookup, timeout: TIMEOUT_MS }, connections: 4 });
  const local = new Agent({ connect: { timeout: TIMEOUT_MS }, connections: 4 });
  return { request, outside, local };
}

/** Checks every address at the moment of connecting, so that a name cannot change its address after a check. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      return callback(error, '', 0);
    }
    const first = addresses[0];
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new ImageRefused(`${hostname} is not at a public address`), '', 0);
    }
    if (options.all === true) {
      return callback(null, addresses);
    }
    return callback(null, first.address, first.family);
  });
};

function readAddress(address: string): URL {
  if (!URL.canParse(address)) {
    throw new ImageRefused('not an absolute address');
  }
  return new URL(address);
}

function requireOutside(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:') {
    throw new ImageRefused('pictures are fetched over https only');
  }
  // A literal address is never looked up, so it is checked here.
  if (ipaddr.isValid(host) && !isPublicAddress(host)) {
    throw new ImageRefused(`${host} is not a public address`);
  }
}

async function readBounded(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > MAX_IMAGE_BYTES) {
      body.destroy();
      throw new ImageRefused('larger than 5 MB');
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** @throws ImageRefused if the bytes are not a picture that is served */
export function checkImage(bytes: Buffer): Image {
  const type = imageType(bytes);
  if (type === null) {
    throw new ImageRefused('not a picture that is served');
  }
  return { bytes, type };
}

/**
 * The type of a picture according to its first bytes. An SVG can contain a program and is not served.
 *
 * @returns null if the bytes are not a picture that is served
 */
export function imageType(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) {
    return 'image/png';
  }
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) {
    return 'image/jpeg';
  }
  if (/^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1'))) {
    return 'image/gif';
  }
  const riff =
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP';
  return riff ? 'image/webp' : null;
}
