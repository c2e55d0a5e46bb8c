/**
 * Moves the parts of feed and ledger that are old enough to a tablespace (docs/old-facts.md). A part is copied, compared and
 * exchanged while everything else goes on; a run that ends early leaves each part where it was or where it should be.
 */
import type { Sql } from '../../db/client.ts';
import { isLockTimeout } from '../../db/database-errors.ts';
import { copyPart, isSame, removeCopies } from './copy-part.ts';
import { type ExchangeOptions, exchangePart, PATIENT } from './exchange-part.ts';
import { type FactPart, findBrokenSeal, isSealed, lastOldMonth, listFactParts, listOperatorsIn } from './fact-parts.ts';
import { asOnlyRun } from './only-run.ts';

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

export interface MoveOptions {
  readonly tablespace: string;
  /** Complete months that stay on the fast disk, at least 1. */
  readonly keepMonths: number;
  /** What is wrong with an operator's feed against its log, or null. Asked once for each operator. */
  readonly checkFeed: (operatorId: string) => Promise<string | null>;
  readonly onMoved?: (moved: MovedPart) => void;
  readonly exchange?: ExchangeOptions;
}

/**
 * @param owner one connection of the role that owns the tables, without a short deadline
 * @throws AnotherRun if another run is moving facts; the database's 42704 if there is no such tablespace
 */
export function moveOldFacts(owner: Sql, options: MoveOptions): Promise<MovedFacts> {
  return asOnlyRun(owner, async () => {
    try {
      return await moveParts(owner, options);
    } finally {
      await removeCopies(owner);
    }
  });
}

async function moveParts(
  owner: Sql,
  { tablespace, keepMonths, checkFeed, onMoved = () => {}, exchange = PATIENT }: MoveOptions,
): Promise<MovedFacts> {
  const last = await lastOldMonth(owner, keepMonths);
  const old = (await listFactParts(owner)).filter(
    (part) => part.month !== null && part.month <= last && part.tablespace !== tablespace,
  );
  const feeds = rememberFaults(checkFeed);
  const moved: MovedPart[] = [];
  const waiting: WaitingPart[] = [];
  for (const part of old) {
    const result = await movePart(owner, part, tablespace, feeds, exchange);
    if ('reason' in result) {
      waiting.push(result);
    } else {
      moved.push(result);
      onMoved(result);
    }
  }
  return { moved, waiting };
}

async function movePart(
  owner: Sql,
  part: FactPart,
  tablespace: string,
  feeds: MoveOptions['checkFeed'],
  options: ExchangeOptions,
): Promise<MovedPart | WaitingPart> {
  const stays = (reason: WaitReason, detail: string): WaitingPart => ({ part: part.name, reason, detail });
  if (!(await isSealed(owner, part))) {
    return stays('not_sealed', 'The newest checkpoint and seals do not cover all of it yet.');
  }
  const fault = await findFault(owner, part, feeds);
  if (fault !== null) {
    return stays(part.root === 'feed_items' ? 'broken_feed' : 'broken_seal', fault);
  }
  const rows = await copyPart(owner, part, tablespace);
  if (!(await isSame(owner, part))) {
    return stays('copy_differs', 'The copy does not have the same rows.');
  }
  try {
    const lockedMs = Math.round(await exchangePart(owner, part, options));
    return { part: part.name, rows, bytes: part.bytes, lockedMs };
  } catch (error) {
    if (isLockTimeout(error)) {
      return stays('tables_in_use', 'Other statements used its tables at every try.');
    }
    throw error;
  }
}

async function findFault(owner: Sql, part: FactPart, feeds: MoveOptions['checkFeed']): Promise<string | null> {
  if (part.root !== 'feed_items') {
    const seal = await findBrokenSeal(owner, part);
    return seal === null ? null : `The ledger seal ${seal} does not fit its entries.`;
  }
  for (const operatorId of await listOperatorsIn(owner, part)) {
    const fault = await feeds(operatorId);
    if (fault !== null) {
      return `${operatorId}: ${fault}`;
    }
  }
  return null;
}

function rememberFaults(checkFeed: MoveOptions['checkFeed']): MoveOptions['checkFeed'] {
  const known = new Map<string, Promise<string | null>>();
  return (operatorId) => {
    const fault = known.get(operatorId) ?? checkFeed(operatorId);
    known.set(operatorId, fault);
    return fault;
  };
}
