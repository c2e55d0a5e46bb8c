/**
 * Builds a log again from its items, compares it with stored tiles and a checkpoint, and names the first item that
 * differs. Of its inputs it trusts only the checkpoint.
 */
import { HASH_BYTES } from './merkle.ts';
import type { Checkpoint } from './notes.ts';
import { appendLeaves, findTile, listOpenTiles, rootOfTiles, TILE_WIDTH, type Tile, type TileName } from './tiles.ts';

export interface ReplayedItem {
  /** The sequence number of the item, from 1. */
  readonly sequence: number;
  readonly itemId: string | null;
  readonly hash: Uint8Array;
}

export interface LogFault {
  /** The sequence number of the first item that differs; null if no single item can be named. */
  readonly sequence: number | null;
  readonly itemId: string | null;
  readonly reason: string;
}

/** Returns the stored tile of that name, or undefined if there is none to compare with. */
export type StoredTile = (name: TileName) => Promise<Buffer | undefined>;

/**
 * @param items in order of their sequence numbers, from 1; items beyond the size of the checkpoint are skipped
 * @param stored tiles of the log; without them a changed item is detected but cannot be named
 * @returns the first fault, or null if items, tiles and checkpoint agree
 */
export async function replayLog(
  items: AsyncIterable<ReplayedItem>,
  checkpoint: Checkpoint,
  stored: StoredTile,
): Promise<LogFault | null> {
  let size = 0;
  let open: Tile[] = [];
  let batch: ReplayedItem[] = [];

  async function take(): Promise<LogFault | null> {
    const changed = appendLeaves(
      size,
      open,
      batch.map(({ hash }) => hash),
    );
    for (const tile of changed) {
      const fault = firstDifference(tile, await stored(tile), batch);
      if (fault !== null) {
        return fault;
      }
    }
    size += batch.length;
    open = listOpenTiles(size).map((name) => (findTile(changed, name) ?? findTile(open, name)) as Tile);
    batch = [];
    return null;
  }

  for await (const item of items) {
    const expected = size + batch.length + 1;
    if (expected > checkpoint.size) {
      break;
    }
    if (item.sequence !== expected) {
      const fault = await take();
      return fault ?? { sequence: expected, itemId: null, reason: 'the item is missing' };
    }
    batch.push(item);
    const fault = batch.length === TILE_WIDTH ? await take() : null;
    if (fault !== null) {
      return fault;
    }
  }
  const fault = await take();
  if (fault !== null) {
    return fault;
  }
  if (size < checkpoint.size) {
    return { sequence: size + 1, itemId: null, reason: 'the item is missing' };
  }
  if (Buffer.compare(rootOfTiles(size, open), checkpoint.root) !== 0) {
    return {
      sequence: null,
      itemId: null,
      reason: `the root of the items differs from the checkpoint of ${size} items`,
    };
  }
  return null;
}

/** Compares the known part of a tile with the stored tile. */
function firstDifference(tile: Tile, stored: Buffer | undefined, batch: readonly ReplayedItem[]): LogFault | null {
  if (stored === undefined) {
    return null;
  }
  const known = tile.hashes.length / HASH_BYTES;
  for (let place = 0; place < known; place += 1) {
    const [start, end] = [place * HASH_BYTES, (place + 1) * HASH_BYTES];
    if (stored.subarray(start, end).equals(tile.hashes.subarray(start, end))) {
      continue;
    }
    const span = TILE_WIDTH ** tile.level;
    const sequence = (tile.index * TILE_WIDTH + place) * span + 1;
    const itemId = batch.find((item) => item.sequence === sequence)?.itemId ?? null;
    return tile.level === 0
      ? { sequence, itemId, reason: 'the item differs from the one in the log' }
      : {
          sequence,
          itemId: null,
          reason: `an item from ${sequence} to ${sequence + span - 1} differs from the one in the log`,
        };
  }
  return null;
}
