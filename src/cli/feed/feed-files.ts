/** Reads feed items from files of JSON lines, as written by `feed tail`, in the order of the files. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type FeedItemJson, hashItem } from '../../core/transparency-log/feed-leaf.ts';
import { KEY_CHANGED, type KeyChange, readKeyChange } from '../../core/transparency-log/log-keys.ts';
import type { ReplayedItem } from '../../core/transparency-log/replay-log.ts';
import { usage } from '../failure.ts';

/** @throws Failure exit 2 for a file that cannot be read or a line that is not a feed item. */
export async function* readFeedFiles(paths: readonly string[]): AsyncIterable<ReplayedItem> {
  for await (const { line, place } of readLines(paths)) {
    yield readItem(line, place);
  }
}

/** The changes of the log's key in the files; only their lines are parsed. @throws KeyChangeRefused if one is malformed */
export async function readKeyChanges(paths: readonly string[]): Promise<KeyChange[]> {
  const changes: KeyChange[] = [];
  for await (const { line } of readLines(paths)) {
    const change = line.includes(KEY_CHANGED) ? readKeyChange(parse(line) ?? {}) : undefined;
    if (change !== undefined) {
      changes.push(change);
    }
  }
  return changes;
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
