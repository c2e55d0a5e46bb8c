/** Compares an operator's feed with its log: every item, every tile, and the signature of the newest checkpoint. */

import { hashItem } from '../../core/log-format/merkle.ts';
import { NoteError, originOf, readCheckpoint, verifyCheckpoint } from '../../core/log-format/notes.ts';
import { type LogFault, type ReplayedItem, replayLog, type StoredTile } from '../../core/log-format/replay-log.ts';
import type { Sql } from '../../db/client.ts';
import { findHead, type LogHead, listItems, listLevel, listTiles } from './feed-log.ts';
import { logKeyAt } from './log-signer.ts';

const PAGE = 2_000;
const TILES_AHEAD = 64;

export interface FeedVerdict {
  readonly operatorId: string;
  readonly ok: boolean;
  /** Items that the newest checkpoint covers. */
  readonly size: number;
  readonly fault: LogFault | null;
}

/**
 * @param key a verifier key of the log; the keys before and after it follow from the log.
 * @param expected an earlier or outside checkpoint to hold the feed against, instead of the stored one.
 */
export async function verifyFeed(sql: Sql, operatorId: string, key: string, expected?: string): Promise<FeedVerdict> {
  const head = await findHead(sql, operatorId);
  const note = expected ?? head?.note;
  if (note === undefined) {
    return { operatorId, ok: true, size: 0, fault: null };
  }
  const { size } = readCheckpoint(note);
  const fault =
    (await checkNote(sql, note, operatorId, key)) ?? checkHead(head, size) ?? (await replay(sql, operatorId, note));
  return { operatorId, ok: fault === null, size, fault };
}

async function checkNote(sql: Sql, note: string, operatorId: string, key: string): Promise<LogFault | null> {
  try {
    const signing = await logKeyAt(sql, operatorId, key, readCheckpoint(note).size);
    const { origin } = verifyCheckpoint(note, signing);
    return origin === originOf(operatorId) ? null : faultOf(`the checkpoint is of ${origin}`);
  } catch (error) {
    if (error instanceof NoteError) {
      return faultOf(`the checkpoint is not signed as it should be: ${error.message}`);
    }
    throw error;
  }
}

/** The stored head must say what its note says. */
function checkHead(head: LogHead | undefined, size: number): LogFault | null {
  if (head === undefined || head.size < size) {
    return faultOf(`the log ends at item ${head?.size ?? 0}, before the checkpoint of ${size} items`);
  }
  const signed = readCheckpoint(head.note);
  if (signed.size !== head.size || !signed.root.equals(head.root)) {
    return faultOf('the stored size and root are not those of the newest checkpoint');
  }
  return null;
}

async function replay(sql: Sql, operatorId: string, note: string): Promise<LogFault | null> {
  try {
    return await replayLog(items(sql, operatorId), readCheckpoint(note), storedTiles(sql, operatorId));
  } catch (error) {
    if (error instanceof SyntaxError) {
      return faultOf(`an item is not the JSON that was sealed: ${error.message}`);
    }
    throw error;
  }
}

async function* items(sql: Sql, operatorId: string): AsyncIterable<ReplayedItem> {
  let after = 0;
  for (;;) {
    const page = await listItems(sql, operatorId, after, PAGE);
    for (const item of page) {
      yield { sequence: Number(item['sequence']), itemId: String(item['id']), hash: hashItem(item) };
    }
    if (page.length < PAGE) {
      return;
    }
    after = Number(page[page.length - 1]?.['sequence']);
  }
}

/** Tiles of level 0 are read ahead, the few above them one by one. */
function storedTiles(sql: Sql, operatorId: string): StoredTile {
  let ahead = new Map<number, Buffer>();
  return async ({ level, index }) => {
    if (level > 0) {
      const [tile] = await listTiles(sql, operatorId, [{ level, index }]);
      return tile?.hashes ?? Buffer.alloc(0);
    }
    if (!ahead.has(index)) {
      const tiles = await listLevel(sql, operatorId, 0, index, TILES_AHEAD);
      ahead = new Map(tiles.map((tile) => [tile.index, tile.hashes]));
    }
    return ahead.get(index) ?? Buffer.alloc(0);
  };
}

function faultOf(reason: string): LogFault {
  return { sequence: null, itemId: null, reason };
}
