/** Reads feed items from files of JSON lines, as written by `feed tail`, in the order of the files. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type FeedItemJson, hashItem } from '../../core/log-format/merkle.ts';
import type { ReplayedItem } from '../../core/log-format/replay-log.ts';
import { usage } from '../failure.ts';

/** @throws Failure exit 2 for a file that cannot be read or a line that is not a feed item. */
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
