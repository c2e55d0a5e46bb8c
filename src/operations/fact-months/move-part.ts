/** Moves one partition to a tablespace: copied, compared, exchanged. It is where it was, or where it should be, at every moment. */
import type { Sql } from '../../db/client.ts';
import { isLockTimeout } from '../../db/database-errors.ts';
import { copyPart, isSame } from './copy-part.ts';
import { type ExchangeOptions, exchangePart } from './exchange-part.ts';
import type { StoredPart } from './fact-parts.ts';

export interface MovedPart {
  readonly part: string;
  readonly rows: number;
  /** Stored bytes with its indexes, before the move. */
  readonly bytes: number;
  /** Milliseconds for which its tables were locked. */
  readonly lockedMs: number;
}

export type WaitReason = 'not_sealed' | 'broken_seal' | 'broken_feed' | 'copy_differs' | 'tables_in_use';

/** A part that stays where it is. */
export interface WaitingPart {
  readonly part: string;
  readonly reason: WaitReason;
  readonly detail: string;
}

export interface MovedFacts {
  readonly moved: MovedPart[];
  readonly waiting: WaitingPart[];
}

export async function movePart(
  owner: Sql,
  part: StoredPart,
  tablespace: string,
  options: ExchangeOptions,
): Promise<MovedPart | WaitingPart> {
  const rows = await copyPart(owner, part, tablespace);
  if (!(await isSame(owner, part))) {
    return { part: part.name, reason: 'copy_differs', detail: 'The copy does not have the same rows.' };
  }
  try {
    const lockedMs = Math.round(await exchangePart(owner, part, options));
    return { part: part.name, rows, bytes: part.bytes, lockedMs };
  } catch (error) {
    if (isLockTimeout(error)) {
      return { part: part.name, reason: 'tables_in_use', detail: 'Other statements used its tables at every try.' };
    }
    throw error;
  }
}

/** One after the other. @param onMoved called as soon as a part has moved. */
export async function moveEach<Part>(
  parts: readonly Part[],
  move: (part: Part) => Promise<MovedPart | WaitingPart>,
  onMoved: (moved: MovedPart) => void,
): Promise<MovedFacts> {
  const moved: MovedPart[] = [];
  const waiting: WaitingPart[] = [];
  for (const part of parts) {
    const result = await move(part);
    if ('reason' in result) {
      waiting.push(result);
    } else {
      moved.push(result);
      onMoved(result);
    }
  }
  return { moved, waiting };
}
