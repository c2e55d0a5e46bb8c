/**
 * Moves an operator to another cell: copies while it trades, closes its old cell, copies the rest, compares, opens the new
 * one. The state of the move is in both databases, and each change of it is one commit. The new cell opens only after the
 * old one was closed, and the old one opens again only after the move was cancelled in the new one, so the operator never
 * trades in both. A move that was interrupted at any point continues when it is started again.
 */
import { Refusal, refuse } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { Cell } from '../cells-file.ts';
import { withBoundedPause } from './bounded-pause.ts';
import { type ComparedLog, closeAndOpen, type MovePorts } from './close-and-open.ts';
import { copyWhileTrading, copyWrittenSince } from './copy-operator.ts';
import { copyEndedContracts } from './ended-contracts.ts';
import { removeFence } from './fence.ts';
import { expectMovable } from './movable.ts';
import { beginMove, changeMove, findMove, forgetMove, type MoveRecord } from './move-records.ts';
import { endSessions, type Move, withMove } from './move-session.ts';
import { expectNothingAtVenues, LONG_UNDER_WAY } from './venue-ties.ts';

export interface MoveReport {
  readonly operatorId: string;
  readonly slug: string;
  readonly from: string;
  readonly to: string;
  /** Whether the operator trades in the new cell now. */
  readonly moved: boolean;
  /** How long it could not trade; null if this call did not close the old cell itself. */
  readonly pausedMs: number | null;
  /** Rows that were copied while it could not trade. */
  readonly rows: number;
  /** The end of the log of each operator's feed, equal in both cells; empty if this call did not compare it. */
  readonly logs: readonly ComparedLog[];
}

/**
 * @param reference slug or id of the operator
 * @throws `unknown_operator`, `invalid_request`, `operator_exists`, PauseTooLong; any other error leaves the operator in its old cell, or
 *   paused if that cell could not be reached
 */
export async function moveOperator(from: Cell, to: Cell, reference: string, ports: MovePorts): Promise<MoveReport> {
  return withMove(from, to, reference, async (move) => {
    const left = await findMove(move.source, move.leaderId);
    const arriving = await findMove(move.target, move.leaderId);
    if (left !== undefined && hasArrived(left, arriving)) {
      return finish(move, left.moveId, { pausedMs: null, rows: 0, logs: [] });
    }
    if (left?.state === 'fenced' && arriving?.moveId === left.moveId && arriving.state === 'arriving') {
      ports.progress(`${move.slug} is paused by a move that was interrupted; it continues`);
      return close(move, left.moveId, undefined, ports);
    }
    if (left?.state === 'fenced' || (left?.state === 'copying' && left.paused)) {
      await reopen(move, left.moveId);
    }
    const moveId = await prepare(move, left, ports);
    const mark = await copyWhileTrading(move, move.tables, ports.progress);
    return close(move, moveId, await copyWrittenSince(move, move.tables, mark, ports.progress), ports);
  });
}

/** Ends a move that has not reached the new cell; the operator trades in its old cell. @throws `invalid_request` if it has */
export async function abandonMove(from: Cell, to: Cell, reference: string): Promise<MoveReport> {
  return withMove(from, to, reference, async (move) => {
    const left = await findMove(move.source, move.leaderId);
    if (left === undefined || !['copying', 'fenced'].includes(left.state)) {
      throw refuse('invalid_request', `No move of ${move.slug} from ${from.name} is in progress.`);
    }
    await reopen(move, left.moveId);
    return report(move, false, { pausedMs: null, rows: 0, logs: [] });
  });
}

function hasArrived(left: MoveRecord, arriving: MoveRecord | undefined): boolean {
  const isSame = arriving?.moveId === left.moveId && arriving.state === 'arrived';
  return isSame && (left.state === 'fenced' || left.state === 'left');
}

async function prepare(move: Move, left: MoveRecord | undefined, ports: MovePorts): Promise<string> {
  if (left?.state === 'left' || left?.state === 'arriving' || left?.state === 'cancelled') {
    throw refuse(
      'invalid_request',
      `${move.slug} does not trade in ${move.from.name}; its last move names ${left.peer}.`,
    );
  }
  await expectNothingAtVenues(move.source, move, move.from.name, LONG_UNDER_WAY);
  const contracts = await copyEndedContracts(move);
  if (contracts > 0) {
    ports.progress(`contracts that ended long ago: ${contracts}`);
  }
  await expectMovable(move.source, move.target, move);
  for (const operatorId of move.operatorIds) {
    await ports.verifyBefore(operatorId);
  }
  const moveId = newId('mvo');
  await beginMove(move.source, { ...move, moveId, peer: move.to.name }, 'copying');
  await beginMove(move.target, { ...move, moveId, peer: move.from.name }, 'arriving');
  // a fence from the time when it left that cell
  await removeFence(move.target, move.tables, move.leaderId);
  return moveId;
}

async function close(move: Move, moveId: string, mark: string | undefined, ports: MovePorts): Promise<MoveReport> {
  const began = performance.now();
  try {
    const compared = await withBoundedPause(ports.maxPauseMs, (mostMs) =>
      closeAndOpen(move, moveId, mark, ports, mostMs),
    );
    return await finish(move, moveId, { pausedMs: Math.round(performance.now() - began), ...compared });
  } catch (error) {
    // a connection on which a copy failed may answer nothing more, and what was given up must not go on
    try {
      await endSessions(move);
      await withMove(move.from, move.to, move.leaderId, (anew) => reopen(anew, moveId));
    } catch (again) {
      if (again instanceof Refusal) {
        throw again;
      }
      ports.progress(`${move.slug} stays paused: ${again instanceof Error ? again.message : String(again)}`);
    }
    throw error;
  }
}

type Outcome = Pick<MoveReport, 'pausedMs' | 'rows' | 'logs'>;

async function finish(move: Move, moveId: string, outcome: Outcome): Promise<MoveReport> {
  await changeMove(move.source, moveId, 'fenced', 'left');
  return report(move, true, outcome);
}

/** The move is cancelled in the new cell first. @throws `invalid_request` if the operator trades there already */
async function reopen(move: Move, moveId: string): Promise<void> {
  const arriving = await findMove(move.target, move.leaderId);
  if (arriving?.moveId === moveId && arriving.state !== 'cancelled') {
    if (!(await changeMove(move.target, moveId, 'arriving', 'cancelled'))) {
      throw refuse(
        'invalid_request',
        `${move.slug} trades in ${move.to.name} already. Run the move again to finish it.`,
      );
    }
  }
  await removeFence(move.source, move.tables, move.leaderId);
  await forgetMove(move.source, moveId);
}

function report({ leaderId, slug, from, to }: Move, moved: boolean, outcome: Outcome): MoveReport {
  return { operatorId: leaderId, slug, from: from.name, to: to.name, moved, ...outcome };
}
