/** What happens while an operator is paused: its old cell is closed, the rest is copied and compared, the new cell opens. */
import { copyRest } from './copy-operator.ts';
import { raiseFence } from './fence.ts';
import { expectSameContracts } from './movable.ts';
import { arrive, changeMove, pauseOperators } from './move-records.ts';
import type { Move } from './move-session.ts';
import { awaitVenueAnswers, expectNothingAtVenues } from './venue-ties.ts';

/** The log of a feed with all its items. */
export interface ComparedLog {
  readonly operatorId: string;
  readonly size: number;
  /** RFC 6962 root, base64. */
  readonly root: string;
}

export interface MovePorts {
  /** Checks the whole books in the old cell, before anything is paused. @throws if they are not right */
  readonly verifyBefore: (operatorId: string) => Promise<void>;
  /** Checks the books in the new cell before it opens, and that both cells have the same log. @throws if not */
  readonly verifyAfter: (operatorId: string) => Promise<ComparedLog>;
  readonly progress: (text: string) => void;
  /** How long the operator may be paused, in milliseconds; then its old cell opens again. */
  readonly maxPauseMs: number;
}

/**
 * @param mark only rows written since are copied first; without it, tables that differ are copied whole
 * @param mostMs how long it may take, in milliseconds; the caller gives it up then
 * @returns how many rows were copied, and the compared logs
 * @throws if the new cell did not open
 */
export async function closeAndOpen(
  move: Move,
  moveId: string,
  mark: string | undefined,
  ports: MovePorts,
  mostMs: number,
): Promise<{ rows: number; logs: ComparedLog[] }> {
  // it sends nothing more, and what it sent is still recorded
  await pauseOperators(move.source, moveId);
  await awaitVenueAnswers(move.source, move, mostMs);
  await expectNothingAtVenues(move.source, move, move.from.name);
  // jobs leave it out from here on; a writer that began earlier ends before the fence is closed
  await changeMove(move.source, moveId, 'copying', 'fenced');
  await raiseFence(move.source, move.tables, move.leaderId, move.operatorIds);
  await pauseOperators(move.source, moveId);
  await expectNothingAtVenues(move.source, move, move.from.name);
  const rows = await copyRest(move, move.tables, mark);
  ports.progress(`all tables: ${rows} rows while it is paused, the same in both cells`);
  await expectSameContracts(move.source, move.target, move.operatorIds);
  const logs: ComparedLog[] = [];
  for (const operatorId of move.operatorIds) {
    logs.push(await ports.verifyAfter(operatorId));
  }
  if (!(await arrive(move.source, move.target, moveId))) {
    throw new Error(`the move of ${move.slug} was abandoned`);
  }
  return { rows, logs };
}
