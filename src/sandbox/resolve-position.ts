/**
 * Resolves one sandbox position on a tester's request, without changing its market (contract 32.13). Request and settlement are one
 * statement. If the position is being sold, the call waits for the sell.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ErrorCode, refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { resolutionForSide } from '../money/payout.ts';
import { type OpenPosition, packPayments, paymentOf, type Result } from '../settlement/settle-positions.ts';
import type { RelayWaker } from '../webhooks/relay.ts';
import type { ResolutionAnswer } from '../wire/sandbox.ts';

type RequestedResolution = 'WIN' | 'LOSS' | 'VOID';

interface Verdict {
  /** After `position_changed` it is decided again. */
  readonly code: ErrorCode | 'position_changed' | null;
  readonly alreadyRequested: boolean;
  readonly settled: boolean;
  readonly positionStatus: 'open' | 'closed' | 'settled';
}

const WAIT_MS = 2_000;
const STEP_MS = 100;
const READ_AHEAD = 200;

/** @throws position_not_found, position_not_open, resolution_conflict */
export async function resolvePosition(
  { sql, relay }: { readonly sql: Sql; readonly relay: RelayWaker },
  operatorId: string,
  positionId: string,
  resolution: RequestedResolution,
): Promise<ResolutionAnswer> {
  const deadline = performance.now() + WAIT_MS;
  const first = await request(sql, operatorId, positionId, resolution);
  let verdict = first;
  while (verdict.positionStatus === 'open' && performance.now() < deadline) {
    await sleep(STEP_MS);
    verdict = await request(sql, operatorId, positionId, resolution);
  }
  if (verdict.settled) {
    relay.wake();
  }
  return {
    positionId,
    resolution,
    alreadyRequested: first.alreadyRequested,
    settled: verdict.settled,
    reason: reasonOf(verdict),
  };
}

/**
 * Settles positions whose resolution waited for a sell that has ended.
 * @returns how many
 */
export async function settleWaiting(sql: Sql): Promise<number> {
  const waiting = await sql<{ operatorId: string; positionId: string; resolution: RequestedResolution }[]>`
    select r.operator_id, r.position_id, r.resolution
    from sandbox_resolutions r join positions p using (operator_id, position_id)
    where r.waiting and (p.status <> 'open' or p.held_quantity_micros = 0)
    order by r.operator_id, r.position_id limit ${READ_AHEAD}`;
  let settled = 0;
  for (const row of waiting) {
    const verdict = await request(sql, row.operatorId, row.positionId, row.resolution);
    settled += verdict.settled ? 1 : 0;
  }
  return settled;
}

/** How often a request is decided before it is given up, because its position has changed each time. */
const DECISIONS = 8;

async function request(
  sql: Sql,
  operatorId: string,
  positionId: string,
  resolution: RequestedResolution,
): Promise<Verdict> {
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    const position = await findPosition(sql, operatorId, positionId);
    if (position === undefined) {
      throw refuse('position_not_found');
    }
    const { payouts, journal } = packPayments(
      canBePaid(position) ? [paymentOf(position, resultFor(position, resolution))] : [],
    );
    const [verdict] = await sql<Verdict[]>`
      select * from request_resolution(${operatorId}, ${positionId}, ${resolution}, ${position.version}, ${payouts}::text::payout[],
        ${journal}::text::journal_row[])`;
    if (verdict === undefined) {
      throw new Error('request_resolution returned no row');
    }
    if (verdict.code === null) {
      return verdict;
    }
    if (verdict.code !== 'position_changed') {
      throw refuse(verdict.code);
    }
  }
  throw refuse('internal_error');
}

interface StoredPosition extends OpenPosition {
  readonly status: Verdict['positionStatus'];
  readonly heldQuantityMicros: bigint;
}

async function findPosition(sql: Sql, operatorId: string, positionId: string): Promise<StoredPosition | undefined> {
  const [position] = await sql<StoredPosition[]>`
    select p.*, o.mode from positions p join operators o using (operator_id)
    where p.operator_id = ${operatorId} and p.position_id = ${positionId}`;
  return position;
}

/** Contracts that are in an open sell are paid later. */
const canBePaid = ({ status, heldQuantityMicros }: StoredPosition): boolean =>
  status === 'open' && heldQuantityMicros === 0n;

/** The request is relative to the position's own side. */
function resultFor({ side }: StoredPosition, wanted: RequestedResolution): Result {
  return { ...resolutionForSide(side, wanted), splitYesMicros: null, resolutionVersion: null };
}

function reasonOf(verdict: Verdict): string | null {
  if (verdict.settled) {
    return null;
  }
  return verdict.positionStatus === 'closed'
    ? 'The position was sold whole before it could settle.'
    : 'Contracts of the position are in an open sell; it settles once that ends.';
}
