/**
 * Brings the logs up to their feeds: hashes the items that no checkpoint covers, appends them and signs the new size. It runs
 * behind the money statements and costs them nothing. Workers may race; one of them appends and the other drops its work.
 */

import { type FeedItemJson, hashItem } from '../../core/log-format/merkle.ts';
import { type KeyChange, keyAt, type NoteSigner, originOf, signCheckpoint } from '../../core/log-format/notes.ts';
import { appendLeaves, listOpenTiles, rootOfTiles, type Tile } from '../../core/log-format/tiles.ts';
import type { Sql } from '../../db/client.ts';
import {
  appendToLog,
  findHead,
  type LogDebt,
  type LogHead,
  listItems,
  listKeyChanges,
  listTiles,
  listUnsealed,
} from './feed-log.ts';
import { findSigner, getSigner, type LogSigner, logVerifierKey } from './log-signer.ts';

/** Items of one append. Bounds the memory of a round and how long the event loop is held (measured: about 20 ms). */
const BATCH = 1_000;

/**
 * @param keepGoing false once the worker closes.
 * @returns how many items were added to logs.
 * @throws the first error, after all other logs were brought up to their feeds.
 */
export async function sealFeeds(sql: Sql, signer: LogSigner, keepGoing: () => boolean = () => true): Promise<number> {
  let sealed = 0;
  const failures: unknown[] = [];
  for (const debt of await listUnsealed(sql)) {
    try {
      let size = debt.sealed;
      while (keepGoing() && (size === null || size < debt.items)) {
        const next = await sealBatch(sql, signer, { ...debt, sealed: size });
        if (next === null) {
          break;
        }
        if (next === size) {
          throw new Error(`the feed of ${debt.operatorId} has no item ${next + 1}, although ${debt.items} are counted`);
        }
        sealed += next - (size ?? 0);
        size = next;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return sealed;
}

/** Brings the log of one operator to at least `through` items, while workers may append to it as well. */
export async function sealFeedThrough(sql: Sql, signer: LogSigner, operatorId: string, through: number): Promise<void> {
  for (;;) {
    const sealed = (await findHead(sql, operatorId))?.size ?? null;
    if (sealed !== null && sealed >= through) {
      return;
    }
    const size = await sealBatch(sql, signer, { operatorId, sealed, items: through });
    if (size !== null && size < through && size === sealed) {
      throw new Error(`the feed of ${operatorId} has no item ${size + 1}`);
    }
  }
}

/** @returns the new size, or null if another worker appended first. */
async function sealBatch(sql: Sql, signer: LogSigner, { operatorId, sealed }: LogDebt): Promise<number | null> {
  const from = sealed ?? 0;
  const [{ changed, size, root }, head, keys] = await Promise.all([
    growLog(sql, operatorId, from, BATCH),
    findHead(sql, operatorId),
    listKeyChanges(sql, operatorId),
  ]);
  if ((head?.size ?? null) !== sealed) {
    return null;
  }
  const note = signCheckpoint({ origin: originOf(operatorId), size, root }, signerNow(operatorId, head, keys, signer));
  return (await appendToLog(sql, { operatorId, from, size, root, note, keys: keys.length, tiles: changed }))
    ? size
    : null;
}

async function growLog(sql: Sql, operatorId: string, from: number, limit: number) {
  const [items, open] = await Promise.all([
    listItems(sql, operatorId, from, limit),
    listTiles(sql, operatorId, listOpenTiles(from)),
  ]);
  refuseGaps(operatorId, from, items);
  const changed = appendLeaves(from, open, items.map(hashItem));
  const size = from + items.length;
  const tiles = listOpenTiles(size).map(
    ({ level, index }) =>
      changed.find((tile) => tile.level === level && tile.index === index) ??
      (open.find((tile) => tile.level === level && tile.index === index) as Tile),
  );
  return { changed, size, root: Buffer.from(rootOfTiles(size, tiles)) };
}

/** A log with a hole could never be repaired, so nothing is sealed behind one. */
function refuseGaps(operatorId: string, from: number, items: readonly FeedItemJson[]): void {
  const wrong = items.findIndex((item, n) => item['sequence'] !== from + n + 1);
  if (wrong >= 0) {
    throw new Error(`the feed of ${operatorId} has no item ${from + wrong + 1}`);
  }
}

/** The configured key that signs the log now. A chain that does not verify is never signed on. */
function signerNow(
  operatorId: string,
  head: LogHead | undefined,
  changes: readonly KeyChange[],
  signer: LogSigner,
): NoteSigner {
  const newest = changes.at(-1)?.verifierKey;
  if (newest !== undefined) {
    const size = (head?.size ?? 0) + 1;
    return getSigner(operatorId, keyAt(originOf(operatorId), newest, changes, size), signer);
  }
  if (head === undefined) {
    return signer;
  }
  const before = findSigner(operatorId, head.note, signer);
  return getSigner(operatorId, before === undefined ? null : logVerifierKey(operatorId, before), signer);
}
