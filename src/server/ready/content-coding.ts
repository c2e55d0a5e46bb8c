/** Which compression a caller accepts (RFC 9110, 12.5.3), and JSON bodies compressed once for all who ask for the same bytes. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ReadyJson } from '../../markets/catalogue/catalogue.ts';

export type Coding = 'br' | 'gzip';

/** The fastest quality that brings a list to an eighth of its bytes. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;
/** Less does not fill one packet anyway. */
const LEAST_BYTES = 1_400;
/** Bodies compressed at the same time. Who comes while they all are under way gets plain bytes at once. */
const AT_ONCE = 2;

/** @returns the better of what the header lists with a weight above zero, or null. */
export function acceptedCoding(header: string | string[] | undefined): Coding | null {
  if (header === undefined) {
    return null;
  }
  const accepted = new Set(
    String(header)
      .toLowerCase()
      .split(',')
      .flatMap((part) => {
        const [name = '', weight = ''] = part.split(';').map((piece) => piece.trim());
        return /^q=0(\.0*)?$/.test(weight) ? [] : [name];
      }),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : null;
}

type Encoded = Partial<Record<Coding, Buffer | Promise<Buffer>>>;

const known = new WeakMap<ReadyJson, Encoded>();
let underWay = 0;

/** @returns the compressed body, a promise of it, or null if plain bytes are to be sent. It lives as long as the body. */
export function encodedBody(ready: ReadyJson, coding: Coding): Buffer | Promise<Buffer> | null {
  const encoded = known.get(ready) ?? {};
  const there = encoded[coding];
  if (there !== undefined) {
    return there;
  }
  if (ready.body.length < LEAST_BYTES || underWay >= AT_ONCE) {
    return null;
  }
  underWay += 1;
  const made = compress(ready.body, coding).finally(() => {
    underWay -= 1;
  });
  encoded[coding] = made;
  known.set(ready, encoded);
  made.then(
    (bytes) => {
      encoded[coding] = bytes;
    },
    () => {
      delete encoded[coding];
    },
  );
  return made;
}

function compress(body: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br'
    ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
    : promisify(gzip)(body, { level: GZIP_LEVEL });
}
