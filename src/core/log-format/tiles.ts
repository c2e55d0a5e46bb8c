/**
 * The layout of C2SP tlog-tiles: level L stores the hashes of the complete subtrees of 256^L leaves, 256 in a tile. A
 * full tile never changes; the last tile of a level only grows. The hash of any complete subtree is computed from one
 * tile.
 */
import { foldSubtrees, HASH_BYTES, hashNode, type Subtree } from './merkle.ts';

export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

export interface TileName {
  readonly level: number;
  readonly index: number;
}

export interface Tile extends TileName {
  /** `HASH_BYTES` for each complete subtree, from left to right. */
  readonly hashes: Buffer;
}

export const widthOf = ({ hashes }: Tile): number => hashes.length / HASH_BYTES;

/** The last tile of each level whose last tile is not full, in a tree with `size` leaves. */
export function listOpenTiles(size: number): (TileName & { readonly width: number })[] {
  const open: (TileName & { width: number })[] = [];
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const width = hashes % TILE_WIDTH;
    if (width > 0) {
      open.push({ level, index: Math.floor(hashes / TILE_WIDTH), width });
    }
  }
  return open;
}

/**
 * Appends leaf hashes to a tree.
 * @param open the stored tiles that `listOpenTiles` names
 * @returns each tile that is new or wider
 */
export function appendLeaves(size: number, open: readonly Tile[], leaves: readonly Uint8Array[]): Tile[] {
  const changed: Tile[] = [];
  let added = leaves;
  for (let level = 0, hashes = size; added.length > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    const above: Uint8Array[] = [];
    let index = Math.floor(hashes / TILE_WIDTH);
    let tile = findTile(open, { level, index })?.hashes ?? Buffer.alloc(0);
    for (let at = 0; at < added.length; index += 1) {
      const room = TILE_WIDTH - tile.length / HASH_BYTES;
      tile = Buffer.concat([tile, ...added.slice(at, at + room)]);
      at += room;
      changed.push({ level, index, hashes: tile });
      if (tile.length === TILE_WIDTH * HASH_BYTES) {
        above.push(hashWithin({ level, index, hashes: tile }, { height: (level + 1) * TILE_HEIGHT, index }));
      }
      tile = Buffer.alloc(0);
    }
    added = above;
  }
  return changed;
}

/** The tile from which the hash of a complete subtree is computed. */
export function tileOf({ height, index }: Subtree): TileName {
  const level = levelOf(height);
  return { level, index: Math.floor((index * 2 ** (height - level * TILE_HEIGHT)) / TILE_WIDTH) };
}

/**
 * The hash of a complete subtree, from the tile that `tileOf` names.
 * @throws RangeError if the tile is too narrow
 */
export function hashWithin(tile: Tile, { height, index }: Subtree): Uint8Array {
  const width = 2 ** (height - tile.level * TILE_HEIGHT);
  const first = index * width - tile.index * TILE_WIDTH;
  if ((first + width) * HASH_BYTES > tile.hashes.length) {
    throw new RangeError(`tile ${tile.level}/${tile.index} is ${widthOf(tile)} wide, ${first + width} were expected`);
  }
  let row = Array.from({ length: width }, (_, n) => hashAt(tile, first + n));
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, n) =>
      hashNode(row[2 * n] as Uint8Array, row[2 * n + 1] as Uint8Array),
    );
  }
  return row[0] as Uint8Array;
}

/** The root of a tree, from its open tiles. */
export function rootOfTiles(size: number, open: readonly Tile[]): Uint8Array {
  const peaks: Uint8Array[] = [];
  for (const { level, index, width } of listOpenTiles(size).reverse()) {
    const tile = findTile(open, { level, index });
    if (tile === undefined) {
      throw new RangeError(`tile ${level}/${index} is missing`);
    }
    for (let first = 0, left = width; left > 0; ) {
      const power = 2 ** Math.floor(Math.log2(left));
      const subtree = {
        height: level * TILE_HEIGHT + Math.log2(power),
        index: (index * TILE_WIDTH + first) / power,
      };
      peaks.push(hashWithin(tile, subtree));
      first += power;
      left -= power;
    }
  }
  return foldSubtrees(peaks);
}

export function findTile(tiles: readonly Tile[], { level, index }: TileName): Tile | undefined {
  return tiles.find((tile) => tile.level === level && tile.index === index);
}

function hashAt({ hashes }: Tile, place: number): Uint8Array {
  return hashes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES);
}

/** A subtree of height 8n is stored as one hash of level n. */
function levelOf(height: number): number {
  return Math.floor(height / TILE_HEIGHT);
}
