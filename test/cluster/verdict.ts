/** What must hold after the events: nothing acknowledged is lost, nothing is doubled, and the books agree with themselves and the venue. */
import type { Sql } from '../../src/db/client.ts';
import { inlay } from '../support/process.ts';
import { until } from '../support/until.ts';
import type { Acknowledged } from './load.ts';

const ENDED_WITHIN_MS = 180_000;

const ALWAYS = [
  ['reconciliation', 'run'],
  ['ledger', 'verify'],
];
const AT_VENUE = [['venues', 'compare', 'paper']];

/**
 * @param atVenue whether our account there must agree: after a restore, what was sent around its point is a finding
 * @returns one line for each fault; empty if all is as it must be.
 */
export async function findFaults(
  sql: Sql,
  acknowledged: readonly Acknowledged[],
  environment: Readonly<Record<string, string>>,
  { atVenue = true } = {},
): Promise<string[]> {
  const faults: string[] = [];
  const expectNone = (count: number, what: string) => {
    if (count > 0) {
      faults.push(`${count} ${what}`);
    }
  };
  expectNone(await waitUntilEnded(sql), `live orders were still open after ${ENDED_WITHIN_MS / 1000} s`);
  const kept = await sql<{ orderId: string; clientOrderId: string }[]>`select order_id, client_order_id from orders`;
  const byKey = new Map(kept.map((row) => [row.clientOrderId, row.orderId]));
  expectNone(kept.length - byKey.size, 'orders were doubled');
  const lost = acknowledged.filter(({ clientOrderId, orderId }) => byKey.get(clientOrderId) !== orderId);
  expectNone(lost.length, `acknowledged orders were lost, such as ${JSON.stringify(lost.slice(0, 3))}`);
  const [feed] = await sql<{ gaps: number }[]>`
    select count(*)::int as gaps from (
      select operator_id from journal group by operator_id having sum(items) <> max(sequence + items - 1)) as operators`;
  expectNone(feed?.gaps ?? 0, 'feeds have gaps');
  const [sent] = await sql<{ twice: number }[]>`
    select count(*)::int as twice from (
      select t.order_id from transmissions t join paper_records r on r.kind = 'order' and r.key = t.our_id
      group by t.order_id having count(*) > 1) as orders`;
  expectNone(sent?.twice ?? 0, 'orders were at the venue twice');
  for (const command of [...ALWAYS, ...(atVenue ? AT_VENUE : [])]) {
    const { code, stdout, stderr } = await inlay([...command, '--json'], { env: environment });
    if (code !== 0) {
      faults.push(`inlay ${command.join(' ')} ended with ${code}: ${`${stdout}${stderr}`.trim().slice(0, 600)}`);
    }
  }
  return faults;
}

/** @returns how many live orders are still open. */
async function waitUntilEnded(sql: Sql): Promise<number> {
  const read = () => sql`
    select from orders
    where status in ('reserve_pending', 'pending_venue_execution', 'submitted', 'partially_filled', 'pending')`;
  await until(read, (open) => open.length === 0, ENDED_WITHIN_MS).catch(() => {});
  return (await read()).length;
}
