/**
 * Pictures of events: fetched once from the venue, checked, stored on disk and served from there. If a venue has none,
 * or none that passes the checks, a plain picture in the category's colour is served, and the venue is asked again
 * later.
 */
import { createHash, hash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../core/log.ts';
import { paperToken, type Secrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import type { BoardEvent } from '../event.ts';
import { checkImage, type Image, type ImageFetcher, openImageFetcher } from './image-fetch.ts';
import { plainImage } from './plain-image.ts';

export interface ServedImage extends Image {
  readonly etag: string;
  /** Whether it is a placeholder, so that it must not be cached for long. */
  readonly isPlaceholder: boolean;
}

export interface Images {
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
  const folder = join(dataDir, 'images');
  const memory = new LRUCache<string, ServedImage>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 256,
  });
  const failed = new LRUCache<string, true>({ max: 10_000, ttl: RETRY_MS });
  const running = new Map<string, Promise<ServedImage>>();

  async function obtain(name: string, source: string): Promise<Image> {
    const path = join(folder, name);
    const kept = await readFile(path).catch(() => null);
    if (kept !== null) {
      return checkImage(kept);
    }
    const image = await fetcher.fetch(source, await localOrigins(sql));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Written under another name first: a reader, here or in another process, sees the complete picture or none.
    const draft = `${path}.${process.pid}.draft`;
    await writeFile(draft, image.bytes, { mode: 0o600 });
    await rename(draft, path);
    return image;
  }

  async function load(name: string, event: Parameters<Images['read']>[0], source: string): Promise<ServedImage> {
    try {
      const image = serve(await obtain(name, source), false);
      memory.set(name, image);
      return image;
    } catch (error) {
      failed.set(name, true);
      log.warn({ err: error, eventId: event.eventId }, 'could not fetch the picture of an event');
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

/** One file per event and path at the venue; a paper venue that restarts on another port has the same pictures. */
function fileName(eventId: string, source: string): string {
  const path = URL.canParse(source) ? new URL(source).pathname + new URL(source).search : source;
  return createHash('sha256').update(`${eventId}\n${path}`).digest('hex');
}

function serve(image: Image, isPlaceholder: boolean): ServedImage {
  return { ...image, isPlaceholder, etag: `"${hash('sha1', image.bytes, 'base64url')}"` };
}

/** Where paper venues of this deployment listen: the only local origins from which pictures are fetched. */
async function localOrigins(sql: Sql): Promise<string[]> {
  const rows = await sql<{ url: string | null }[]>`
    select value->>'url' as url from settings where name like 'venue:paper%'`;
  return rows.flatMap(({ url }) => (url !== null && URL.canParse(url) ? [new URL(url).origin] : []));
}
