/**
 * The stored logs of operators' feeds: tiles of hashes, the newest checkpoint and the chain of keys, and the bundles of
 * entries that are made from the journal. Sole owner of `feed_log_*`; it neither signs nor proves.
 */
import { refuse } from '../../core/errors.ts';
import { type FeedItemJson, HASH_BYTES, leafText } from '../../core/log-format/merkle.ts';
import type { KeyChange } from '../../core/log-format/notes.ts';
import { TILE_WIDTH, type Tile, type TileName } from '../../core/log-format/tiles.ts';
import { asOperator } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { findItem, readJournal } from '../journal.ts';
import { leafJson, placedItems } from '../render/items.ts';

const LENGTH_BYTES = 2;

/**
 * A tile in the bytes of C2SP tlog-tiles.
 * @param width the number of hashes of a partial tile, 1 to 255; by default the tile is full
 * @throws not_found if the log has no tile of that width
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

/**
 * The leaves below a tile of level 0, each after its length, in the bytes of C2SP tlog-tiles.
 * @throws not_found as `readTile`
 */
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

export interface LogHead {
  readonly operatorId: string;
  readonly size: number;
  readonly root: Buffer;
  /** The signed checkpoint. */
  readonly note: string;
  /** The key that verifies it, as its signer stored it. */
  readonly verifierKey: string;
  readonly sealedAt: Date;
}

/** An operator with items that no checkpoint covers yet. */
export interface LogDebt {
  readonly operatorId: string;
  /** Items in the log; null if the operator has no checkpoint at all. */
  readonly sealed: number | null;
  readonly items: number;
}

/** @returns operators whose log is behind their feed, the furthest behind first */
export async function listUnsealed(sql: Sql): Promise<LogDebt[]> {
  return sql<LogDebt[]>`
    select l.operator_id as "operatorId", h.size::float8 as sealed, l.sequence::float8 as items
    from operator_ledgers l left join feed_log_heads h on h.operator_id = l.operator_id
    where (h.size is null or l.sequence > h.size)
    order by l.sequence - coalesce(h.size, 0) desc`;
}

export async function findHead(sql: Sql, operatorId: string): Promise<LogHead | undefined> {
  const [head] = await asOperator<LogHead[]>(
    sql,
    operatorId,
    sql`
      select operator_id as "operatorId", size::float8 as size, root, note, verifier_key as "verifierKey", sealed_at as "sealedAt"
      from feed_log_heads where operator_id = ${operatorId}`,
  );
  return head;
}

/** The number of items that the operator's feed has given out. */
export async function countFeed(sql: Sql, operatorId: string): Promise<number> {
  const [ledger] = await asOperator<{ items: number }[]>(
    sql,
    operatorId,
    sql`select sequence::float8 as items from operator_ledgers where operator_id = ${operatorId}`,
  );
  return ledger?.items ?? 0;
}

/** The items after `after`, at most `limit`, as on the wire but without their cursors. */
export async function listItems(sql: Sql, operatorId: string, after: number, limit: number): Promise<FeedItemJson[]> {
  const rows = await readJournal(sql, operatorId, BigInt(after), limit);
  const items = rows.flatMap(placedItems).filter(({ sequence }) => sequence > BigInt(after));
  return items.slice(0, limit).map((item) => JSON.parse(leafJson(item)) as FeedItemJson);
}

/** Every change of the key of the operator's log, in order. */
export async function listKeyChanges(sql: Sql, operatorId: string): Promise<KeyChange[]> {
  return asOperator<KeyChange[]>(
    sql,
    operatorId,
    sql`
      select size::float8 as size, previous_key as "previousKey", verifier_key as "verifierKey", compromised, note
      from feed_log_keys where operator_id = ${operatorId} order by number`,
  );
}

/** @returns false, and writes nothing, if the log has grown or its key was changed since the change was signed */
export async function appendKeyChange(
  sql: Sql,
  operatorId: string,
  number: number,
  { size, previousKey, verifierKey, compromised, note }: KeyChange,
): Promise<boolean> {
  const [row] = await sql<{ changed: boolean }[]>`
    select change_log_key(${operatorId}, ${number}, ${size}, ${previousKey}, ${verifierKey}, ${compromised}, ${note}) as changed`;
  return row?.changed === true;
}

/** The tiles of those names that are stored, in no order. */
export async function listTiles(sql: Sql, operatorId: string, names: readonly TileName[]): Promise<Tile[]> {
  return asOperator<Tile[]>(
    sql,
    operatorId,
    sql`
      select t.level, t.tile::float8 as index, t.hashes
      from unnest(${names.map(({ level }) => level)}::smallint[], ${names.map(({ index }) => index)}::bigint[]) as n(level, tile)
        join feed_log_tiles t on t.operator_id = ${operatorId} and t.level = n.level and t.tile = n.tile`,
  );
}

/** All tiles of a level from one index on, at most `limit`, in order. */
export async function listLevel(
  sql: Sql,
  operatorId: string,
  level: number,
  from: number,
  limit: number,
): Promise<Tile[]> {
  return sql<Tile[]>`
    select level, tile::float8 as index, hashes from feed_log_tiles
    where operator_id = ${operatorId} and level = ${level} and tile >= ${from} order by tile limit ${limit}`;
}

export interface LogGrowth {
  readonly operatorId: string;
  /** The size from which the growth was computed. */
  readonly from: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
  readonly verifierKey: string;
  /** The number of changes of the key that the signer of the note had. */
  readonly keys: number;
  readonly tiles: readonly Tile[];
}

/** @returns false, and writes nothing, if another worker appended first or the key was changed meanwhile */
export async function appendToLog(
  sql: Sql,
  { operatorId, from, size, root, note, verifierKey, keys, tiles }: LogGrowth,
): Promise<boolean> {
  const [row] = await sql<{ appended: boolean }[]>`
    select append_feed_log(${operatorId}, ${from}, ${size}, ${Buffer.from(root)}, ${note}, ${verifierKey}, ${keys},
      ${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ index }) => index)}::bigint[],
      ${tiles.map(({ hashes }) => `\\x${hashes.toString('hex')}`)}::bytea[]) as appended`;
  return row?.appended ?? false;
}

/** The number of the item with that id. */
export async function findSequence(sql: Sql, operatorId: string, itemId: string): Promise<number | undefined> {
  const found = await findItem(sql, operatorId, itemId);
  return found && Number(found.row.sequence) + found.place;
}
