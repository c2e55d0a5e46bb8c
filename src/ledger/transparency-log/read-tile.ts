/** Tiles of hashes and bundles of entries, in the bytes of C2SP tlog-tiles. */
import { refuse } from '../../core/errors.ts';
import { HASH_BYTES, leafText } from '../../core/log-format/merkle.ts';
import { TILE_WIDTH, type TileName } from '../../core/log-format/tiles.ts';
import type { Sql } from '../../db/client.ts';
import { findHead, listItems, listTiles } from './feed-log.ts';

const LENGTH_BYTES = 2;

/**
 * @param width hashes of a partial tile, 1 to 255; undefined asks for a full one.
 * @throws not_found if the log has no tile of that width.
 */
export async function readTile(
  sql: Sql,
  operatorId: string,
  name: TileName,
  width: number = TILE_WIDTH,
): Promise<Buffer> {
  const [tile] = await listTiles(sql, operatorId, [name]);
  if (tile === undefined || tile.hashes.length < width * HASH_BYTES) {
    throw refuse('not_found');
  }
  return tile.hashes.subarray(0, width * HASH_BYTES);
}

/** The leaves below a tile of level 0, each behind its length. @throws not_found as `readTile`. */
export async function readBundle(
  sql: Sql,
  operatorId: string,
  index: number,
  width: number = TILE_WIDTH,
): Promise<Buffer> {
  const first = index * TILE_WIDTH;
  const [head, items] = await Promise.all([findHead(sql, operatorId), listItems(sql, operatorId, first, width)]);
  if (head === undefined || head.size < first + width || items.length < width) {
    throw refuse('not_found');
  }
  return Buffer.concat(
    items.flatMap((item) => {
      const text = Buffer.from(leafText(item));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(text.length);
      return [length, text];
    }),
  );
}
