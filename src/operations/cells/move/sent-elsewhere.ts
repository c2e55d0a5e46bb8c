/**
 * Keeps apart in which cell's account each order was sent. The cell that an operator leaves keeps its rows, so its account goes on
 * being compared with them; the cell where it arrives leaves them out.
 */
import { copyBetween } from '../../../db/copy-between.ts';
import type { MovingRows } from './copy-rows.ts';

const STAGE = 'moving_sent_elsewhere';

/**
 * Marks the copied orders that the target did not send itself. Part of the target's transaction that copies them.
 * @throws if the marks are not complete afterwards
 */
export async function markSentElsewhere({ source, target, from, to, operatorIds }: MovingRows): Promise<void> {
  const ids = `array[${operatorIds.map((id) => source.escapeLiteral(id)).join(', ')}]`;
  const sender = `coalesce(e.cell, ${source.escapeLiteral(from.name)})`;
  await target.query(`drop table if exists pg_temp.${STAGE}`);
  await target.query(`create temporary table ${STAGE} (like transmissions_elsewhere) on commit drop`);
  await copyBetween(
    source,
    `select t.operator_id, t.order_id, ${sender} from transmissions t left join transmissions_elsewhere e using (operator_id, order_id)
     where t.operator_id = any (${ids}) and ${sender} <> ${source.escapeLiteral(to.name)}`,
    target,
    `${STAGE} (operator_id, order_id, cell)`,
  );
  await target.query(
    `insert into transmissions_elsewhere select * from ${STAGE} on conflict (operator_id, order_id) do update set cell = excluded.cell`,
  );
  const { rows } = await target.query<{ wrong: number }>(
    `select count(*)::int as wrong from transmissions_elsewhere e full join ${STAGE} s using (operator_id, order_id)
     where operator_id = any ($1) and e.cell is distinct from s.cell`,
    [operatorIds],
  );
  if (rows[0]?.wrong !== 0) {
    throw new Error('it is not clear which cell sent each order');
  }
}
