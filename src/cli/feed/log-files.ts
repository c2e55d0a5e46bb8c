/**
 * Files that a person keeps of the feed and its signed log: checkpoints with the hashes of the log, and items. Commands of the
 * feed and of the ledger read them alike.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type FeedItemJson, HASH_BYTES, hashItem } from '../../core/log-format/merkle.ts';
import { type Checkpoint, type KeyChange, NoteError, readCheckpoint } from '../../core/log-format/notes.ts';
import type { ReplayedItem, StoredTile } from '../../core/log-format/replay-log.ts';
import { TILE_WIDTH, type Tile } from '../../core/log-format/tiles.ts';
import { Failure, usage } from '../failure.ts';
import type { ApiClient } from '../service/api.ts';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const checkpointShape = z.object({
  checkpoint: z.string(),
  verifierKey: z.string().optional(),
  keys: z
    .array(
      z.object({
        size: z.int(),
        previousKey: z.string().nullable(),
        verifierKey: z.string(),
        compromised: z.boolean(),
        note: z.string(),
      }),
    )
    .optional(),
  tiles: z.array(z.object({ level: z.int(), index: z.int(), hashes: base64 })).optional(),
});

export interface KeptCheckpoint {
  readonly note: string;
  readonly checkpoint: Checkpoint;
  /** The key in the file, which is only as trustworthy as the file. */
  readonly verifierKey: string | undefined;
  /** The chain of the keys of the log. */
  readonly keys: readonly KeyChange[];
  readonly hasTiles: boolean;
  readonly stored: StoredTile;
}

/**
 * Reads a checkpoint from a file: only the signed note, or the JSON of `feed checkpoint --out`, which also has the chain of the keys
 * and the hash of each item, so that a changed item can be named.
 * @throws Failure exit 2 if the file has no checkpoint
 */
export async function readCheckpointFile(path: string): Promise<KeptCheckpoint> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usage(`${path} cannot be read: ${error.message}`);
  });
  try {
    const kept: z.infer<typeof checkpointShape> = text.trimStart().startsWith('{')
      ? checkpointShape.parse(JSON.parse(text))
      : { checkpoint: text };
    const tiles = new Map((kept.tiles ?? []).map(({ level, index, hashes }) => [`${level}/${index}`, hashes]));
    return {
      note: kept.checkpoint,
      checkpoint: readCheckpoint(kept.checkpoint),
      verifierKey: kept.verifierKey,
      keys: kept.keys ?? [],
      hasTiles: tiles.size > 0,
      stored: async ({ level, index }) => (tiles.size === 0 ? undefined : tiles.get(`${level}/${index}`)),
    };
  } catch (error) {
    if (error instanceof NoteError || error instanceof SyntaxError || error instanceof z.ZodError) {
      throw usage(`${path} has no checkpoint.`, '"inlay feed checkpoint --out FILE" writes one.');
    }
    throw error;
  }
}

/**
 * Reads feed items from files of JSON lines, as `feed tail` writes them, in the order of the files.
 * @throws Failure exit 2 for a file that cannot be read or a line that is not a feed item
 */
export async function* readFeedFiles(paths: readonly string[]): AsyncIterable<ReplayedItem> {
  for await (const { line, place } of readLines(paths)) {
    yield readItem(line, place);
  }
}

async function* readLines(paths: readonly string[]): AsyncIterable<{ line: string; place: string }> {
  for (const path of paths) {
    const input = createReadStream(path);
    const failed = new Promise<never>((_, reject) => input.once('error', reject));
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
    for (let number = 1; ; number += 1) {
      const { value: line, done } = await Promise.race([lines.next(), failed]).catch((error: Error) => {
        throw usage(`${path} cannot be read: ${error.message}`);
      });
      if (done === true) {
        break;
      }
      if (line.trim() !== '') {
        yield { line, place: `${path}:${number}` };
      }
    }
  }
}

function readItem(line: string, place: string): ReplayedItem {
  const item = parse(line);
  const sequence = item?.['sequence'];
  if (item === undefined || typeof sequence !== 'number') {
    throw usage(`${place} is not a feed item.`, '"inlay feed tail" writes items, one per line.');
  }
  return { sequence, itemId: String(item['id']), hash: hashItem(item) };
}

function parse(line: string): FeedItemJson | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FeedItemJson) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the hashes of the log from the service. @param size of a checkpoint that it has signed, in items */
export async function fetchTiles(api: ApiClient, size: number): Promise<Tile[]> {
  const tiles: Tile[] = [];
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    for (let index = 0; index * TILE_WIDTH < hashes; index += 1) {
      const width = Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH);
      const path = tilePath(level, index, width);
      const response = await api.open('GET', `/api/v1/reconciliation/log/tile/${path}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok || bytes.length !== width * HASH_BYTES) {
        throw new Failure('unexpected_answer', `The service answered ${response.status} for tile ${path} of the log.`);
      }
      tiles.push({ level, index, hashes: bytes });
    }
  }
  return tiles;
}

/** @returns `<L>/<N>[.p/<W>]`, with N in groups of three digits, all but the last with a leading x (C2SP tlog-tiles) */
function tilePath(level: number, index: number, width: number): string {
  const groups: string[] = [];
  let left = index;
  do {
    groups.unshift(String(left % 1000).padStart(3, '0'));
    left = Math.floor(left / 1000);
  } while (left > 0);
  const number = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${number}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}
