/**
 * Pictures of events: fetched once from the venue, checked, stored on disk and served from there. If the venue has
 * none, or none that passes the checks, a plain picture in the colour of the category is served, and the fetch is
 * retried later.
 */
import { createHash, hash } from 'node:crypto';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../core/log.ts';
import { paperToken, type Secrets } from '../../core/secret.ts';
import { CATEGORIES } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { BoardEvent } from '../event.ts';
import { checkImage, type Image, type ImageFetcher, openImageFetcher } from './image-fetch.ts';
import { openImageFolder } from './image-folder.ts';

export interface ServedImage extends Image {
  readonly etag: string;
  /** Whether it is a placeholder, so that it must not be cached for long. */
  readonly isPlaceholder: boolean;
}

interface Images {
  read(event: Pick<BoardEvent, 'eventId' | 'imageSourceUrl' | 'category'>): Promise<ServedImage>;
  close(): Promise<void>;
}

interface ImagesParts {
  readonly sql: Sql;
  readonly log: Logger;
  /** The deployment's data folder; pictures are stored below it. */
  readonly dataDir: string;
  readonly secrets: Secrets;
}

const MEMORY_BYTES = 16 * 1024 * 1024;
const RETRY_MS = 60_000;

export function openImages(
  { sql, log, dataDir, secrets }: ImagesParts,
  fetcher: ImageFetcher = openImageFetcher(paperToken(secrets)),
): Images {
  const folder = openImageFolder(join(dataDir, 'images'));
  const memory = new LRUCache<string, ServedImage>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 256,
  });
  const failed = new LRUCache<string, true>({ max: 10_000, ttl: RETRY_MS });
  const running = new Map<string, Promise<ServedImage>>();

  async function obtain(name: string, source: string): Promise<Image> {
    const kept = await folder.read(name);
    if (kept !== null) {
      return checkImage(kept);
    }
    const image = await fetcher.fetch(source, await localOrigins(sql));
    await folder.write(name, image.bytes);
    return image;
  }

  async function load(name: string, event: Parameters<Images['read']>[0], source: string): Promise<ServedImage> {
    try {
      const image = serve(await obtain(name, source), false);
      memory.set(name, image);
      return image;
    } catch (error) {
      failed.set(name, true);
      log.warn(
        { err: error, eventId: event.eventId },
        'could not fetch the picture of an event; a plain one is served',
      );
      return serve(plainImage(event.category), true);
    }
  }

  return {
    async read(event) {
      const source = event.imageSourceUrl;
      if (source === null) {
        return serve(plainImage(event.category), true);
      }
      const name = fileName(event.eventId, source);
      const known = memory.get(name);
      if (known !== undefined) {
        return known;
      }
      if (failed.has(name)) {
        return serve(plainImage(event.category), true);
      }
      let loading = running.get(name);
      if (loading === undefined) {
        loading = load(name, event, source).finally(() => running.delete(name));
        running.set(name, loading);
      }
      return loading;
    },
    close: () => fetcher.close(),
  };
}

/**
 * One file per event and path at the venue, so that a paper venue that restarts on another port has the same pictures.
 */
function fileName(eventId: string, source: string): string {
  const path = URL.canParse(source) ? new URL(source).pathname + new URL(source).search : source;
  return createHash('sha256').update(`${eventId}\n${path}`).digest('hex');
}

function serve(image: Image, isPlaceholder: boolean): ServedImage {
  return { ...image, isPlaceholder, etag: `"${hash('sha1', image.bytes, 'base64url')}"` };
}

/** The origins of the paper venues of this deployment, the only local ones from which pictures are fetched. */
async function localOrigins(sql: Sql): Promise<string[]> {
  const rows = await sql<{ url: string | null }[]>`
    select value->>'url' as url from settings where name like 'venue:paper%'`;
  return rows.flatMap(({ url }) => (url !== null && URL.canParse(url) ? [new URL(url).origin] : []));
}

const WIDTH = 32;
const HEIGHT = 18;
const COLOURS: readonly (readonly [number, number, number])[] = [
  [72, 92, 160],
  [58, 128, 88],
  [190, 132, 48],
  [64, 120, 150],
  [48, 124, 116],
  [110, 84, 160],
  [60, 132, 146],
  [160, 76, 124],
  [100, 136, 64],
  [150, 84, 72],
];
const made = new Map<string, Image>();

/** Draws a small PNG in one colour per category, for events without a picture. */
export function plainImage(category: string): Image {
  let image = made.get(category);
  if (image === undefined) {
    const index = Math.max(0, (CATEGORIES as readonly string[]).indexOf(category));
    image = { bytes: draw(COLOURS[index] ?? [96, 96, 96]), type: 'image/png' };
    made.set(category, image);
  }
  return image;
}

function draw(colour: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits per pixel from a palette of one colour.
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colour)),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
