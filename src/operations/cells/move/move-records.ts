/**
 * The record of a move in each of its two cells, and the status of the operators that follows from it. A change of state names
 * the state before, so that two movers cannot both make it.
 */
import type { HostedClient } from '../../../db/pg-client.ts';

export type MoveState = 'copying' | 'fenced' | 'left' | 'arriving' | 'arrived' | 'cancelled';

export interface MoveRecord {
  readonly moveId: string;
  readonly state: MoveState;
  /** The other cell. */
  readonly peer: string;
  /** Whether the operator was paused for it. */
  readonly paused: boolean;
}

/** The last move of an operator that this cell knows. */
export async function findMove(client: HostedClient, leaderId: string): Promise<MoveRecord | undefined> {
  const { rows } = await client.query<MoveRecord>(
    'select move_id as "moveId", state, peer, status_before is not null as paused from operator_moves where operator_id = $1',
    [leaderId],
  );
  return rows[0];
}

export interface NewMove {
  readonly moveId: string;
  readonly leaderId: string;
  readonly operatorIds: readonly string[];
  readonly peer: string;
}

/** Begins a move in one cell. @throws if one of the operators trades there under another move, or is elsewhere */
export async function beginMove(
  client: HostedClient,
  { moveId, leaderId, operatorIds, peer }: NewMove,
  state: 'copying' | 'arriving',
): Promise<void> {
  // who leaves must be here, and who arrives must not
  const before = state === 'copying' ? ['arrived', 'copying'] : ['left', 'cancelled', 'arriving'];
  const { rowCount } = await client.query(
    `insert into operator_moves as move (operator_id, move_id, leader_id, peer, state)
     select id, $1, $2, $3, $4 from unnest($5::text[]) id
     on conflict (operator_id) do update set move_id = excluded.move_id, leader_id = excluded.leader_id, peer = excluded.peer,
       state = excluded.state, status_before = null, began_at = clock_timestamp(), changed_at = clock_timestamp()
       where move.state = any ($6)`,
    [moveId, leaderId, peer, state, operatorIds, before],
  );
  if (rowCount !== operatorIds.length) {
    throw new Error(`a move of ${leaderId} is in another state in one of its cells`);
  }
}

/** @returns false if the move is not in that state, and nothing was changed */
export async function changeMove(
  client: HostedClient,
  moveId: string,
  from: MoveState,
  to: MoveState,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'update operator_moves set state = $3, changed_at = clock_timestamp() where move_id = $1 and state = $2',
    [moveId, from, to],
  );
  return (rowCount ?? 0) > 0;
}

/** From now on requests are answered with 503. What the status was is kept in the record. */
export async function pauseOperators(source: HostedClient, moveId: string): Promise<void> {
  await source.query(
    `with paused as (
       update operator_moves move set status_before = operator.status from operators operator
       where move.move_id = $1 and operator.operator_id = move.operator_id and operator.status <> 'moving'
       returning move.operator_id)
     update operators operator set status = 'moving' from paused where operator.operator_id = paused.operator_id`,
    [moveId],
  );
}

/** Opens the new cell. @returns false if the move was abandoned, and nothing was changed */
export async function arrive(source: HostedClient, target: HostedClient, moveId: string): Promise<boolean> {
  const statuses = await readStatuses(source, moveId);
  await target.query('begin');
  const arrived = await changeMove(target, moveId, 'arriving', 'arrived');
  if (arrived) {
    await restoreStatuses(target, statuses);
  }
  await target.query('commit');
  return arrived;
}

/** The operators trade here as if no move had begun. */
export async function forgetMove(source: HostedClient, moveId: string): Promise<void> {
  await source.query('begin');
  const statuses = await readStatuses(source, moveId);
  await source.query(`delete from operator_moves where move_id = $1 and state in ('copying', 'fenced')`, [moveId]);
  await restoreStatuses(source, statuses);
  await source.query('commit');
}

interface StatusBefore {
  readonly operatorId: string;
  readonly before: string;
}

async function readStatuses(source: HostedClient, moveId: string): Promise<StatusBefore[]> {
  const { rows } = await source.query<StatusBefore>(
    'select operator_id as "operatorId", status_before as before from operator_moves where move_id = $1 and status_before is not null',
    [moveId],
  );
  return rows;
}

async function restoreStatuses(client: HostedClient, statuses: readonly StatusBefore[]): Promise<void> {
  for (const { operatorId, before } of statuses) {
    await client.query(`update operators set status = $2 where operator_id = $1 and status = 'moving'`, [
      operatorId,
      before,
    ]);
  }
}
