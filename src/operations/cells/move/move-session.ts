/** The connections of one call of a move, and what it works with. */
import { refuse } from '../../../core/errors.ts';
import { HostedClient } from '../../../db/pg-client.ts';
import type { Cell } from '../cells-file.ts';
import type { MovingRows } from './copy-rows.ts';
import { findMovingOperator, type MovingOperator } from './movable.ts';
import { listOperatorTables, type OperatorTable } from './operator-tables.ts';

const ENDS_WITHIN_MS = 5_000;

/** Everything that one call works with. */
export interface Move extends MovingRows, MovingOperator {
  readonly from: Cell;
  readonly to: Cell;
  readonly tables: readonly OperatorTable[];
  /** Process ids of the two sessions. */
  readonly sessions: { readonly source: number; readonly target: number };
}

/** Opens both databases as their owners. One mover at a time: a lock of the session in the old cell ends with the process. */
export async function withMove<Report>(
  from: Cell,
  to: Cell,
  reference: string,
  work: (move: Move) => Promise<Report>,
): Promise<Report> {
  const source = await openClient(from.ownerUrl);
  const target = await openClient(to.ownerUrl).catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  try {
    const operator = await findMovingOperator(source, reference);
    const { rows } = await source.query<{ alone: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as alone`,
      [operator.leaderId],
    );
    if (rows[0]?.alone !== true) {
      throw refuse('invalid_request', `${operator.slug} is being moved by another process.`);
    }
    const sessions = { source: await sessionOf(source), target: await sessionOf(target) };
    return await work({ ...operator, from, to, source, target, sessions, tables: await listOperatorTables(source) });
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

/**
 * Ends both sessions of a move, whatever they do. What they have not committed is undone.
 * @throws if a cell cannot be reached, or a session does not end
 */
export async function endSessions({ source, target, from, to, sessions }: Move): Promise<void> {
  source.destroy();
  target.destroy();
  await Promise.all([endSession(from.ownerUrl, sessions.source), endSession(to.ownerUrl, sessions.target)]);
}

async function endSession(ownerUrl: string, session: number): Promise<void> {
  const client = await openClient(ownerUrl);
  try {
    const { rows } = await client.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid, ${ENDS_WITHIN_MS}) as ended from pg_stat_activity where pid = $1`,
      [session],
    );
    if (rows[0]?.ended === false) {
      throw new Error('a session of the move does not end');
    }
  } finally {
    await client.close();
  }
}

async function sessionOf(client: HostedClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

async function openClient(url: string): Promise<HostedClient> {
  const client = new HostedClient({ connectionString: url, application_name: 'inlay-move' });
  await client.connect();
  await client.query(`set TimeZone = 'UTC'`);
  return client;
}
