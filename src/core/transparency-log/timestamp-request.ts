/**
 * Requests to a time-stamping authority (RFC 3161) in DER, and as much of its answers as tells whether they are about the request.
 * Whether the authority signed it is checked with its certificate, for example by `openssl ts -verify`.
 */
import { createHash } from 'node:crypto';

const [SEQUENCE, INTEGER, OCTETS, TRUE] = [0x30, 0x02, 0x04, Buffer.from([0x01, 0x01, 0xff])];
/** AlgorithmIdentifier of SHA-256, with its NULL parameter. */
const SHA256 = Buffer.from('300d06096086480165030402010500', 'hex');
const VERSION = Buffer.from([INTEGER, 1, 1]);
const SHORT = 128;

export class TimestampRefused extends Error {
  override name = 'TimestampRefused';
}

/**
 * @param data what is stamped
 * @param nonce at most 16 bytes, new for each request
 * @returns TimeStampReq, which asks for the certificate of the authority in the answer
 */
export function timestampRequest(data: Buffer, nonce: Buffer): Buffer {
  const imprint = der(SEQUENCE, Buffer.concat([SHA256, der(OCTETS, digest(data))]));
  return der(SEQUENCE, Buffer.concat([VERSION, imprint, nonceOf(nonce), TRUE]));
}

/** @throws TimestampRefused if the answer grants nothing, or is not about this data and nonce */
export function checkResponse(response: Buffer, data: Buffer, nonce: Buffer): void {
  const status = statusOf(response);
  // 0 is granted, 1 is granted with modifications
  if (status === undefined || status > 1) {
    throw new TimestampRefused(status === undefined ? 'not a time-stamp response' : `status ${status}`);
  }
  if (!response.includes(digest(data)) || !response.includes(nonceOf(nonce))) {
    throw new TimestampRefused('the time-stamp is of something else');
  }
}

/** PKIStatus, the first number of TimeStampResp. */
function statusOf(response: Buffer): number | undefined {
  const info = contentOf(response);
  const status = info === undefined ? undefined : contentOf(info);
  return status?.[0] === INTEGER && status[1] === 1 ? status[2] : undefined;
}

/** What a sequence at the beginning of the bytes holds. */
function contentOf(bytes: Buffer): Buffer | undefined {
  const [tag, first = 0] = bytes;
  const begin = first < SHORT ? 2 : 2 + (first - SHORT);
  return tag === SEQUENCE && bytes.length > begin ? bytes.subarray(begin) : undefined;
}

/** A first byte of 1 keeps the number positive and its form the shortest. */
const nonceOf = (nonce: Buffer) => der(INTEGER, Buffer.concat([Buffer.of(1), nonce]));

function der(tag: number, content: Buffer): Buffer {
  if (content.length >= SHORT) {
    throw new RangeError('a request has no part of 128 bytes');
  }
  return Buffer.concat([Buffer.of(tag, content.length), content]);
}

const digest = (data: Buffer) => createHash('sha256').update(data).digest();
