/**
 * A checkpoint stored in a file: only the signed note, or the JSON of `feed checkpoint --out`, which also has the chain of the keys and
 * the hash of each item, so that a changed item can be named.
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Checkpoint, type KeyChange, NoteError, readCheckpoint } from '../../core/log-format/notes.ts';
import type { StoredTile } from '../../core/log-format/replay-log.ts';
import { usage } from '../failure.ts';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const shape = z.object({
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
  /** The key in the file; it is only as trustworthy as the file. */
  readonly verifierKey: string | undefined;
  /** The chain of the keys of the log. */
  readonly keys: readonly KeyChange[];
  readonly hasTiles: boolean;
  readonly stored: StoredTile;
}

/** @throws Failure exit 2 if the file has no checkpoint. */
export async function readCheckpointFile(path: string): Promise<KeptCheckpoint> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usage(`${path} cannot be read: ${error.message}`);
  });
  try {
    const kept: z.infer<typeof shape> = text.trimStart().startsWith('{')
      ? shape.parse(JSON.parse(text))
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
