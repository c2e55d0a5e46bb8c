/** The connections of one call of a move, and what it works with. */
import { refuse } from '../../../core/errors.ts';
import { HostedClient } from '../../../db/pg-client.ts';
import type { Cell } from '../cells-file.ts';
import type { MovingRows } from './copy-rows.ts';
import { findMovingOperator, type MovingOperator } from './movable.ts';
import { listOperatorTables, type OperatorTable } from './operator-tables.ts';

/** Everything that one call works with. */
export interface Move extends MovingRows, MovingOperator {
  readonly from: Cell;
  readonly to: Cell;
  readonly tables: readonly OperatorTable[];
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
    return await work({ ...operator, from, to, source, target, tables: await listOperatorTables(source) });
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function openClient(url: string): Promise<HostedClient> {
  const client = new HostedClient({ connectionString: url, application_name: 'inlay-move' });
  await client.connect();
  await client.query(`set TimeZone = 'UTC'`);
  return client;
}
